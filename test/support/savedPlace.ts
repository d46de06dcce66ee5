import { cp, rm } from 'node:fs/promises';

/** A folder whose state can be restored at its own path, which git's records of worktrees depend on. */
export interface SavedPlace {
  restore(): Promise<void>;
  /** Deletes the copy. */
  forget(): Promise<void>;
}

/** Keeps a copy of a folder beside it, under the folder's name with a word behind it. */
export async function savePlace(folder: string, word: string): Promise<SavedPlace> {
  const copy = `${folder}.${word}`;
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  await cp(folder, copy, options);
  return {
    restore: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      await cp(copy, folder, options);
    },
    forget: () => rm(copy, { recursive: true, force: true, maxRetries: 5 }),
  };
}
