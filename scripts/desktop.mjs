// `npm run test:desktop`: the host suites in a downloaded desktop VS Code. It needs a network and, on Linux, a screen
// (`xvfb-run -a npm run test:desktop` where there is none). Suites and --vscode, --grep may follow.
import { join } from 'node:path';
import { ensurePackages, node24, root } from './lib/install.mjs';
import { main, onEnd, run, say } from './lib/processes.mjs';
import { build } from './package.mjs';

onEnd(() => process.exit(130));
await main(async () => {
  await ensurePackages();
  say('Building …');
  await build();
  const lane = join(root, 'test/support/launch/desktopLane.ts');
  return (await run(node24, [lane, ...process.argv.slice(2)], { cwd: root })).code;
});
