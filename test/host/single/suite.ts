import { join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** The usual case: one trusted folder with worktrees. */
const suite: HostSuite = {
  title: 'one trusted folder',
  prepare: async (place) => ({ folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) }),
};
export default suite;
