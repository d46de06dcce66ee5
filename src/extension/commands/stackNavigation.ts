import { l10n } from 'vscode';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';
import { stackRows, type StackRow } from '../views/stackTree.ts';

/** Where a step in a stack leads: to one of these branches, or nowhere, and why in a sentence. */
export type StackNeighbours = { readonly branches: readonly string[] } | { readonly none: string };

/** The branch above another one, as stacks are drawn: its base. */
export function above({ stacks, snapshot }: RepositoryState, branch: string): StackNeighbours {
  const shown = stacks?.branches.get(branch);
  if (!shown) {
    return branch === snapshot.trunk
      ? { none: l10n.t('{0} has no base: it is the trunk.', branch) }
      : { none: l10n.t('{0} has no base: it is in no stack.', branch) };
  }
  const { name, base, broken } = shown;
  if (base === undefined) return { none: l10n.t('The base of {0} is unknown.', name) };
  if (broken === 'gone') return { none: l10n.t('The base {1} of {0} is gone.', name, base) };
  if (broken === 'cycle') return { none: l10n.t('The base of {0} is part of a cycle.', name) };
  return { branches: [base] };
}

/** The branches below another one, as stacks are drawn: its dependents. */
export function below({ stacks }: RepositoryState, branch: string): StackNeighbours {
  const branches = stacks?.state.stack.children(branch).map((each) => each.branch) ?? [];
  return branches.length > 0
    ? { branches }
    : { none: l10n.t('{0} has no dependents.', stacks?.branches.get(branch)?.name ?? branch) };
}

/** The next or the previous worktree of a stack in the order in which it is drawn, or why there is none. */
export function neighbour(state: RepositoryState, worktree: Worktree, step: 1 | -1): Worktree | { none: string } {
  for (const root of stackRows(state)) {
    const all = worktreesIn(root);
    const at = all.findIndex(({ path }) => path === worktree.path);
    if (at < 0) continue;
    const next = all[at + step];
    if (next) return next;
    if (all.length === 1) return { none: l10n.t('{0} is the only worktree of its stack.', worktree.name) };
    return step === 1
      ? { none: l10n.t('{0} is the last worktree of its stack.', worktree.name) }
      : { none: l10n.t('{0} is the first worktree of its stack.', worktree.name) };
  }
  return { none: l10n.t('{0} is in no stack.', worktree.name) };
}

function worktreesIn(root: StackRow): Worktree[] {
  const found: Worktree[] = [];
  const add = ({ worktree, children }: StackRow): void => {
    if (worktree) found.push(worktree);
    children.forEach(add);
  };
  add(root);
  return found;
}
