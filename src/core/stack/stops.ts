import { Problem } from '../base/problem.ts';
import { quoted } from '../worktrees/quoted.ts';
import { readRecord } from '../worktrees/read/worktreeRecord.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import { changeEntries } from './apply.ts';
import { writeOperation, type Operation, type Stop } from '../worktrees/operationLog.ts';
import { rebaseArgs } from './rebaseAside.ts';
import { resolveNotes } from './resolveNotes.ts';

/** What became of the rebase of a branch in its own worktree. */
export interface Driven {
  readonly operation: Operation;
  /** Where it waits for a person. */
  readonly stopped?: Stop;
  /** The branch is rebased. */
  readonly finished?: { readonly branch: string; readonly to: string };
  /** The person has ended the rebase with git, so that the branch is where it was. */
  readonly givenUp?: boolean;
}

/**
 * Starts the rebase that an operation has stopped for, goes on with it or skips a commit of it, and looks how that ended. Killed in
 * between, the same can be asked again.
 *
 * @throws Problem `in-use` when the branch has been moved elsewhere meanwhile.
 */
export async function driveStop(
  workspace: Workspace,
  operation: Operation,
  step: 'start' | 'continue' | 'skip',
  signal: AbortSignal | undefined,
): Promise<Driven> {
  const { git } = workspace;
  const { stop } = operation;
  if (!stop) return { operation };
  const here = { cwd: stop.path, writes: true, signal };
  let at = operation;
  if (!stop.started) {
    at = await note(workspace, at, { ...stop, started: true });
    const answer = await git.run(rebaseArgs(stop), here);
    if (answer.exitCode !== 0 && !(await isUnderWay(stop))) {
      await note(workspace, at, { ...stop, started: false });
      throw notBegun(stop, answer.stderr);
    }
  } else if ((await readRecord(stop.gitDir)).operation === 'rebase' && step !== 'start') {
    if (step === 'continue') await refuseUnmerged(workspace, stop);
    const answer = await git.run(['rebase', `--${step}`], here);
    if (answer.exitCode !== 0 && (await unmerged(workspace, stop)).length === 0 && (await isUnderWay(stop))) {
      throw new Problem('git-failed', `The rebase of ${stop.name} could not go on.`, {
        next: stop.unsigned
          ? signatureSteps(stop)
          : `see what git says in ${stop.path}, then run \`wt rebase ${quoted(stop.name)} --continue\``,
        items: answer.stderr.trim().split('\n').slice(0, 20),
        outcome: 'incomplete',
      });
    }
  }
  await settleNotes(workspace, stop, signal);
  if (await isUnderWay(stop)) {
    const stopped = { ...stop, started: true, files: await unmerged(workspace, stop) };
    return { operation: await note(workspace, at, stopped), stopped };
  }
  return finish(workspace, at, stop);
}

/** Where git has stopped for nothing but session files that take no person, the rebase goes on by itself. */
async function settleNotes(workspace: Workspace, stop: Stop, signal: AbortSignal | undefined): Promise<void> {
  while (await isUnderWay(stop)) {
    const resolved = await resolveNotes(workspace, stop.path, signal);
    if (resolved.length === 0 || (await unmerged(workspace, stop)).length > 0) return;
    await workspace.git.run(['rebase', '--continue'], { cwd: stop.path, writes: true, signal });
  }
}

/** The rebase is not under way any more: it is done, or somebody has ended it. */
async function finish(workspace: Workspace, operation: Operation, stop: Stop): Promise<Driven> {
  const { git, repository } = workspace;
  const at = { cwd: repository.commonDir };
  const inGit = `--git-dir=${repository.commonDir}`;
  const to = await git.line([inGit, 'rev-parse', '--verify', '--quiet', `refs/heads/${stop.branch}`], at);
  if (to === stop.from) return { operation, givenUp: true };
  const onBase =
    to !== undefined && (await git.run([inGit, 'merge-base', '--is-ancestor', stop.onto, to], at)).exitCode === 0;
  if (!onBase) {
    throw new Problem('in-use', `${stop.branch} was moved elsewhere meanwhile, so the operation cannot go on.`, {
      next: `\`wt rebase ${quoted(stop.name)} --abort\` takes back what it has done to the other branches`,
      outcome: 'incomplete',
    });
  }
  if (stop.entry) await changeEntries(workspace, [stop.entry]);
  const move = { branch: stop.branch, from: stop.from, to, worktrees: [{ path: stop.path, gitDir: stop.gitDir }] };
  const next: Operation = {
    ...operation,
    state: operation.remaining.length > 0 ? 'stopped' : 'done',
    moves: [...operation.moves, move],
    entries: [...operation.entries, ...(stop.entry ? [stop.entry] : [])],
    stop: undefined,
  };
  await writeOperation(workspace, next);
  return { operation: next, finished: { branch: stop.branch, to } };
}

async function note(workspace: Workspace, operation: Operation, stop: Stop): Promise<Operation> {
  const noted: Operation = { ...operation, stop };
  await writeOperation(workspace, noted);
  return noted;
}

async function isUnderWay(stop: Stop): Promise<boolean> {
  return (await readRecord(stop.gitDir)).operation === 'rebase';
}

/** Such as when a hook refuses, or an untracked file is in the way. */
function notBegun(stop: Stop, words: string): Problem {
  const name = quoted(stop.name);
  return new Problem('git-failed', `Git could not begin the rebase of ${stop.name} in ${stop.path}.`, {
    next: `see to what it says, then run \`wt rebase ${name} --continue\`, or \`--abort\` to take all of it back`,
    items: words.trim().split('\n').slice(0, 20),
    outcome: 'incomplete',
  });
}

/** The files that are still in conflict. */
export async function unmerged({ git }: Workspace, stop: Stop): Promise<string[]> {
  const args = ['diff', '--name-only', '--diff-filter=U', '-z'];
  const { stdout } = await git.run(args, { cwd: stop.path });
  return stdout.split('\0').filter((file) => file !== '');
}

async function refuseUnmerged(workspace: Workspace, stop: Stop): Promise<void> {
  const files = await unmerged(workspace, stop);
  if (files.length === 0) return;
  throw conflictProblem(stop, files);
}

/** A terminal of the person's own can be asked for a passphrase. */
function signatureSteps({ name, path }: Stop): string {
  return `run \`git rebase --continue\` in a terminal in ${path}, where your key can be unlocked, then \`wt rebase ${quoted(name)} --continue\`; or \`--abort\` all of it`;
}

/** What a person is told about a conflict: where it is, and how to go on. */
export function conflictProblem(stop: Stop, files: readonly string[] = stop.files): Problem {
  const name = quoted(stop.name);
  if (stop.unsigned && files.length === 0) {
    return new Problem('git-failed', `${stop.name} has stopped in ${stop.path}: its commits could not be signed.`, {
      next: signatureSteps(stop),
      outcome: 'incomplete',
    });
  }
  const count = files.length === 1 ? 'a conflict' : `${files.length} conflicts`;
  return new Problem('conflicts', `${stop.name} has ${files.length === 0 ? 'stopped' : count} in ${stop.path}.`, {
    next: `resolve the files there and \`git add\` them (session files: \`wt resolve\`), then \`wt rebase ${name} --continue\`; or \`--skip\` the commit, or \`--abort\` all of it`,
    items: files,
    outcome: 'incomplete',
  });
}
