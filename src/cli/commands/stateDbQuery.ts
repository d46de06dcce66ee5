import { Problem } from '../../core/base/problem.ts';
import { queryDatabases } from '../../core/database/query.ts';
import { textOption, type CommandRun } from '../command.ts';
import { cliMessages } from '../cliMessages.ts';
import { chooseDatabases, openEngine } from '../database.ts';
import { oneLine } from '../factLabels.ts';
import { failureJson } from '../output.ts';
import { readAllInput } from '../readInput.ts';
import { layOut } from '../table.ts';

const defaultLimit = 1000;
const mostRows = 100_000;

export const run: CommandRun = async (cli, [given = ''], options) => {
  const { output, signal } = cli;
  const limit = limitOf(textOption(options, 'limit'));
  const sql = given === '-' ? await readAllInput(cli.input, signal) : given;
  const { chosen, several } = await chooseDatabases(cli, options);
  const engine = await openEngine(cli);
  const answer = await queryDatabases(engine, chosen, sql, { limit, several, signal });
  if (output.json) {
    output.answerJson({
      success: true,
      ...answer,
      worktrees: answer.worktrees.map(({ name, id, file }) => ({ worktree: name, worktree_id: id, file })),
      skipped: answer.skipped.map((problem) => failureJson(problem).error),
    });
    return 0;
  }
  for (const problem of answer.skipped) output.warn(problem);
  const titles = answer.columns.map(({ name }) => ({ title: name, yields: 1 }));
  const cells = answer.rows.map((row) => answer.columns.map(({ name }) => oneLine(textIn(row[name]))));
  if (cells.length > 0) output.answer(await layOut(titles, cells, output.width));
  else output.tell('No rows.');
  if (answer.truncated) output.tell(`There are more than ${limit} rows: --limit shows more.`);
  return 0;
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostRows) return limit;
  throw new Problem('usage', cliMessages.noLimit({ text: JSON.stringify(text) }), {
    next: cliMessages.limitIsNumber({ most: mostRows }),
  });
}

function textIn(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
