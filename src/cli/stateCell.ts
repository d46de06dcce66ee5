import { factsOf, type AgentsInShort, type StackInShort } from '../core/snapshot/facts.ts';
import type { Worktree } from '../core/worktree/model.ts';
import type { Colours } from './colour.ts';
import { factText } from './factLabels.ts';

/** The most facts of one worktree in a row; more is for `wt info`. */
const mostFacts = 5;

/** What is known of a worktree beside what git knows. */
export interface StateSources {
  readonly agents?: AgentsInShort | undefined;
  readonly stack?: StackInShort | undefined;
}

/** The state of a worktree in a row, the most pressing first. What has a column of its own is not said twice. */
export function stateCell(worktree: Worktree, { agents, stack }: StateSources, colours: Colours): string {
  const pressing = factsOf(worktree, agents, stack)
    .filter((fact) => fact.kind !== 'branch')
    .map((fact) => factText(fact, colours))
    .filter((words) => words !== '')
    .slice(0, mostFacts);
  const calm = worktree.bare ? 'bare repository' : worktree.changes?.total === 0 ? 'clean' : '';
  return pressing.join(colours.dim(' · ')) || colours.dim(calm);
}
