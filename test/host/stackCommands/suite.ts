import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSampleStack } from '../../support/sampleStack.ts';
import type { HostSuite } from '../../support/launch/hostSuite.ts';

/** Two repositories with the same stacks, so that nothing may go over from one to the other. */
const suite: HostSuite = {
  title: 'commands on stacks',
  prepare: async (place) => {
    for (const name of ['orchard', 'brewery']) await makeSampleStack(join(place.work, name), place.env);
    const workspace = join(place.work, 'two.code-workspace');
    await writeFile(workspace, JSON.stringify({ folders: [{ path: 'orchard' }, { path: 'brewery' }] }));
    return { workspace };
  },
};
export default suite;
