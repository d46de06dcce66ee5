import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutWaiting } from '../base/plainFile.ts';
import { Problem } from '../base/problem.ts';
import { runInShell, type ShellAnswer } from '../base/shell.ts';
import { approve, isApproved } from '../repository/approvals.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeOptions } from './model.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';
import { createMessages } from '../messages/create.ts';

/** The checks that a merge has to pass. */
export interface ChecksPlan {
  readonly command: string;
  /** Whether the team has configured it; else the repository's files suggest it. */
  readonly configured: boolean;
}

/** The script names that say: run this before something is committed. The first one there counts. */
const scriptNames = ['precommit', 'check'];
const runners: readonly (readonly [lockFile: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
];

/** The configured checks, else those that the files in the folder suggest; `undefined` without any. Runs nothing. */
export async function planChecks({ configuration }: Workspace, root: string): Promise<ChecksPlan | undefined> {
  if (configuration.checks !== undefined) return { command: configuration.checks, configured: true };
  const command = await detectChecks(root);
  return command === undefined ? undefined : { command, configured: false };
}

async function detectChecks(root: string): Promise<string | undefined> {
  const names = await readdir(root).catch((): string[] => []);
  const justfile = names.find((name) => /^\.?justfile$/i.test(name));
  const recipes =
    justfile === undefined
      ? ''
      : await readFile(join(root, justfile), { encoding: 'utf8', flag: withoutWaiting }).catch(() => '');
  // A recipe's name stands at the start of its line, perhaps after `@`, with parameters up to the colon; `:=` is a variable.
  if (/^@?precommit(?:[ \t][^:\n]*)?:(?!=)/m.test(recipes)) return 'just precommit';
  if (!names.includes('package.json')) return undefined;
  const script = await findScript(join(root, 'package.json'));
  if (script === undefined) return undefined;
  const runner = runners.find(([lockFile]) => names.includes(lockFile))?.[1] ?? 'npm run';
  return `${runner} ${script}`;
}

async function findScript(file: string): Promise<string | undefined> {
  try {
    const whole: unknown = JSON.parse(await readFile(file, { encoding: 'utf8', flag: withoutWaiting }));
    const scripts = (whole as { scripts?: Record<string, unknown> } | null)?.scripts ?? {};
    return scriptNames.find((name) => typeof scripts[name] === 'string');
  } catch {
    // What npm could not read suggests nothing.
    return undefined;
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
 * Runs the checks in a folder, through the user's shell.
 *
 * @throws Problem `cancelled`, or `checks-failed` when the shell could not be started.
 */
export async function runChecks(
  { environment }: Workspace,
  root: string,
  { command }: ChecksPlan,
  options: MergeOptions,
): Promise<ShellAnswer> {
  options.progress?.(mergeMessages.runningChecks({ command }));
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
