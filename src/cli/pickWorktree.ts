import process from 'node:process';
import { shellWord } from '../core/base/quoted.ts';
import { Problem } from '../core/base/problem.ts';
import { textOf } from '../core/messages/message.ts';
import { worktreeMessages } from '../core/messages/worktree.ts';
import { byActivity, waitingFirst } from '../core/snapshot/facts.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import type { Worktree } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import { agentsTold } from './agentsIn.ts';
import { askOneOf } from './ask.ts';
import { cliMessages } from './cliMessages.ts';
import { coloursFor, type Colours } from './colour.ts';
import type { CommandLine } from './command.ts';
import { oneLine } from './factLabels.ts';
import { pickWithFinder } from './fuzzyFinder.ts';
import { bundledPrograms } from './programs.ts';
import { stateCell } from './stateCell.ts';
import { layOut } from './table.ts';

/** What the list of our own draws beside a line. */
const listMargin = 8;

/**
 * Has a person pick a worktree: with fzf where that is there, else from a list with a search. Nothing is changed.
 *
 * @returns `undefined` where none was picked.
 * @throws Problem `usage` without a terminal, `not-found` without another worktree.
 */
export async function pickWorktree(cli: CommandLine, workspace: Workspace): Promise<Worktree | undefined> {
  refuseWithoutTerminal(cli);
  const { output, signal } = cli;
  output.progress('Reading the worktrees');
  const snapshot = await readSnapshot(workspace, { signal });
  const agents = await agentsTold(workspace, snapshot);
  output.done();
  const sorted = waitingFirst(byActivity(snapshot.worktrees), agents);
  const choices = sorted.filter(({ bare, condition }) => !bare && condition === 'fine');
  if (!choices.some(({ main }) => !main))
    throw new Problem('not-found', cliMessages.nothingToPick(), {
      ...{ next: worktreeMessages.makeOne(), outcome: 'incomplete' },
    });
  const lines = async (colours: Colours, width?: number): Promise<string[]> => {
    const rows = choices.map((each) =>
      cellsOf(each, stateCell(each, { agents: agents.get(each.name) }, colours), colours),
    );
    return (await layOut(columns, rows, width)).split('\n');
  };
  const texts = await lines(output.messageColours);
  const picked = await pickWithFinder(
    cli,
    choices.map(({ path }, index) => ({ subject: path, text: texts[index] ?? '' })),
    { prompt: 'wt switch ', preview: previewOf(cli) },
  );
  if (picked === 'nothing') return undefined;
  if (picked !== 'no-finder') return choices[picked];
  const width = (process.stderr.columns || 80) - listMargin;
  const index = await pickFromList(cli, await lines(coloursFor({}, {}, true), width));
  return index === undefined ? undefined : choices[index];
}

/** @throws Problem `usage` where nobody can pick. */
export function refuseWithoutTerminal({ mayAsk }: CommandLine): void {
  if (!mayAsk) throw new Problem('usage', cliMessages.pickNeedsTerminal(), { next: cliMessages.nameWorktreeOrBack() });
}

const columns = [
  { title: '', yields: 0 },
  { title: '', yields: 2 },
  { title: '', yields: 1 },
];

/** As the rows of `wt list` begin. */
function cellsOf({ name, branch = '', active }: Worktree, state: string, colours: Colours): string[] {
  return [
    active ? `${colours.green('●')} ${colours.bold(oneLine(name))}` : `  ${oneLine(name)}`,
    branch === name ? '' : oneLine(branch),
    state,
  ];
}

/** What fzf runs for the line that is marked. Elsewhere the shell quotes in another way. */
function previewOf({ environment }: CommandLine): string | undefined {
  if (environment.platform === 'win32') return undefined;
  return `${shellWord(environment.runtime)} ${shellWord(bundledPrograms().wt)} info {2}`;
}

async function pickFromList(
  { environment, signal }: CommandLine,
  lines: readonly string[],
): Promise<number | undefined> {
  const question = textOf(cliMessages.pickWorktree());
  const { styleText } = await import('node:util');
  // A terminal without movements or without a size, and Node before 20.12, which the list needs.
  if (environment.variables['TERM'] === 'dumb' || !process.stderr.columns || typeof styleText !== 'function')
    return askOneOf(
      question,
      lines.map((line) => line.trim()),
      signal,
    );
  const { promptList } = await import('./listPrompt.ts');
  return promptList({ question, placeholder: textOf(cliMessages.typeToSearch()), lines, signal });
}
