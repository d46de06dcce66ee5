import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { runInShell } from '../base/shell.ts';
import { approve, isApproved } from '../repository/approvals.ts';
import type { Progress } from '../worktree/model.ts';
import { quoted } from '../base/quoted.ts';
import { programVariables } from '../worktree/programVariables.ts';
import { withVariables, type Described } from '../worktree/variables.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { createMessages } from '../messages/create.ts';
import { textOf, type Message } from '../messages/message.ts';

/** What is known about the setup of a worktree before it runs. */
export interface SetupPlan {
  /** The team's configured commands, in order; empty when none are configured. */
  readonly commands: readonly string[];
  /** The user has approved exactly these commands in this repository. True when there are none. */
  readonly approved: boolean;
  /** Without configured commands: those that the repository's files suggest. They are never run by themselves. */
  readonly suggested: readonly string[];
  /** Why it could not be found out whether they are approved; they count as not approved then. */
  readonly trouble?: Message;
}

/**
 * How the setup of a worktree went. `none`: nothing is configured; `done`: all commands ran; `unapproved`: they wait for
 * the user's approval; `skipped`: the caller did not want it. A command that fails is a problem, not an outcome.
 */
export interface SetupOutcome extends SetupPlan {
  readonly state: 'none' | 'done' | 'unapproved' | 'skipped';
  /** The command that a person runs to go on, such as `wt setup x --approve`; `undefined` when there is nothing to do. */
  readonly next: string | undefined;
}

/** How setup commands are run and watched. */
export interface SetupOptions {
  /** Approve the commands for this user first, as `wt setup --approve` does. */
  readonly approve?: boolean;
  /** Asked when the commands are not approved; giving true approves them. Without it they are not run. */
  readonly approveSetup?: ((commands: readonly string[]) => Promise<boolean>) | undefined;
  /** Gets what the commands print, as it comes. */
  readonly onSetupOutput?: ((text: string) => void) | undefined;
  readonly progress?: Progress | undefined;
  /** Ends the running command and everything that it has started. */
  readonly signal?: AbortSignal | undefined;
}

/** A worktree as setup sees it: its name for sentences, its absolute path to run in, and what its commands are told of it. */
export type SetupPlace = Described;

/** Files that tell how a repository is made ready. Of several that say the same only one counts. */
const suggestions: readonly (readonly [command: string, ...files: string[]])[] = [
  ['uv sync', 'uv.lock'],
  ['poetry install', 'poetry.lock'],
  ['pnpm install --frozen-lockfile', 'pnpm-lock.yaml'],
  ['yarn install', 'yarn.lock'],
  ['bun install --frozen-lockfile', 'bun.lock', 'bun.lockb'],
  ['npm ci', 'package-lock.json', 'npm-shrinkwrap.json'],
  ['bundle install', 'Gemfile.lock'],
  ['composer install', 'composer.lock'],
  ['mix deps.get', 'mix.lock'],
  ['mise trust', 'mise.toml', '.mise.toml'],
  ['direnv allow', '.envrc'],
];

/** What setting up a worktree would run, and whether it may. Changes nothing. */
export async function planSetup({ configuration, environment, repository }: Workspace): Promise<SetupPlan> {
  const commands = configuration.setup ?? [];
  if (configuration.setup === undefined) {
    return { commands, approved: true, suggested: await suggestedCommands(repository.mainRoot) };
  }
  try {
    return { commands, approved: await isApproved(environment, repository, commands), suggested: [] };
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    return { commands, approved: false, suggested: [], trouble: thrown.what };
  }
}

/**
 * Whether the planned commands may run: because they are approved, or because the user approves them now.
 *
 * @throws Problem `unreadable-file` or `not-writable` when the approval cannot be kept.
 */
export async function maySetUp(workspace: Workspace, plan: SetupPlan, options: SetupOptions): Promise<boolean> {
  if (plan.approved) return true;
  if (!options.approve && !(await options.approveSetup?.(plan.commands))) return false;
  await approve(workspace.environment, workspace.repository, plan.commands);
  return true;
}

/**
 * Runs commands in a worktree, one after the other, through the user's shell.
 *
 * @throws Problem `setup-failed` (outcome incomplete) that names the command and quotes its last words; `cancelled`.
 */
export async function runCommands(
  workspace: Workspace,
  place: SetupPlace,
  commands: readonly string[],
  options: SetupOptions,
): Promise<void> {
  const tell = (note: Message): void => options.onSetupOutput?.(`${textOf(note)}\n`);
  const environment = withVariables(workspace.environment, await programVariables(workspace, place, tell));
  for (const command of commands) {
    options.progress?.(createMessages.runningSetup({ command }));
    const { signal, onSetupOutput } = options;
    const answer = await runInShell(environment, command, { cwd: place.path, signal, onOutput: onSetupOutput });
    if (answer.exitCode === 0) continue;
    const { exitCode: code } = answer;
    const how = code === undefined ? createMessages.endedBySignal() : createMessages.failedWithCode({ code });
    throw new Problem('setup-failed', createMessages.setupCommandCommand({ command, how }), {
      next: createMessages.setUpAgain({ name: quoted(place.name) }),
      items: answer.lastLines,
      outcome: 'incomplete',
    });
  }
}

/**
 * Runs the team's setup commands in a worktree that exists, if the user has approved them or does so now. The worktree stays
 * as it is when one of them fails.
 *
 * @throws Problem as {@link runCommands}; `unreadable-file`, `not-writable` when an approval cannot be kept.
 */
export async function runSetup(
  workspace: Workspace,
  place: SetupPlace,
  options: SetupOptions = {},
): Promise<SetupOutcome> {
  const plan = await planSetup(workspace);
  if (plan.commands.length === 0) return outcomeOf(plan, 'none', place.name);
  if (!(await maySetUp(workspace, plan, options))) return outcomeOf(plan, 'unapproved', place.name);
  await runCommands(workspace, place, plan.commands, options);
  return outcomeOf({ ...plan, approved: true }, 'done', place.name);
}

/** An outcome, with the command to go on. */
export function outcomeOf(plan: SetupPlan, state: SetupOutcome['state'], name: string): SetupOutcome {
  const next = {
    none: undefined,
    done: undefined,
    unapproved: `wt setup ${quoted(name)} --approve`,
    skipped: `wt setup ${quoted(name)}`,
  };
  return { ...plan, state, next: next[state] };
}

async function suggestedCommands(root: string): Promise<string[]> {
  const found = await Promise.all(
    suggestions.map(async ([command, ...files]) => {
      const there = await Promise.all(files.map((file) => stat(join(root, file)).catch(() => undefined)));
      return there.some((each) => each?.isFile()) ? [command] : [];
    }),
  );
  return found.flat();
}
