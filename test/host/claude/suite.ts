import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import { root } from '../../../scripts/lib/install.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A trusted folder on a machine with Claude Code: a stand-in that does what the extension asks for and writes down every call. */
const suite: HostSuite = {
  title: 'a machine with Claude Code',
  prepare: async (place) => ({ folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) }),
  env: async (place) => {
    const bin = join(place.root, 'bin');
    const state = join(place.out, 'claude');
    await Promise.all([mkdir(bin), mkdir(state)]);
    await copyFile(join(root, 'test/support/claude/standIn.cjs'), join(bin, 'standIn.cjs'));
    const script = `#!/bin/sh\nexec '${process.execPath}' '${bin}/standIn.cjs' '${state}' "$@"\n`;
    await writeFile(join(bin, 'claude'), script, { mode: 0o755 });
    return {
      PATH: `${bin}${delimiter}${place.env['PATH'] ?? ''}`,
      CLAUDE_CONFIG_DIR: join(state, 'config'),
      WORKTREE_STACKS_TEST_CLAUDE: state,
    };
  },
};
export default suite;
