import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** The usual case: one trusted folder with worktrees. A language model is there as well. */
const suite: HostSuite = {
  title: 'one trusted folder',
  extensions: ['test/support/launch/writer'],
  async prepare(place) {
    await mkdir(join(place.root, 'writer'));
    return { folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) };
  },
  env: async (place) => ({ WORKTREE_STACKS_TEST_WRITER: join(place.root, 'writer') }),
};
export default suite;
