import { chdir } from 'node:process';
import type { Environment } from '../core/base/environment.ts';
import { realPathOf } from '../core/base/paths.ts';
import { Problem } from '../core/base/problem.ts';
import type { HookDecision } from '../core/claude/hookDecision.ts';
import { findMainRoot, type FoundRoot } from '../core/claude/mainRoot.ts';
import { Git } from '../core/git/git.ts';
import { readConfiguration } from '../core/repository/configuration.ts';
import { locate } from '../core/repository/identity.ts';
import { readActive, writeActive } from '../core/repository/stateFile.ts';
import type { Programs } from '../core/repository/launchers.ts';
import { removeWithHooks } from '../core/remove/removeWithHooks.ts';
import { switchTo } from '../core/hooks/switchTo.ts';
import { withSum } from '../core/remove/ignoredLabels.ts';
import { keptForDays } from '../core/operations/keptFolder.ts';
import { createWorktree } from '../core/create/create.ts';
import { findWorktree } from '../core/worktree/find.ts';
import { recoverInterrupted } from '../core/recovery/recover.ts';
import type { Worktree } from '../core/worktree/model.ts';
import { inspectRemoval, type Removal } from '../core/remove/inspect.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import { agentFinder } from './agentsIn.ts';
import type { HookCall } from './hookCall.ts';
import { deleteInBackground } from './programs.ts';
import { textOf } from '../core/messages/message.ts';

/** The names that Claude Code gives to the worktrees of isolated agents. These never become the active worktree. */
const isolated = /^agent-[0-9a-z]+$/;

/**
 * Creates the worktree of a WorktreeCreate event: `claude --worktree x`, the tool EnterWorktree and isolated agents get a worktree like
 * any other, with its registry entry, agent, launchers and ignored files. An existing worktree of that name is used again, and becomes the
 * active one.
 *
 * @returns the path as the last line of the output; when it has failed, nothing was created.
 */
export async function createForClaude({ host, input }: HookCall): Promise<HookDecision> {
  const { name } = input;
  const { environment, commands: programs } = host;
  if (name === undefined || name === '') return failed('Claude Code gave no name for the worktree.', name);
  try {
    const workspace = await openFor(environment, input.cwd ?? environment.cwd);
    const { repository } = workspace;
    const known = await findKnown(workspace, name);
    if (known) {
      const message = isolated.test(name) ? '' : await enter(workspace, known, programs);
      return { kind: 'done', output: `${known.path}\n`, message, detail: name };
    }
    const active = isolated.test(name) ? await readActive(repository).catch(() => undefined) : undefined;
    const setupOutput: string[] = [];
    const created = await createWorktree(
      workspace,
      { name, runSetup: 'approved', createdBy: 'claude' },
      { programs, onSetupOutput: (text) => setupOutput.push(text), onHookOutput: (text) => setupOutput.push(text) },
    );
    if (active) await writeActive(environment, repository, active);
    const { setup, warnings } = created;
    const notes = [
      ...warnings.map((each) => textOf(each)),
      ...(setup.next === undefined ? [] : [`Setup was not run: ${setup.next}.`]),
    ];
    const message = [...setupOutput, ...notes].map((each) => `${each.trimEnd()}\n`).join('');
    return { kind: 'done', output: `${created.path}\n`, message, detail: name };
  } catch (thrown) {
    return failed(`No worktree was created for ${JSON.stringify(name)}. ${describe(thrown)}`, name);
  }
}

/** Makes a worktree that a session enters the active one. Returns what to say where that failed: the session goes there all the same. */
async function enter(workspace: Workspace, worktree: Worktree, programs: Programs): Promise<string> {
  const said: string[] = [];
  try {
    const { notes } = await switchTo(workspace, worktree, { programs, onHookOutput: (text) => said.push(text) });
    return [...said, ...notes.map((each) => `${textOf(each)}\n`)].join('');
  } catch (thrown) {
    return `${describe(thrown)}\n`;
  }
}

/**
 * Removes the worktree of a WorktreeRemove event by the same rules as `wt cleanup`: a worktree with work that is nowhere else stays, and
 * the message names that work. The branch stays unless its work is merged.
 */
export async function removeForClaude({ host, input }: HookCall): Promise<HookDecision> {
  const { environment, commands } = host;
  const detail = input.name ?? input.worktree_path;
  const path = input.worktree_path ?? input.cwd ?? environment.cwd;
  try {
    const root = await findMainRoot(path);
    // The hook runs in the worktree that it removes, or in one that is already gone.
    if (!root) return failed(`${path} is no worktree any more.`, detail);
    chdir(root.mainRoot);
    const workspace = await openFor({ ...environment, cwd: root.mainRoot }, root.mainRoot, root);
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    const worktree = await findWorktree(snapshot, path, root.mainRoot);
    const agents = await agentFinder(workspace)(worktree);
    const removal = await inspectRemoval(workspace, snapshot, worktree, { agents });
    const said: string[] = [];
    const again = async (): Promise<Removal> => {
      const now = await readSnapshot(workspace, { withChanges: false });
      const same = await findWorktree(now, path, root.mainRoot);
      return inspectRemoval(workspace, now, same, { agents: await agentFinder(workspace)(same) });
    };
    const done = await removeWithHooks(workspace, removal, again, {
      programs: commands,
      onHookOutput: (text) => said.push(text),
      lookLater: true,
      // `wt undo` is about what the person did last, not about agents that end at any time.
      remember: false,
      deleteLater: (folder) => deleteInBackground(environment, commands, folder),
    });
    const branch = done.branchKept ? ` Its branch ${done.branchKept.name} stays: ${textOf(done.branchKept.why)}.` : '';
    const kept = done.ignored.kept
      ? ` What git ignores there is kept for ${keptForDays} days in ${done.ignored.kept.folder ?? ''}: ${withSum(done.ignored.kept.entries)}.`
      : '';
    const refs = done.backups.map(({ what, ref }) => ` Kept in ${ref}: ${textOf(what)}.`).join('');
    const hooks = done.hooks.length === 0 ? '' : done.notes.map((each) => ` ${textOf(each)}`).join('');
    return {
      kind: 'done',
      output: '',
      message: `${said.join('')}Removed ${done.name}.${branch}${refs}${kept}${hooks}\n`,
      detail,
    };
  } catch (thrown) {
    return failed(`${path} was not removed. ${describe(thrown)}`, detail);
  }
}

/**
 * Opens the repository that holds a folder, as commands do.
 *
 * @param here the working tree that the session is in, if known.
 */
export async function openFor(environment: Environment, folder: string, here?: FoundRoot): Promise<Workspace> {
  const git = new Git(environment);
  const { repository } = await locate(git, folder);
  const configuration = await readConfiguration(repository.mainRoot);
  const location =
    here?.id === undefined ? undefined : { gitDir: await realPathOf(here.gitDir), root: here.worktreeRoot };
  const workspace: Workspace = {
    environment: { ...environment, cwd: folder },
    git,
    repository,
    configuration,
    here: location,
  };
  await recoverInterrupted(workspace);
  return workspace;
}

/** The intact worktree of exactly this name; a slug or branch of that name does not count. */
async function findKnown(workspace: Workspace, name: string): Promise<Worktree | undefined> {
  const { worktrees } = await readSnapshot(workspace, { withChanges: false });
  return worktrees.find((each) => !each.main && each.name === name && each.condition === 'fine');
}

function failed(reason: string, detail: string | undefined): HookDecision {
  return { kind: 'failed', reason, detail };
}

function describe(thrown: unknown): string {
  if (!Problem.is(thrown)) return String(thrown);
  const next = thrown.next === undefined ? [] : [`Next: ${thrown.next}`];
  return [thrown.message, ...next, ...thrown.items.map((item) => `  ${item}`)].join('\n');
}
