import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { which } from '../../../scripts/lib/install.mjs';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A folder that nobody has trusted yet, and a git that writes down every call. */
const suite: HostSuite = {
  title: 'a folder that is not trusted',
  trusted: false,
  // Without an answer to the question at startup the folder stays restricted, and no dialog is in the way.
  settings: { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
  prepare: async (place) => ({ folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) }),
  env: async (place) => {
    const bin = join(place.root, 'bin');
    const log = join(place.out, 'git-calls.log');
    await mkdir(bin);
    await writeFile(log, '');
    const script = `#!/bin/sh\necho "$PWD: $*" >>'${log}'\nexec '${await which('git')}' "$@"\n`;
    await writeFile(join(bin, 'git'), script, { mode: 0o755 });
    return { PATH: `${bin}${delimiter}${place.env['PATH'] ?? ''}`, WORKTREE_STACKS_TEST_GIT_LOG: log };
  },
};
export default suite;
