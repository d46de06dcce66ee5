import { Problem } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';
import { readRegistry, type Registry } from '../repository/registry.ts';
import { readActive, type ActiveWorktree } from '../repository/stateFile.ts';

/** What the product's own files say, and which of them cannot be read. */
export interface Records {
  /** `undefined` when it cannot be read. */
  readonly registry: Registry | undefined;
  readonly active: ActiveWorktree | undefined;
  readonly problems: readonly Problem[];
}

/** Reads the registry and the state file; a broken one does not keep the other from being read. */
export async function readRecords(repository: Repository): Promise<Records> {
  const problems: Problem[] = [];
  const note = (thrown: unknown): undefined => {
    if (!Problem.is(thrown)) throw thrown;
    problems.push(thrown);
  };
  const [registry, active] = await Promise.all([
    readRegistry(repository).catch(note),
    readActive(repository).catch(note),
  ]);
  return { registry, active, problems };
}
