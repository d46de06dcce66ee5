import { Problem } from '../../core/base/problem.ts';
import { carry, planCarry, type Carried } from '../../core/carry/carry.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import { textOf } from '../../core/messages/message.ts';
import type { CommandRun } from '../command.ts';
import { cliMessages } from '../cliMessages.ts';
import { openWorktree } from '../context.ts';

export const run: CommandRun = async (cli, [from, to = ''], options) => {
  const { output, signal, environment } = cli;
  const isCopy = options['copy'] === true;
  if (isCopy && options['move'] === true) {
    throw new Problem('usage', cliMessages.moveOrCopy(), { next: cliMessages.giveOneOfThem() });
  }
  const { workspace, snapshot, worktree } = await openWorktree(cli, from);
  const target = await findWorktree(snapshot, to, environment.cwd);
  const request = { from: worktree, to: target, mode: isCopy ? ('copy' as const) : ('move' as const) };
  const isDry = options['dryRun'] === true;
  const done: Omit<Carried, 'id'> & { readonly id?: string } = isDry
    ? await planCarry(workspace, request, signal)
    : await carry(workspace, request, { signal });
  const { mode, files, notes, id } = done;
  output.done();
  if (output.json) {
    const names = { from: done.from, to: done.to };
    output.answerJson({
      ...{ success: true, dry_run: isDry, ...names, mode, files },
      ...{ notes: notes.map((each) => textOf(each)), operation: id ?? null },
    });
    return 0;
  }
  output.answer(files.join('\n'));
  const told = { count: files.length, from: done.from, to: done.to };
  const message = isDry
    ? cliMessages.wouldCarry(told)
    : isCopy
      ? cliMessages.workCopied(told)
      : cliMessages.workCarried(told);
  output.tell(textOf(message));
  for (const note of notes) output.tell(`note: ${textOf(note)}`);
  return 0;
};
