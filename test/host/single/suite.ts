import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import { root } from '../../../scripts/lib/install.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** The usual case: one trusted folder with worktrees. A language model is there as well. */
const suite: HostSuite = {
  title: 'one trusted folder',
  async prepare(place) {
    await mkdir(join(place.root, 'writer'));
    // As an extension that the person has installed.
    const installed = join(place.extensions, 'fixtures.writer-1.0.0');
    await cp(join(root, 'test/support/launch/writer'), installed, { recursive: true });
    return { folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) };
  },
  env: async (place) => ({ WORKTREE_STACKS_TEST_WRITER: join(place.root, 'writer') }),
};
export default suite;
