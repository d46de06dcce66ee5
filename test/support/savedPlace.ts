import { cp, rm } from 'node:fs/promises';

/** A folder whose state can be restored at its own path, which git's records of worktrees depend on. */
export interface SavedPlace {
  restore(): Promise<void>;
}

/** Keeps a copy of a folder beside it. */
export async function savePlace(folder: string): Promise<SavedPlace> {
  const copy = `${folder}.saved`;
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  await cp(folder, copy, options);
  return {
    restore: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      await cp(copy, folder, options);
    },
  };
}
