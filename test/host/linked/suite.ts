import { join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A window on a folder deep in a linked worktree: its repository, and all other worktrees, lie outside the window. */
const suite: HostSuite = {
  title: 'a folder of a linked worktree',
  prepare: async (place) => {
    const repository = await makeSampleRepository(join(place.work, 'orchard'), place.env);
    return { folder: join(repository, '.worktrees/payment-form/src') };
  },
};
export default suite;
