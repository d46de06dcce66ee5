import { isObject } from '../../base/jsonText.ts';
import type { RegistryEntry } from '../../repository/registry.ts';
import { updateRegistry } from '../../repository/registry.ts';
import type { Workspace } from '../../worktree/workspace.ts';

/** What was pushed last of a branch, as the registry records it. */
export interface LastPushed {
  readonly remote: string;
  /** The full name there. */
  readonly ref: string;
  readonly oid: string;
}

/** Reads the record of an entry; `undefined` when there is none, or none that can be read. */
export function lastPushedOf(entry: RegistryEntry | undefined): LastPushed | undefined {
  const value = entry?.lastPushed;
  if (!isObject(value)) return undefined;
  const { remote, ref, oid } = value;
  return typeof remote === 'string' && typeof ref === 'string' && typeof oid === 'string'
    ? { remote, ref, oid }
    : undefined;
}

/** Records what was pushed of several branches, for the entries that are theirs. */
export async function recordPushed(
  { environment, repository }: Workspace,
  pushed: ReadonlyMap<string, LastPushed>,
): Promise<void> {
  await updateRegistry(environment, repository, ({ worktrees }) => {
    for (const [name, entry] of worktrees) {
      const lastPushed = pushed.get(entry.branch);
      if (lastPushed) worktrees.set(name, { ...entry, lastPushed });
    }
  });
}
