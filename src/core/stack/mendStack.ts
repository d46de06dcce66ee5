import { setTimeout as delay } from 'node:timers/promises';
import type { JournalRecord } from '../worktrees/journal.ts';
import { findItsWorktrees } from '../worktrees/relinkMoved.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import { settleBatch, transactionOf, type StackJournal } from './apply.ts';
import {
  dropOperation,
  readOperation,
  writeOperation,
  type Move,
  type Operation,
  type Renaming,
} from '../worktrees/operationLog.ts';
import { completeRenaming } from './rename.ts';
import { follow, moveTogether, reversed } from './transaction.ts';

/** So long after it began, in milliseconds, no git process of a killed operation begins anything any more. */
const settlingTime = 2000;

/**
 * Completes or takes back an operation on stacks whose process has died. Git commits all branches or none; so once one of them has
 * moved, the others, the working trees and the registry follow, and otherwise the working trees are led back. Doing it twice is harmless.
 *
 * @throws Problem `dirty` when a working tree has been changed meanwhile where it would have to be written to.
 */
export async function mendStack(workspace: Workspace, record: JournalRecord): Promise<void> {
  const { environment } = workspace;
  const age = environment.now().getTime() - Date.parse(record.started);
  if (age >= 0 && age < settlingTime) await delay(settlingTime - age);
  const written = await readOperation(workspace, (record.data as unknown as StackJournal).id);
  const operation = written && (await findItsWorktrees(workspace, written));
  if (operation?.renaming && operation.state === 'applying')
    return mendRenaming(workspace, operation, operation.renaming);
  const batch = operation?.pending;
  if (!operation || !batch) return;
  const tips = await tipsNow(workspace, batch.moves);
  const moved = batch.moves.filter(({ branch, to }) => tips.get(branch) === to);
  const open = batch.moves.filter(({ branch, from }) => tips.get(branch) === from);
  if (moved.length > 0) {
    for (const move of moved) await follow(workspace, move);
    await moveTogether(workspace, { ...transactionOf(operation, batch), moves: open });
    await settleBatch(workspace, operation, batch);
    environment.log.info(`Completed: ${operation.title}.`);
    return;
  }
  for (const move of open) await follow(workspace, reversed(move));
  const before = { ...operation, pending: undefined };
  if (before.moves.length === 0 && !before.stop) await dropOperation(workspace, operation.id);
  else await writeOperation(workspace, { ...before, state: 'stopped' });
}

/** The branch tells how far it came; where only the name changes nothing had happened that would have to be taken back. */
async function mendRenaming(workspace: Workspace, operation: Operation, renaming: Renaming): Promise<void> {
  const { from, to } = renaming;
  const { git, repository } = workspace;
  const args = [`--git-dir=${repository.commonDir}`, 'rev-parse', '--verify', '--quiet', `refs/heads/${to.branch}`];
  const renamed = (await git.line(args, { cwd: repository.commonDir })) !== undefined;
  if (renamed || from.branch === to.branch) await completeRenaming(workspace, operation, renaming);
  else await dropOperation(workspace, operation.id);
}

async function tipsNow({ git, repository }: Workspace, moves: readonly Move[]): Promise<Map<string, string>> {
  const args = [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    ...moves.map(({ branch }) => `refs/heads/${branch}`),
  ];
  if (moves.length === 0) return new Map();
  const output = await git.text([`--git-dir=${repository.commonDir}`, ...args], { cwd: repository.commonDir });
  return new Map(
    output.split('\n').map((line): [string, string] => {
      const space = line.indexOf(' ');
      return [line.slice(space + 1).replace(/^refs\/heads\//, ''), line.slice(0, space)];
    }),
  );
}
