import { environmentOf } from '../../src/core/base/environment.ts';
import { claimNotices } from '../../src/core/claude/agentNotices.ts';

// A window that claims notices: `claimNotices <common git directory> <key>...`; prints those that it got.
const [commonDir = '', ...keys] = process.argv.slice(2);
const wanted = keys.map((key) => ({ key, from: '01', until: '01' }));
for (const { key } of await claimNotices(environmentOf(process), commonDir, wanted)) console.log(key);
