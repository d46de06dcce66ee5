import { Problem } from '../base/problem.ts';
import { readCommits, type CommitObject } from '../git/commitObject.ts';
import type { GitAnswer } from '../git/gitError.ts';
import { holdsNothingOf } from '../git/mergedIndex.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import { quoted } from '../base/quoted.ts';
import { readAdminDirState } from '../remove/adminDirState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { changeEntries } from './apply.ts';
import { rememberOperation } from '../operations/store.ts';
import type { Operation, Stop } from '../operations/operation.ts';
import { commitResolved } from './commitResolved.ts';
import { encodingArgs, overridesFor } from './commitSettings.ts';
import { followSubmodules } from '../checkout/followSubmodules.ts';
import { refuseLocked } from '../checkout/indexLock.ts';
import { rebaseInPlace } from './rebaseInPlace.ts';
import { rebaseArgs, rebaseSettings } from './rebaseInTempWorktree.ts';
import { resolveNotes } from './resolveNotes.ts';
import { stopAtNotes } from './stopAtNotes.ts';
import { conflictProblem, couldNotContinue, notStarted, nothingMerged } from './stopProblems.ts';
import { restackMessages } from '../messages/restack.ts';
import { withoutRepeated, type Message } from '../messages/message.ts';

/** The result of a step of a rebase in the branch's own worktree. */
export interface AdvancedRebase {
  readonly operation: Operation;
  /** Where it waits for a person. */
  readonly stopped?: Stop;
  /** The branch is rebased. */
  readonly finished?: { readonly branch: string; readonly to: string };
  /** The person has aborted the rebase with git, so the branch did not move. */
  readonly givenUp?: boolean;
}

/**
 * Starts or continues the rebase that an operation has stopped for, or skips a commit of it, and checks the result. Can be repeated after
 * a crash.
 *
 * @throws Problem `in-use` when the branch has been moved elsewhere meanwhile.
 */
export async function advanceRebase(
  workspace: Workspace,
  operation: Operation,
  step: 'start' | 'continue' | 'skip',
  signal: AbortSignal | undefined,
): Promise<AdvancedRebase> {
  const { git } = workspace;
  const { stop } = operation;
  if (!stop) return { operation };
  await refuseLocked(workspace, stop, restackMessages.couldNotContinueRebase({ stopName: stop.name }));
  let at = operation;
  let fresh = true;
  if (!stop.started) {
    const settings = [
      ...(await overridesFor(workspace, stop, signal)),
      ...encodingArgs(await ownCommits(workspace, stop, signal)),
    ];
    at = await note(workspace, at, { ...stop, started: true, settings });
    const args = [...settings, ...(await notesSettings(workspace, stop)), ...rebaseArgs(stop)];
    const answer = await rebaseInPlace(workspace, stop, { args, kind: 'begin', signal }).catch(
      async (thrown: unknown) => {
        if (!(await isUnderWay(stop))) await note(workspace, at, { ...stop, started: false });
        throw thrown;
      },
    );
    if (answer.exitCode !== 0 && !(await isUnderWay(stop))) {
      await note(workspace, at, { ...stop, started: false });
      throw notStarted(stop, answer.stderr);
    }
  } else if ((await readAdminDirState(stop.gitDir)).operation === 'rebase' && step !== 'start') {
    if (step === 'continue') {
      await refuseUnmerged(workspace, stop);
      if (stop.merges) await refuseNothingMerged(workspace, stop);
    }
    const answer = await continueInGit(workspace, stop, step, signal);
    if (answer.exitCode !== 0 && (await unmerged(workspace, stop)).length === 0 && (await isUnderWay(stop))) {
      throw couldNotContinue(stop, answer.stderr.trim().split('\n'));
    }
  } else {
    fresh = false;
  }
  await settleNotes(workspace, at.stop ?? stop, fresh, signal);
  if (await isUnderWay(stop)) {
    const head = await git.line(['rev-parse', 'HEAD'], { cwd: stop.path });
    const files = await unmerged(workspace, stop);
    const stopped = { ...(at.stop ?? stop), started: true, files, head };
    // The next commit must not revert a submodule.
    const notes = head === undefined ? [] : await followingStop(workspace, stop, head, files);
    return { operation: await note(workspace, withNotes(at, notes), stopped), stopped };
  }
  return finish(workspace, at, stop);
}

/** Continues the rebase as git would, but keeps the message of a resolved commit. */
async function continueInGit(
  workspace: Workspace,
  stop: Stop,
  step: 'continue' | 'skip',
  signal: AbortSignal | undefined,
): Promise<GitAnswer> {
  const { settings = [] } = stop;
  if (step === 'continue') {
    await commitResolved(workspace, stop, settings, signal).catch((thrown: unknown) => {
      if (!Problem.is(thrown, 'git-failed')) throw thrown;
      throw couldNotContinue(stop, [thrown.message, ...thrown.items]);
    });
  }
  const args = [...settings, ...(await notesSettings(workspace, stop)), ...rebaseSettings, 'rebase', `--${step}`];
  return rebaseInPlace(workspace, stop, { args, kind: 'go on', signal });
}

/** Merges that are made anew have two sides of their own, which are not a commit and its new base. */
const notesSettings = (workspace: Workspace, stop: Stop): Promise<readonly string[]> =>
  stop.merges ? Promise.resolve([]) : stopAtNotes(workspace, stop.path);

/** Continues the rebase when git has stopped only for session files that can be merged automatically. */
async function settleNotes(
  workspace: Workspace,
  stop: Stop,
  fresh: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let again = fresh; await isUnderWay(stop); again = true) {
    const resolved = await resolveNotes(workspace, stop.path, { fresh: again }, signal);
    if (resolved.length === 0 || (await unmerged(workspace, stop)).length > 0) return;
    const head = await workspace.git.line(['rev-parse', 'HEAD'], { cwd: stop.path });
    await continueInGit(workspace, { ...stop, head }, 'continue', signal);
  }
}

/** The rebase is over: finished, or aborted by the person. */
async function finish(workspace: Workspace, operation: Operation, stop: Stop): Promise<AdvancedRebase> {
  const { git, repository } = workspace;
  const to = await git.in(repository.commonDir).line(['rev-parse', '--verify', '--quiet', `refs/heads/${stop.branch}`]);
  if (to === stop.from) return { operation, givenUp: true };
  const onBase = to !== undefined && (await git.in(repository.commonDir).isAncestor(stop.onto, to));
  if (!onBase) {
    throw new Problem('in-use', restackMessages.movedMeantimeOperation({ stopBranch: stop.branch }), {
      next: restackMessages.abortRollsBack({ stopName: quoted(stop.name) }),
      outcome: 'incomplete',
    });
  }
  if (stop.entry) await changeEntries(workspace, [stop.entry]);
  const notes = await followingStop(workspace, stop, to);
  const move = { branch: stop.branch, from: stop.from, to, worktrees: [{ path: stop.path, gitDir: stop.gitDir }] };
  const next: Operation = {
    ...withNotes(operation, notes),
    state: operation.remaining.length > 0 ? 'stopped' : 'done',
    moves: [...operation.moves, move],
    entries: [...operation.entries, ...(stop.entry ? [stop.entry] : [])],
    stop: undefined,
  };
  await rememberOperation(workspace, next);
  return { operation: next, finished: { branch: stop.branch, to } };
}

/** The commits to be rebased, found cheaply: for the encoding of their messages. */
async function ownCommits(
  { git, repository }: Workspace,
  { from, upstream, onto }: Stop,
  signal: AbortSignal | undefined,
): Promise<CommitObject[]> {
  const args = ['rev-list', from, `^${upstream}`, `^${onto}`];
  const list = await git.in(repository.commonDir).line(args, { signal });
  return [...(await readCommits(git, repository.commonDir, list?.split('\n') ?? [], signal)).values()];
}

/** Lets the submodules of a stopped rebase's worktree follow; which of them have not. */
export function followingStop(
  workspace: Workspace,
  stop: Stop,
  to: string,
  except: readonly string[] = [],
): Promise<Message[]> {
  const from = [stop.from, stop.onto, ...(stop.head === undefined ? [] : [stop.head])];
  return followSubmodules(workspace, stop, { from, to, branch: stop.branch, except });
}

/** An operation with further notes for the person. */
export function withNotes(operation: Operation, notes: readonly Message[]): Operation {
  const all = withoutRepeated([...(operation.notes ?? []), ...notes]);
  return all.length === 0 ? operation : { ...operation, notes: all };
}

async function note(workspace: Workspace, operation: Operation, stop: Stop): Promise<Operation> {
  const noted: Operation = { ...operation, stop };
  await rememberOperation(workspace, noted);
  return noted;
}

async function isUnderWay(stop: Stop): Promise<boolean> {
  return (await readAdminDirState(stop.gitDir)).operation === 'rebase';
}

/** The files that are still in conflict. */
function unmerged({ git }: Workspace, stop: Stop): Promise<string[]> {
  const args = ['diff', '--name-only', '--diff-filter=U', '-z'];
  return git.nul(args, { cwd: stop.path });
}

/** When the rebase has stopped at a merge, a commit with nothing of the other side would lose all of that side. */
async function refuseNothingMerged({ git, configuration }: Workspace, stop: Stop): Promise<void> {
  const here = { cwd: stop.path };
  const [ours, theirs] = await Promise.all(
    ['HEAD', 'MERGE_HEAD'].map((name) => git.line(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], here)),
  );
  if (ours === undefined || theirs === undefined) return;
  const apart = sessionPaths({ configuration }).map(({ path }) => path);
  if (await holdsNothingOf(git, here, { ours, theirs, apart, seen: true })) throw nothingMerged(stop, theirs);
}

async function refuseUnmerged(workspace: Workspace, stop: Stop): Promise<void> {
  const files = await unmerged(workspace, stop);
  if (files.length === 0) return;
  throw conflictProblem(stop, files);
}
