import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutWaiting } from '../base/plainFile.ts';
import { Problem } from '../base/problem.ts';
import { runInShell, type ShellAnswer } from '../base/shell.ts';
import { approve, isApproved } from '../repository/approvals.ts';
import { variablesAt } from '../snapshot/variablesAt.ts';
import { withVariables } from '../worktree/variables.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeOptions } from './model.ts';
import { mergeMessages } from '../messages/merge.ts';
import { textOf as sentence, type Message } from '../messages/message.ts';
import { createMessages } from '../messages/create.ts';

/** The checks that a merge has to pass. */
export interface ChecksPlan {
  readonly command: string;
  /** Whether the team has configured it; else the repository's files suggest it. */
  readonly configured: boolean;
}

/** The package managers of a `package.json`, by their lock files. */
const runners: readonly (readonly [lockFile: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
];

/** A recipe's name stands at the start of its line, perhaps after `@`, with parameters up to the colon; `:=` is a variable. */
const justRecipe = /^@?precommit(?:[ \t][^:\n]*)?:(?!=)/m;
/** The same for a target of make, which may have two colons. */
const makeTarget = /^precommit[ \t]*::?(?![:=])/m;
/** The makefiles that make looks for, in its order. */
const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

/**
 * The checks of a working tree: those that the team has configured, else those that the files in it suggest; `undefined` without any.
 * The one place that says so: for `wt checks`, for merges and for the tasks of agents. Runs nothing.
 *
 * @param root the root of the working tree that is checked.
 */
export async function planChecks(
  { configuration }: Pick<Workspace, 'configuration'>,
  root: string,
): Promise<ChecksPlan | undefined> {
  if (configuration.checks !== undefined) return { command: configuration.checks, configured: true };
  const command = await suggestedChecks(root);
  return command === undefined ? undefined : { command, configured: false };
}

/** What says by its name that it is run before a commit; without that, the script `check`. */
async function suggestedChecks(root: string): Promise<string | undefined> {
  const names = await readdir(root).catch((): string[] => []);
  const justfile = names.find((name) => /^\.?justfile$/i.test(name));
  if (justfile !== undefined && justRecipe.test(await textOf(join(root, justfile)))) return 'just precommit';
  const scripts = names.includes('package.json') ? scriptsOf(await textOf(join(root, 'package.json'))) : [];
  const runner = runners.find(([lockFile]) => names.includes(lockFile))?.[1] ?? 'npm run';
  if (scripts.includes('precommit')) return `${runner} precommit`;
  const makefile = makefiles.find((name) => names.includes(name));
  if (makefile !== undefined && makeTarget.test(await textOf(join(root, makefile)))) return 'make precommit';
  return scripts.includes('check') ? `${runner} check` : undefined;
}

/** What cannot be read suggests nothing. */
function textOf(file: string): Promise<string> {
  return readFile(file, { encoding: 'utf8', flag: withoutWaiting }).catch(() => '');
}

function scriptsOf(manifest: string): string[] {
  try {
    const whole: unknown = JSON.parse(manifest);
    const scripts = (whole as { scripts?: Record<string, unknown> } | null)?.scripts ?? {};
    return Object.keys(scripts).filter((name) => typeof scripts[name] === 'string');
  } catch {
    // What npm could not read suggests nothing.
    return [];
  }
}

/**
 * Whether the checks may run: because this user has approved that command in this repository, or does so now.
 *
 * @throws Problem `unreadable-file` or `not-writable` when the approval cannot be kept.
 */
export async function mayCheck(
  { environment, repository }: Workspace,
  { command }: ChecksPlan,
  options: MergeOptions,
): Promise<boolean> {
  if (!options.approve && (await isApproved(environment, repository, [command]))) return true;
  if (!options.approve && !(await options.approveChecks?.(command))) return false;
  await approve(environment, repository, [command]);
  return true;
}

/**
 * Runs the checks in the root of a working tree, through the user's shell, with the variables of that worktree.
 *
 * @throws Problem `cancelled`, or `checks-failed` when the shell could not be started.
 */
export async function runChecks(
  workspace: Workspace,
  root: string,
  { command }: ChecksPlan,
  options: MergeOptions,
): Promise<ShellAnswer> {
  options.progress?.(mergeMessages.runningChecks({ command }));
  const environment = withVariables(
    workspace.environment,
    await variablesAt(workspace, root, (note) => options.onOutput?.(`${sentence(note)}\n`)),
  );
  try {
    return await runInShell(environment, command, { cwd: root, signal: options.signal, onOutput: options.onOutput });
  } catch (thrown) {
    if (!Problem.is(thrown, 'setup-failed')) throw thrown;
    throw new Problem('checks-failed', thrown.what, { outcome: 'incomplete', cause: thrown });
  }
}

/** How checks that did not pass ended, as the end of a sentence about them. */
export function endOf({ exitCode: code }: Pick<ShellAnswer, 'exitCode'>): Message {
  return code === undefined ? mergeMessages.endedBySignal() : createMessages.failedWithCode({ code });
}
