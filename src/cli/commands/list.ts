import { resolve } from 'node:path';
import { naturalOrder } from '../../core/base/naturalOrder.ts';
import { displayPath, samePath } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { byActivity, waitingFirst, type StackInShort } from '../../core/snapshot/facts.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { worktreeRows, type WorktreeRow } from '../../core/stack/graph.ts';
import { stuckTrash } from '../../core/trash/stuckTrash.ts';
import { agentsTold, runIn } from '../agentsIn.ts';
import type { Colours } from '../colour.ts';
import type { CommandRun } from '../command.ts';
import { oneLine } from '../factLabels.ts';
import { openWorkspace } from '../context.ts';
import { readListed, type Listed } from '../listFacts.ts';
import type { Output } from '../output.ts';
import { cliMessages } from '../cliMessages.ts';
import { measureSizes, sizeText } from '../measureSizes.ts';
import { stateCell } from '../stateCell.ts';
import { layOut, type Column } from '../table.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { WorktreeSize } from '../../core/worktree/worktreeSize.ts';
import { problemJson, worktreeJson } from '../worktreeJson.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { output, signal } = cli;
  const porcelain = options['porcelain'] === true;
  if (porcelain && options['size'] === true)
    throw new Problem('usage', cliMessages.porcelainHasNoSize(), { next: cliMessages.sizeAsJson() });
  const { workspace, problems } = await openWorkspace(cli, { tolerant: true });
  output.progress('Reading the worktrees');
  // Porcelain has no place for more.
  const listed = porcelain ? undefined : await readListed(workspace, signal);
  const snapshot = listed?.snapshot ?? (await readSnapshot(workspace, { signal, withChanges: false }));
  const agents: Agents = porcelain ? new Map() : await agentsTold(workspace, snapshot);
  const sizes = options['size'] === true ? await measureSizes(cli, workspace, snapshot) : undefined;
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
          worktreeJson(snapshot, worktree, agents.get(worktree.name), await runIn(workspace, worktree), {
            stack: listed?.stackOf(worktree),
            isCompared: listed?.isCompared(worktree) ?? false,
            size: sizes?.get(worktree),
          }),
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
    const stackOf = (worktree: Worktree): StackInShort | undefined => listed?.stackOf(worktree);
    const known: Known = { workspace, snapshot, agents, sizes, stackOf };
    output.answer(await table(known, output, options['stack'] === true));
    if (linked(snapshot).length === 0)
      output.tell('There are no linked worktrees yet; create one with `wt create <name>`.');
  }
  return 0;
};

const linked = (snapshot: Snapshot): Worktree[] => snapshot.worktrees.filter((worktree) => !worktree.main);

type Agents = Awaited<ReturnType<typeof agentsTold>>;

/** What the rows are made from. */
interface Known {
  readonly workspace: Workspace;
  readonly snapshot: Snapshot;
  readonly agents: Agents;
  readonly sizes: ReadonlyMap<Worktree, WorktreeSize> | undefined;
  readonly stackOf: Listed['stackOf'];
}

function table(known: Known, output: Output, asStack: boolean): Promise<string> {
  const { colours } = output;
  const { worktrees } = known.snapshot;
  const rows = asStack ? worktreeRows(byName(worktrees)) : inRows(output, known);
  const columns: Column[] = [
    { title: '  NAME', yields: 0 },
    { title: 'BRANCH', yields: 3 },
    { title: 'BASE', yields: 2 },
    { title: 'STATE', yields: 1 },
    { title: 'SIZE', yields: 0 },
    { title: 'PATH', yields: 4 },
  ];
  return layOut(
    columns.map((column) => ({ ...column, title: colours.dim(column.title) })),
    rows.map((row) => cells(row, known, colours)),
    output.width,
  );
}

/** As stacks are drawn: the main one first, then those on the same base by their names. */
const byName = (worktrees: readonly Worktree[]): Worktree[] =>
  [...worktrees].sort(
    (one, other) => Number(other.main) - Number(one.main) || naturalOrder.compare(one.name, other.name),
  );

/** On a terminal by activity, as the tree in the editor; elsewhere as git lists them, which does not change from one commit to the next. */
function inRows({ width }: Output, { snapshot: { worktrees }, agents }: Known): WorktreeRow[] {
  const shown = width === undefined ? worktrees : waitingFirst(byActivity(worktrees), agents);
  return shown.map((worktree) => ({ worktree, depth: 0 }));
}

function cells({ worktree, depth }: WorktreeRow, known: Known, colours: Colours): string[] {
  const name = `${'  '.repeat(depth)}${oneLine(worktree.name)}`;
  const { branch = '', path } = worktree;
  const size = known.sizes?.get(worktree);
  return [
    worktree.active ? `${colours.green('●')} ${colours.bold(name)}` : `  ${name}`,
    // Name, branch and folder mostly are one word: said once, there is room for what differs.
    worktree.bare || branch === worktree.name ? '' : oneLine(branch),
    oneLine(worktree.base?.branch ?? ''),
    stateCell(worktree, { agents: known.agents.get(worktree.name), stack: known.stackOf(worktree) }, colours),
    size ? sizeText(size) : '',
    isUsualPlace(known.workspace, worktree)
      ? ''
      : colours.dim(oneLine(displayPath(known.snapshot.repository.mainRoot, path))),
  ];
}

/** Whether a worktree is where its name says: in the folder that the team's pattern makes of it, or the main working tree. */
function isUsualPlace({ repository, configuration }: Workspace, worktree: Worktree): boolean {
  if (worktree.main) return true;
  const { slug, name, branch, entry, path } = worktree;
  const values = { name, branch, project: repository.name, work_id: entry?.workId };
  return [slug, name].some((folder) => {
    const all: Readonly<Record<string, string | undefined>> = { ...values, slug: folder };
    const fill = (whole: string, key: string): string => all[key] ?? whole;
    const usual = configuration.worktree.locationPattern.replaceAll(/\{(\w+)\}/g, fill);
    return samePath(resolve(repository.mainRoot, usual), path);
  });
}
