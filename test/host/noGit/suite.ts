import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { which } from '../../../scripts/lib/install.mjs';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A machine where git is not installed. */
const suite: HostSuite = {
  title: 'no git on the PATH',
  prepare: async (place) => ({ folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) }),
  env: async (place) => {
    const bin = join(place.root, 'bin');
    await mkdir(bin);
    // What VS Code's own start needs from the system, and nothing else.
    for (const name of ['sh', 'bash', 'env', 'uname', 'id', 'cat', 'ls', 'ps']) {
      const program = await which(name);
      if (program) await symlink(program, join(bin, name));
    }
    return { PATH: bin };
  },
};
export default suite;
