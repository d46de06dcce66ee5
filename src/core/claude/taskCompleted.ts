import { dirname, join, relative } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import type { Git } from '../git/git.ts';
import { parseStatus } from '../git/status.ts';
import { idOf, isGitDir, pointerOf } from './gitPointer.ts';
import { answerWith, block, silence, type HookAnswer } from './hookAnswer.ts';
import type { HookInput } from './hookInput.ts';
import { noteInLog } from './hookLog.ts';
import type { FoundRoot } from './mainRoot.ts';
import type { Scope } from './scope.ts';
import { agentTranscript, editedFile, readTranscriptEnd, type ToolCall } from './transcript.ts';

/** As much of a transcript as is searched for edits, in bytes. */
const searched = 8 * 1024 * 1024;
/** So many files are named. */
const named = 10;

/** What the team's checks say of a task; nothing when they have passed, or none are wanted. */
export interface TaskGate {
  /** Why the task is not done yet: one sentence, for the log as well. */
  readonly reason?: string;
  /** What the agent needs to know beyond that; not for the log, since it quotes what programs have printed. */
  readonly details?: string;
  /** What the person should know although the task is done. */
  readonly notice?: string;
}

/**
 * Answers the TaskCompleted hook: the task of a worker is done when its work is committed, when it has left nothing changed outside
 * its worktree, and when the checks pass. Whoever is not called after a worktree is none of our business.
 *
 * @param gate runs the checks, if the team wants them; asked only when nothing else is open, because that may take minutes.
 */
export async function taskCompleted(
  environment: Environment,
  git: Git,
  input: HookInput,
  scope: Scope,
  gate: (scope: WorktreeScope) => Promise<TaskGate> = async () => ({}),
): Promise<HookAnswer> {
  if (scope.kind !== 'worktree' || scope.by !== 'agent') return silence;
  const { worktree, root } = scope;
  const [open, outside] = await Promise.all([
    changedIn(git, worktree.path, ['--untracked-files=all'], placeIn(worktree, root)),
    changedOutside(git, input, worktree.path, root),
  ]);
  const why = [
    ...(open.length > 0
      ? [
          `${listed(open)} in ${worktree.path} ${open.length === 1 ? 'is' : 'are'} not committed. Commit what belongs to the task and take back the rest.`,
        ]
      : []),
    ...(outside.length > 0
      ? [
          `You have changed ${listed(outside)} outside your worktree, and the change is still there. Take it back, and make it in ${worktree.path} if it belongs to the task.`,
        ]
      : []),
  ];
  const { reason, details, notice }: TaskGate = why.length > 0 ? { reason: why.join(' ') } : await gate(scope);
  if (reason !== undefined) {
    await noteInLog(environment, input, scope, { decision: 'block', reason });
    return block(`The task cannot be completed yet. ${reason}${details === undefined ? '' : ` ${details}`}`);
  }
  await noteInLog(environment, input, scope, { decision: notice === undefined ? 'none' : 'told', reason: notice });
  return notice === undefined ? silence : answerWith({ systemMessage: notice });
}

type WorktreeScope = Extract<Scope, { kind: 'worktree' }>;

/** The paths that differ from the last commit, relative to the worktree; none where there is no worktree any more. */
async function changedIn(
  git: Git,
  cwd: string,
  args: readonly string[],
  place: readonly string[] = [],
): Promise<string[]> {
  const status = [...place, 'status', '--porcelain=v2', '--branch', '-z', ...args];
  const answer = await git.run(status, { cwd }).catch(() => undefined);
  if (answer?.exitCode !== 0) return [];
  return parseStatus(answer.stdout).entries.map((entry) => entry.path);
}

/** Tells git where its directory of a worktree is, as long as the `.git` file still leads to where the repository was. */
function placeIn({ path }: WorktreeScope['worktree'], { commonDir }: FoundRoot): string[] {
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
    // What lies outside of the repository altogether, git cannot tell anything about.
    if (!isWithin(own, real) && isWithin(repository, real)) outside.set(real, file);
  }
  const changed = await Promise.all(
    [...outside].map(async ([real, file]) =>
      (await changedIn(git, dirname(real), ['--', real])).length > 0 ? [relative(root.mainRoot, file)] : [],
    ),
  );
  return changed.flat();
}

function listed(files: readonly string[]): string {
  const rest = files.length - named;
  return rest > 0 ? `${files.slice(0, named).join(', ')} and ${rest} more` : files.join(', ');
}
