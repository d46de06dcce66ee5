import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSampleRepository } from '../../../scripts/sampleRepository.mjs';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** A workspace of two repositories, whose session files are made by the tests. */
const suite: HostSuite = {
  title: 'two repositories in one workspace',
  prepare: async (place) => {
    for (const name of ['orchard', 'brewery']) await makeSampleRepository(join(place.work, name), place.env);
    const workspace = join(place.work, 'two.code-workspace');
    await writeFile(workspace, JSON.stringify({ folders: [{ path: 'orchard' }, { path: 'brewery' }] }));
    return { workspace };
  },
};
export default suite;
