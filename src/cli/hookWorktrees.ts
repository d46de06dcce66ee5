import { chdir } from 'node:process';
import type { Environment } from '../core/base/environment.ts';
import { realPathOf } from '../core/base/paths.ts';
import { Problem } from '../core/base/problem.ts';
import { silence, type HookAnswer } from '../core/claude/hookAnswer.ts';
import type { HookInput } from '../core/claude/hookInput.ts';
import { findMainRoot, type FoundRoot } from '../core/claude/mainRoot.ts';
import { Git } from '../core/git/git.ts';
import { readConfiguration } from '../core/repository/configuration.ts';
import { locate } from '../core/repository/identity.ts';
import type { Programs } from '../core/repository/launchers.ts';
import { readActive, writeActive } from '../core/repository/stateFile.ts';
import { removeWorktree } from '../core/remove/remove.ts';
import { withSum } from '../core/remove/ignoredLabels.ts';
import { keptForDays } from '../core/remove/keptFolder.ts';
import { createWorktree } from '../core/create/create.ts';
import { findWorktree } from '../core/worktree/find.ts';
import { mendInterrupted } from '../core/recovery/recover.ts';
import type { Worktree } from '../core/worktree/model.ts';
import { inspectRemoval } from '../core/remove/inspect.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import { agentFinder } from './agentsIn.ts';
import { deleteInBackground } from './programs.ts';

/** What Claude Code calls the worktree of an isolated agent, which nobody is to be led back to. */
const isolated = /^agent-[0-9a-z]+$/;

/**
 * Answers the WorktreeCreate hook: `claude --worktree x`, the tool EnterWorktree and isolated agents get a worktree like any other,
 * with its registry entry, agent, launchers and ignored files. One of that name is entered again.
 *
 * @returns the path as the last line of the output; with exit code 1 nothing was made.
 */
export async function createForClaude(
  environment: Environment,
  input: HookInput,
  programs: Programs,
): Promise<HookAnswer> {
  const { name } = input;
  if (name === undefined || name === '') return failed('Claude Code did not say what the worktree is to be called.');
  try {
    const workspace = await openFor(environment, input.cwd ?? environment.cwd);
    const { repository } = workspace;
    const known = await findKnown(workspace, name);
    if (known) return { ...silence, output: `${known.path}\n` };
    const active = isolated.test(name) ? await readActive(repository).catch(() => undefined) : undefined;
    const said: string[] = [];
    const created = await createWorktree(
      workspace,
      { name, runSetup: 'approved', createdBy: 'claude' },
      { programs, onSetupOutput: (text) => said.push(text) },
    );
    if (active) await writeActive(environment, repository, active);
    const { setup, warnings } = created;
    const notes = [...warnings, ...(setup.next === undefined ? [] : [`Setup was not run: ${setup.next}.`])];
    return {
      output: `${created.path}\n`,
      message: [...said, ...notes].map((each) => `${each.trimEnd()}\n`).join(''),
      exitCode: 0,
    };
  } catch (thrown) {
    return failed(`No worktree was made for ${JSON.stringify(name)}. ${wordsOf(thrown)}`);
  }
}

/**
 * Answers the WorktreeRemove hook by the same rules as `wt cleanup`: a worktree that holds work which is nowhere else stays, and what
 * there is gets named. The branch stays unless its work has landed.
 */
export async function removeForClaude(
  environment: Environment,
  input: HookInput,
  programs: Programs,
): Promise<HookAnswer> {
  const path = input.worktree_path ?? input.cwd ?? environment.cwd;
  try {
    const root = await findMainRoot(path);
    // The hook stands in the worktree that is to go, or in one that has gone already.
    if (!root) return failed(`${path} is no worktree any more.`);
    chdir(root.mainRoot);
    const workspace = await openFor({ ...environment, cwd: root.mainRoot }, root.mainRoot, root);
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    const worktree = await findWorktree(snapshot, path, root.mainRoot);
    const agents = await agentFinder(workspace)(worktree);
    const removal = await inspectRemoval(workspace, snapshot, worktree, { agents });
    const done = await removeWorktree(workspace, removal, {
      lookLater: true,
      // Agents end when they like; `wt undo` is about what the person did last.
      remember: false,
      deleteLater: (folder) => deleteInBackground(environment, programs, folder),
    });
    const branch = done.branchKept ? ` Its branch ${done.branchKept.name} stays: ${done.branchKept.why}.` : '';
    const kept = done.ignored.kept
      ? ` What git ignores there is kept for ${keptForDays} days in ${done.ignored.kept.folder ?? ''}: ${withSum(done.ignored.kept.entries)}.`
      : '';
    const refs = done.backups.map(({ what, ref }) => ` Kept in ${ref}: ${what}.`).join('');
    return { ...silence, message: `Removed ${done.name}.${branch}${refs}${kept}\n` };
  } catch (thrown) {
    return failed(`${path} was not removed. ${wordsOf(thrown)}`);
  }
}

/**
 * Opens the repository that holds a folder, as commands do.
 *
 * @param here the working tree that the session stands in, where that is known.
 */
export async function openFor(environment: Environment, folder: string, here?: FoundRoot): Promise<Workspace> {
  const git = new Git(environment);
  const { repository } = await locate(git, folder);
  const configuration = await readConfiguration(repository.mainRoot);
  const place = here?.id === undefined ? undefined : { gitDir: await realPathOf(here.gitDir), root: here.worktreeRoot };
  const workspace: Workspace = {
    environment: { ...environment, cwd: folder },
    git,
    repository,
    configuration,
    here: place,
  };
  await mendInterrupted(workspace);
  return workspace;
}

/** The worktree that has this very name and is in order; a slug or a branch of the same words is another one. */
async function findKnown(workspace: Workspace, name: string): Promise<Worktree | undefined> {
  const { worktrees } = await readSnapshot(workspace, { withChanges: false });
  return worktrees.find((each) => !each.main && each.name === name && each.condition === 'fine');
}

function failed(message: string): HookAnswer {
  return { output: '', message: `${message}\n`, exitCode: 1 };
}

function wordsOf(thrown: unknown): string {
  if (!Problem.is(thrown)) return String(thrown);
  const next = thrown.next === undefined ? [] : [`Next: ${thrown.next}`];
  return [thrown.message, ...next, ...thrown.items.map((item) => `  ${item}`)].join('\n');
}
