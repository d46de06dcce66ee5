import { join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A folder that nobody has trusted yet. */
const suite: HostSuite = {
  title: 'a folder that is not trusted',
  trusted: false,
  // Without an answer to the question at startup the folder stays restricted, and no dialog is in the way.
  settings: { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
  prepare: async (place) => ({ folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) }),
};
export default suite;
