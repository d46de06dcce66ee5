import { displayPath } from '../../core/base/paths.ts';
import { byActivity, factsOf } from '../../core/snapshot/facts.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { worktreeRows, type WorktreeRow } from '../../core/stack/graph.ts';
import { stuckTrash } from '../../core/trash/stuckTrash.ts';
import { agentsTold, runIn } from '../agentsIn.ts';
import type { Colours } from '../colour.ts';
import type { CommandRun } from '../command.ts';
import { factText, oneLine } from '../factLabels.ts';
import { openWorkspace } from '../context.ts';
import type { Output } from '../output.ts';
import { layOut, type Column } from '../table.ts';
import { problemJson, worktreeJson } from '../worktreeJson.ts';

/** The most facts of one worktree in a row; more is for `wt info`. */
const mostFacts = 3;

export const run: CommandRun = async (cli, _words, options) => {
  const { output, signal } = cli;
  const porcelain = options['porcelain'] === true;
  const { workspace, problems } = await openWorkspace(cli, { tolerant: true });
  output.progress('Reading the worktrees');
  const snapshot = await readSnapshot(workspace, { signal, withChanges: !porcelain });
  // Porcelain has no place for them.
  const agents: Agents = porcelain ? new Map() : await agentsTold(workspace, snapshot);
  output.done();
  const stuck = await stuckTrash(workspace.repository);
  for (const problem of [...snapshot.problems, ...stuck]) output.warn(problem);
  if (output.json) {
    output.answerJson({
      success: true,
      repository: {
        name: snapshot.repository.name,
        main_root: snapshot.repository.mainRoot,
        common_dir: snapshot.repository.commonDir,
        bare: snapshot.repository.bare,
      },
      trunk: snapshot.trunk ?? null,
      worktrees: await Promise.all(
        snapshot.worktrees.map(async (worktree) =>
          worktreeJson(snapshot, worktree, agents.get(worktree.name), await runIn(workspace, worktree)),
        ),
      ),
      problems: [...problems, ...snapshot.problems, ...stuck].map(problemJson),
    });
  } else if (porcelain) {
    const end = options['z'] === true ? '\0' : '\n';
    output.write(
      linked(snapshot)
        .map(({ slug, branch, path }) => `${slug}\t${branch ?? ''}\t${path}${end}`)
        .join(''),
    );
  } else {
    output.answer(await table(snapshot, agents, output, options['stack'] === true));
    if (linked(snapshot).length === 0)
      output.tell('There are no linked worktrees yet; create one with `wt create <name>`.');
  }
  return 0;
};

const linked = (snapshot: Snapshot): Worktree[] => snapshot.worktrees.filter((worktree) => !worktree.main);

type Agents = Awaited<ReturnType<typeof agentsTold>>;

function table(snapshot: Snapshot, agents: Agents, output: Output, asStack: boolean): Promise<string> {
  const { colours } = output;
  const rows = asStack ? worktreeRows(snapshot.worktrees) : inRows(output, snapshot.worktrees);
  const columns: Column[] = [
    { title: '  NAME', yields: 0 },
    { title: 'BRANCH', yields: 3 },
    { title: 'BASE', yields: 2 },
    { title: 'STATE', yields: 1 },
    { title: 'PATH', yields: 4 },
  ];
  return layOut(
    columns.map((column) => ({ ...column, title: colours.dim(column.title) })),
    rows.map((row) => cells(row, snapshot, agents, colours)),
    output.width,
  );
}

/** On a terminal by activity, as the tree in the editor; elsewhere as git lists them, which does not change from one commit to the next. */
function inRows(output: Output, worktrees: readonly Worktree[]): WorktreeRow[] {
  return (output.width === undefined ? worktrees : byActivity(worktrees)).map((worktree) => ({ worktree, depth: 0 }));
}

function cells({ worktree, depth }: WorktreeRow, snapshot: Snapshot, agents: Agents, colours: Colours): string[] {
  const facts = factsOf(worktree, agents.get(worktree.name));
  // What has a column of its own is not said twice.
  const pressing = facts
    .filter((fact) => fact.kind !== 'branch')
    .map((fact) => factText(fact, colours))
    .filter((words) => words !== '')
    .slice(0, mostFacts);
  const calm = worktree.bare ? 'bare repository' : worktree.changes?.total === 0 ? 'clean' : '';
  const name = `${'  '.repeat(depth)}${oneLine(worktree.name)}`;
  return [
    worktree.active ? `${colours.green('●')} ${colours.bold(name)}` : `  ${name}`,
    worktree.bare ? '' : oneLine(worktree.branch ?? ''),
    oneLine(worktree.base?.branch ?? ''),
    pressing.join(colours.dim(' · ')) || colours.dim(calm),
    colours.dim(oneLine(displayPath(snapshot.repository.mainRoot, worktree.path))),
  ];
}
