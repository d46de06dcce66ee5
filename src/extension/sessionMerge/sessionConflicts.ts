import { join } from 'node:path';
import type { Uri } from 'vscode';
import { readStages } from '../../core/merge/conflictStages.ts';
import type { Repositories } from '../repository/repositories.ts';
import { uriOf } from '../base/uris.ts';
import { keyOf, sessionPaths, type Located } from './readConflict.ts';

/** A session file that is in conflict. */
export interface SessionConflict extends Located {
  readonly uri: Uri;
  readonly key: string;
}

/** The session files in conflict in all worktrees of the window's repositories; git is asked only where there are conflicts at all. */
export async function findSessionConflicts(repositories: Repositories): Promise<SessionConflict[]> {
  const found = repositories.models.flatMap((model) =>
    (model.state?.worktrees ?? [])
      .filter(({ condition, changes }) => condition === 'fine' && (changes?.conflicts ?? 0) > 0)
      .map(async (worktree) => {
        const { git, configuration } = await model.workspace();
        const stages = await readStages(git, worktree.path, sessionPaths(configuration));
        return [...stages].map(([path, each]): SessionConflict => {
          return { model, worktree, path, uri: uriOf(join(worktree.path, path)), key: keyOf(each) };
        });
      }),
  );
  return (await Promise.all(found)).flat();
}
