import type { ListedTask } from '../../core/session/tasks.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { readBoard, type TaskInWorktree, type TaskBoard } from '../../core/tasks/board.ts';
import type { Colours } from '../colour.ts';
import type { CommandRun } from '../command.ts';
import { oneLine } from '../factLabels.ts';
import { openWorkspace } from '../context.ts';

export const run: CommandRun = async (cli) => {
  const { output, signal } = cli;
  const { workspace } = await openWorkspace(cli);
  const { worktrees } = await readSnapshot(workspace, { signal, withChanges: false });
  const board = await readBoard(workspace, worktrees);
  output.done();
  if (output.json) {
    output.answerJson({
      success: true,
      file: board.relative,
      exists: board.exists,
      pending: board.pending.map(taskJson),
      in_worktrees: board.inWorktrees.map((task) => ({
        ...taskJson(task),
        slug: task.slug ?? null,
        worktree: task.worktree ?? null,
      })),
      done: board.done.map(taskJson),
    });
    return 0;
  }
  output.answer(listOf(board, output.colours));
  const count = board.pending.length + board.inWorktrees.length + board.done.length;
  if (!board.exists)
    output.tell(
      `There is no session file ${board.relative}; its tasks would be listed here. Where it is: \`session\` in .worktrees.yml.`,
    );
  else if (count === 0) output.tell(`There are no tasks in ${board.relative}.`);
  return 0;
};

function listOf({ pending, inWorktrees, done }: TaskBoard, colours: Colours): string {
  const lists: [string, string[]][] = [
    ['Pending:', pending.map((task) => lineOf(task, colours))],
    ['In worktrees:', inWorktrees.map((task) => `${lineOf(task, colours)} ${whereabouts(task, colours)}`)],
    ['Done:', done.map((task) => lineOf(task, colours))],
  ];
  return lists
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [colours.bold(title), ...lines.map((line) => `  ${line}`)].join('\n'))
    .join('\n');
}

function lineOf({ mark, name, state }: ListedTask, colours: Colours): string {
  const text = `[${mark}] ${oneLine(name)}`;
  if (state === 'done' || state === 'cancelled') return colours.dim(text);
  return state === 'blocked' ? colours.yellow(text) : text;
}

function whereabouts({ slug, worktree }: TaskInWorktree, colours: Colours): string {
  if (slug === undefined) return colours.yellow('→ no worktree is named');
  return worktree ? `→ ${colours.cyan(worktree.name)}` : `→ ${slug} ${colours.yellow('(there is no such worktree)')}`;
}

function taskJson({ name, state, mark, detail, section, group, line }: ListedTask): Record<string, unknown> {
  return { name, state, mark, detail, section, group: group === '' ? null : group, line };
}
