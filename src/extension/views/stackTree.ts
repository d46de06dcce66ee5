import type { ShownBranch, ShownRoot } from '../../core/stack/stackView.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';

/** A row of the view in stack mode. */
export interface StackRow {
  /** Unique in its repository, and the same from one state to the next. */
  readonly key: string;
  /** `undefined` for a branch that no working tree has checked out. */
  readonly worktree: Worktree | undefined;
  /** What the row is when it has no worktree: see {@link ShownRoot}; `branch` for a stacked branch. */
  readonly kind: ShownRoot['kind'] | 'branch';
  /** `undefined` for a cycle, and for a worktree without a branch. */
  readonly branch: string | undefined;
  readonly shown: ShownBranch | undefined;
  /** The rows of its dependents. */
  readonly children: readonly StackRow[];
}

const forests = new WeakMap<RepositoryState, readonly StackRow[]>();

/**
 * The rows of a repository in stack mode: trunk first with its dependents, then other bases, then worktrees that are in no stack. Until
 * the stacks are known the worktrees stand side by side.
 */
export function stackRows(state: RepositoryState): readonly StackRow[] {
  let rows = forests.get(state);
  if (!rows) forests.set(state, (rows = build(state)));
  return rows;
}

function build({ worktrees, stacks }: RepositoryState): StackRow[] {
  // By path, without those that have their row.
  const left = new Map(worktrees.map((each) => [each.path, each]));
  const holders = new Map<string, Worktree>();
  for (const each of worktrees)
    if (each.branch !== undefined && !holders.has(each.branch)) holders.set(each.branch, each);
  const rows: StackRow[] = [];
  for (const root of stacks?.roots ?? []) {
    const worktree = root.branch === undefined ? undefined : holders.get(root.branch);
    if (worktree) left.delete(worktree.path);
    const children = below(root, left);
    if (!worktree && children.length === 0) continue;
    const { branch, kind } = root;
    rows.push({ key: keyOf(worktree, branch ?? ''), worktree, kind, branch, shown: undefined, children });
  }
  for (const worktree of left.values()) rows.push(alone(worktree));
  return rows;
}

/** The stacked branches of a root as a tree; takes their worktrees out of those that are left. */
function below({ branches }: ShownRoot, left: Map<string, Worktree>): StackRow[] {
  const top: StackRow[] = [];
  const open: StackRow[][] = [top];
  for (const { depth, shown } of branches) {
    const [worktree, ...others] = shown.worktrees.flatMap(({ path }) => left.get(path) ?? []);
    for (const { path } of shown.worktrees) left.delete(path);
    const children: StackRow[] = [];
    const siblings = open[depth] ?? top;
    siblings.push({
      key: keyOf(worktree, shown.branch),
      worktree,
      kind: 'branch',
      branch: shown.branch,
      shown,
      children,
    });
    // A branch that several worktrees have checked out is shown at each of them; its dependents are shown once.
    for (const other of others) siblings.push({ ...alone(other), shown });
    open[depth + 1] = children;
  }
  return top;
}

const alone = (worktree: Worktree): StackRow => ({
  key: keyOf(worktree, ''),
  worktree,
  kind: 'branch',
  branch: worktree.branch,
  shown: undefined,
  children: [],
});

const keyOf = (worktree: Worktree | undefined, branch: string): string => worktree?.path ?? `branch ${branch}`;
