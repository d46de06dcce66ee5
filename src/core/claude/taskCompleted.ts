import { listed } from '../base/phrases.ts';
import { dirname, join } from 'node:path';
import { isWithin, realPathOf, relativeTo } from '../base/paths.ts';
import type { Git } from '../git/git.ts';
import { parseStatus } from '../git/status.ts';
import { idOf, isGitDir, pointerOf } from './gitPointer.ts';
import { noDecision, type HookDecision } from './hookDecision.ts';
import type { HookInput } from './hookInput.ts';
import type { FoundRoot } from './mainRoot.ts';
import type { Scope } from './scope.ts';
import { agentTranscript, editedFile, readTranscriptEnd, type ToolCall } from './transcript.ts';

/** How much of a transcript is searched for edits, in bytes. */
const searched = 8 * 1024 * 1024;
/** How many files a message names. */
const named = 10;

/** The result of the team's checks for a task; empty when they have passed, or when there are none. */
export interface TaskChecks {
  /** Why the task is not done yet: one sentence, for the log as well. */
  readonly reason?: string;
  /** What else the agent needs to know. Not for the log, since it quotes what commands have printed. */
  readonly details?: string;
  /** What the person should know although the task is done. */
  readonly notice?: string;
}

/**
 * Decides on the TaskCompleted event: the task of a worker is done when its work is committed, when it has left no changes outside its
 * worktree, and when the checks pass. `undefined` for agents that are not named after a worktree.
 *
 * @param runChecks runs the checks, if the team wants them. Called last, because it may take minutes.
 */
export async function taskCompleted(
  git: Git,
  input: HookInput,
  scope: Scope,
  runChecks: (scope: WorktreeScope) => Promise<TaskChecks> = async () => ({}),
): Promise<HookDecision | undefined> {
  if (scope.kind !== 'worktree' || scope.by !== 'agent') return undefined;
  const { worktree, root } = scope;
  const [open, outside] = await Promise.all([
    changedIn(git, worktree.path, ['--untracked-files=all'], locationOptions(worktree, root)),
    changedOutside(git, input, worktree.path, root),
  ]);
  const why = [
    ...(open.length > 0
      ? [
          `${listed(open, named)} in ${worktree.path} ${open.length === 1 ? 'is' : 'are'} not committed. Commit what belongs to the task and discard the rest.`,
        ]
      : []),
    ...(outside.length > 0
      ? [
          `You have changed ${listed(outside, named)} outside your worktree, and the change is still there. Revert it, and make it in ${worktree.path} if it belongs to the task.`,
        ]
      : []),
  ];
  const { reason, details, notice }: TaskChecks = why.length > 0 ? { reason: why.join(' ') } : await runChecks(scope);
  if (reason !== undefined) {
    const message = `The task cannot be completed yet. ${reason}${details === undefined ? '' : ` ${details}`}`;
    return { kind: 'block', reason, message };
  }
  return notice === undefined ? noDecision : { kind: 'notified', reason: notice, systemMessage: notice };
}

type WorktreeScope = Extract<Scope, { kind: 'worktree' }>;

/** The paths that differ from the last commit, relative to the worktree; none where there is no worktree any more. */
async function changedIn(
  git: Git,
  cwd: string,
  args: readonly string[],
  location: readonly string[] = [],
): Promise<string[]> {
  const status = [...location, 'status', '--porcelain=v2', '--branch', '-z', ...args];
  const answer = await git.run(status, { cwd }).catch(() => undefined);
  if (answer?.exitCode !== 0) return [];
  return parseStatus(answer.stdout).entries.map((entry) => entry.path);
}

/** Options that name the git directory of a worktree whose `.git` file still points to where the repository was before it moved. */
function locationOptions({ path }: WorktreeScope['worktree'], { commonDir }: FoundRoot): string[] {
  const pointer = pointerOf(path);
  if (pointer.kind !== 'file' || isGitDir(pointer.target)) return [];
  const id = idOf(pointer.target);
  const gitDir = join(commonDir, 'worktrees', id ?? '');
  return id !== undefined && isGitDir(gitDir) ? [`--git-dir=${gitDir}`, `--work-tree=${path}`] : [];
}

/** The files in other working trees of the repository that this worker has edited and that still differ from their commit. */
async function changedOutside(git: Git, input: HookInput, worktree: string, root: FoundRoot): Promise<string[]> {
  const { transcript_path: session, agent_id: agent } = input;
  if (session === undefined) return [];
  const calls = new Map<string, ToolCall>();
  const edited = new Set<string>();
  for await (const event of readTranscriptEnd(
    agent === undefined ? session : agentTranscript(session, agent),
    searched,
  )) {
    if (event.kind === 'call') calls.set(event.id, event);
    if (event.kind !== 'outcome' || event.failed) continue;
    const call = calls.get(event.id);
    const file = call && editedFile(call);
    if (file !== undefined) edited.add(file);
  }
  const own = await realPathOf(worktree);
  const repository = await realPathOf(root.mainRoot);
  const outside = new Map<string, string>();
  for (const file of edited) {
    const real = await realPathOf(file);
    // Git knows nothing of files outside the repository.
    if (!isWithin(own, real) && isWithin(repository, real)) outside.set(real, file);
  }
  const changed = await Promise.all(
    [...outside].map(async ([real, file]) =>
      (await changedIn(git, dirname(real), ['--', real])).length > 0 ? [relativeTo(root.mainRoot, file)] : [],
    ),
  );
  return changed.flat();
}
