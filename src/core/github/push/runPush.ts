import { Problem } from '../../base/problem.ts';
import type { GitAnswer } from '../../git/gitError.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { nameOn, pushedElsewhere, type Remote } from '../remotes.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import type { PushOptions } from './model.ts';
import { parsePorcelain, pushProblem, messagesOfOthers, type RefusalContext } from './refusal.ts';
import { githubMessages } from '../../messages/github.ts';

/** A branch to be pushed, and the commit that it may replace there. */
export interface PushRef extends StackedWorktree {
  readonly lease: string | undefined;
}

/** How far a push came: so many of its branches, from the first on, are there; the problem says why not all. */
export interface PushOutcome {
  readonly arrived: number;
  readonly problem: Problem | undefined;
}

/**
 * Runs `git push` for branches of one remote: all or none. A server that does not offer that gets them one after the other, each after
 * the one that it is based on, up to the first that it refuses: no branch is there without those below it.
 */
export async function runPush(
  workspace: Workspace,
  remote: Remote,
  refs: readonly PushRef[],
  context: RefusalContext,
  options: PushOptions,
): Promise<PushOutcome> {
  if (refs.length === 0) return { arrived: 0, problem: undefined };
  const together = await pushOnce(workspace, remote, refs, options);
  if (refs.length === 1 || !lacksAtomic(together)) {
    const problem = tell(together, context, options);
    return { arrived: problem ? 0 : refs.length, problem };
  }
  for (const [arrived, ref] of refs.entries()) {
    options.progress?.(githubMessages.pushing({ what: ref.worktree.name, remote: remote.name }));
    const problem = await pushOnce(workspace, remote, [ref], options).then(
      (answer) => tell(answer, context, options),
      calledOff,
    );
    if (problem) return { arrived, problem: afterOthers(problem, remote, refs.slice(0, arrived)) };
  }
  return { arrived: refs.length, problem: undefined };
}

function pushOnce(
  { git, repository }: Workspace,
  remote: Remote,
  refs: readonly PushRef[],
  { signal }: PushOptions,
): Promise<GitAnswer> {
  const leases = refs.flatMap(({ branch, lease }) =>
    lease === undefined ? [] : [`--force-with-lease=refs/heads/${nameOn(remote, branch)}:${lease}`],
  );
  // An upstream is where it is fetched from, and that place does not get the branch.
  const follows = !pushedElsewhere(remote) && refs.every(({ worktree }) => worktree.upstream === undefined);
  const upstreams = follows ? ['--set-upstream'] : [];
  const together = refs.length > 1 ? ['--atomic'] : [];
  const options = ['--porcelain', '--no-follow-tags', ...upstreams, ...leases, ...together];
  const refspecs = refs.map(({ branch }) => `refs/heads/${branch}:refs/heads/${nameOn(remote, branch)}`);
  // Hooks run in the worktree whose branch is pushed.
  const worktree = refs[0]?.worktree;
  const args = ['push', ...options, '--', remote.name, ...refspecs];
  return worktree?.condition === 'fine'
    ? git.run(args, { cwd: worktree.path, writes: true, signal })
    : git.in(repository.commonDir).run(args, { writes: true, signal });
}

/** Git's refusal before anything is sent to a server without atomic pushes. Its words are in English, as {@link Git} sees to. */
function lacksAtomic({ exitCode, stderr }: GitAnswer): boolean {
  return exitCode !== 0 && /^fatal: the receiving end does not support --atomic push/m.test(stderr);
}

/** Passes on what hooks and the server said; gives the problem, if there is one. */
function tell(answer: GitAnswer, context: RefusalContext, { onWords }: PushOptions): Problem | undefined {
  const words = messagesOfOthers(answer);
  if (words !== '') onWords?.(`${words}\n`);
  const refused = answer.exitCode !== 0 || parsePorcelain(answer.stdout).some(({ flag }) => flag === '!');
  return refused ? pushProblem(answer, context) : undefined;
}

/** What has arrived before somebody called it off stays, and is recorded. */
function calledOff(thrown: unknown): Problem {
  if (Problem.is(thrown)) return thrown;
  throw thrown;
}

function afterOthers(problem: Problem, remote: Remote, before: readonly PushRef[]): Problem {
  if (before.length === 0) return problem;
  const names = before.map(({ worktree }) => worktree.name).join(', ');
  const { reason, what, nextStep, items, outcome } = problem;
  return new Problem(reason, githubMessages.pushedBefore({ count: before.length, what, names, remote: remote.name }), {
    next: nextStep,
    items,
    outcome,
  });
}
