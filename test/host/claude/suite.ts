import { join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import { installStandIn } from '../../support/claude/standIn.ts';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A trusted folder on a machine with Claude Code: a stand-in that does what the extension asks for and writes down every call. */
const suite: HostSuite = {
  title: 'a machine with Claude Code',
  prepare: async (place) => ({ folder: await makeSampleRepository(join(place.work, 'orchard'), place.env) }),
  env: installStandIn,
};
export default suite;
