import { merged } from './hubRules.ts';
import type { HubPull, HubState } from './hubState.ts';

/** The three buttons of GitHub. */
export type MergeMethod = 'merge' | 'squash' | 'rebase';

/**
 * Merges a pull request as GitHub does when somebody presses the button: for real, in the repository of the base. Where the repository
 * deletes merged branches, the pull requests into the branch get the base of the merged one, and the branch goes.
 *
 * @returns the commit that it was merged as.
 * @throws when it is not open, or does not merge cleanly.
 */
export function mergePull(state: HubState, pull: HubPull, method: MergeMethod = 'merge'): string {
  state.settle();
  const { refs } = state;
  const base = refs.get(pull.base);
  if (pull.state !== 'open' || base === undefined) throw new Error(`#${pull.number} is ${pull.state}`);
  const oid = made(state, pull, method, base);
  refs.set(pull.base, oid);
  merged(pull, oid);
  if (state.deletesMerged) deleteMerged(state, pull);
  state.settle();
  return oid;
}

/** Presses "Delete branch" at a merged pull request: what stood on it gets its base. */
export function deleteMerged(state: HubState, pull: HubPull): void {
  for (const each of state.pulls.values())
    if (each.state === 'open' && each.base === pull.head && pull.headOwner === state.owner) each.base = pull.base;
  const refs = state.is(pull.headOwner, pull.headRepo)
    ? state.refs
    : state.forks.get(`${pull.headOwner}/${pull.headRepo}`);
  refs?.delete(pull.head);
  state.settle();
}

/** Renames a branch on GitHub, the default one as well: pull requests follow, the old name is gone. */
export function renameBranch(state: HubState, from: string, to: string): void {
  const oid = state.refs.get(from);
  if (oid === undefined) throw new Error(`there is no ${from}`);
  state.refs.set(to, oid);
  if (state.defaultBranch === from) {
    state.refs.git('symbolic-ref', 'HEAD', `refs/heads/${to}`);
    state.defaultBranch = to;
  }
  for (const pull of state.pulls.values()) {
    if (pull.state !== 'open') continue;
    if (pull.base === from) pull.base = to;
    if (pull.head === from && pull.headOwner === state.owner) pull.head = to;
  }
  state.refs.delete(from);
  state.settle();
}

function made({ refs, owner }: HubState, pull: HubPull, method: MergeMethod, base: string): string {
  const byGitHub = ['-c', 'user.name=GitHub', '-c', 'user.email=noreply@github.example.com'];
  const commit = (tree: string, parents: readonly string[], message: string): string =>
    refs.git(...byGitHub, 'commit-tree', tree, ...parents.flatMap((each) => ['-p', each]), '-m', message);
  const head = pull.headOid;
  if (method === 'rebase') return replayed((...args) => refs.git(...args), byGitHub, base, head);
  const [tree = ''] = refs.git('merge-tree', '--write-tree', base, head).split('\n');
  return method === 'merge'
    ? commit(tree, [base, head], `Merge pull request #${pull.number} from ${owner}/${pull.head}\n\n${pull.title}`)
    : commit(tree, [base], `${pull.title} (#${pull.number})${pull.body === '' ? '' : `\n\n${pull.body}`}`);
}

/** Every commit of a branch made anew, one after the other. */
function replayed(git: (...args: string[]) => string, byGitHub: readonly string[], base: string, head: string): string {
  const folder = `${git('rev-parse', '--absolute-git-dir')}/replay-${process.pid}-${replays++}`;
  git('worktree', 'add', '--quiet', '--detach', folder, base);
  const there = (...args: string[]): string =>
    git(`--git-dir=${folder}/.git`, `--work-tree=${folder}`, '-C', folder, ...args);
  try {
    const own = git('rev-list', '--reverse', '--no-merges', `${base}..${head}`).split('\n').filter(Boolean);
    // Those that the base has in another form are left out, as GitHub does.
    for (const oid of own) there(...byGitHub, 'cherry-pick', '--allow-empty', '--keep-redundant-commits', oid);
    return there('rev-parse', 'HEAD');
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}
let replays = 0;
