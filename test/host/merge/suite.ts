import { join } from 'node:path';
import type { HostSuite } from '../../support/launch/hostSuite.ts';
import { conflictedRepository } from '../../support/sessionConflict.ts';

/** A repository with a worktree whose merge conflicts in its session files; each test begins that merge itself. */
const suite: HostSuite = {
  title: 'session files in conflict',
  prepare: async (place) => {
    const { root } = await conflictedRepository(join(place.work, 'orchard'), place.env);
    return { folder: root };
  },
  // In a browser it is on, and would save what a test wants to see unsaved.
  settings: { 'files.autoSave': 'off' },
};
export default suite;
