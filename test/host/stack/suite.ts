import { join } from 'node:path';
import { makeSampleStack } from '../../support/sampleStack.ts';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A window with two stacks, one of which is behind. */
const suite: HostSuite = {
  title: 'stacks of worktrees',
  prepare: async (place) => ({ folder: await makeSampleStack(join(place.work, 'orchard'), place.env) }),
};
export default suite;
