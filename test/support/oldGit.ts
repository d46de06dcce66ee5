import { join } from 'node:path';

/** A git that calls itself 2.38 and knows nothing that later versions brought, as `npm test -- git --git 2.38` uses it for all tests. */
export const oldGit = join(import.meta.dirname, 'git-2.38', 'git');
