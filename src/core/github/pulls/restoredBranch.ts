import { isObject } from '../../base/jsonText.ts';
import { updateRegistry, type RegistryEntry } from '../../repository/registry.ts';
import type { Workspace } from '../../worktree/workspace.ts';

/** A branch that was brought back on GitHub for a moment, so that a pull request into it could be reopened. */
export interface RestoredHead {
  readonly branch: string;
  readonly oid: string;
}

/** What an earlier run has brought back and not taken away again; `undefined` when there is none, or none that can be read. */
export function restoredOf(entry: RegistryEntry | undefined): RestoredHead | undefined {
  const value = entry?.pr?.['restored'];
  if (!isObject(value)) return undefined;
  const { branch, oid } = value;
  return typeof branch === 'string' && typeof oid === 'string' ? { branch, oid } : undefined;
}

/** Notes it with the pull requests that it is for, before it is done; without one the notes of that branch are taken away. */
export async function recordRestored(
  { environment, repository }: Workspace,
  branch: string,
  numbers: ReadonlySet<number>,
  oid: string | undefined,
): Promise<void> {
  await updateRegistry(environment, repository, ({ worktrees }) => {
    for (const [name, entry] of worktrees) {
      if (!entry.pr) continue;
      const pr: Record<string, unknown> & typeof entry.pr = { ...entry.pr };
      if (oid === undefined && restoredOf(entry)?.branch === branch) delete pr['restored'];
      if (oid !== undefined && numbers.has(pr.number)) pr['restored'] = { branch, oid };
      worktrees.set(name, { ...entry, pr });
    }
  });
}
