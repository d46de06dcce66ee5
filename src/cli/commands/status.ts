import { quoted } from '../../core/base/quoted.ts';
import { finishedBy, isRemovalOffered } from '../../core/lifecycle/autoCleanup.ts';
import { factsOf, type AgentsInShort } from '../../core/snapshot/facts.ts';
import { commandsOf, readUnderWay, type UnderWay } from '../../core/merge/underWay.ts';
import { holderOf } from '../../core/worktree/find.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import { activeIn } from '../../core/relocation/moves.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { agentsTold, runIn } from '../agentsIn.ts';
import type { CommandRun } from '../command.ts';
import { counted } from '../../core/base/phrases.ts';
import { factText, oneLine } from '../factLabels.ts';
import { openWorkspace } from '../context.ts';
import type { Output } from '../output.ts';
import { layOut } from '../table.ts';
import { worktreeJson } from '../worktreeJson.ts';

/** A command that a person is likely to want next. */
interface Step {
  readonly command: string;
  readonly effect: string;
}

/** `wt` alone: where the person is, and what to do next. */
export const run: CommandRun = async (cli) => {
  const { output, signal, environment } = cli;
  const { workspace } = await openWorkspace(cli, { tolerant: true });
  const snapshot = await readSnapshot(workspace, { signal });
  for (const problem of snapshot.problems) output.warn(problem);
  const worktree = await holderOf(snapshot, environment.cwd);
  const agents = worktree && (await agentsTold(workspace, snapshot)).get(worktree.name);
  const removable = worktree !== undefined && (await isRemovalOffered(workspace, worktree));
  const { autoCleanup } = workspace.configuration.worktree;
  const underWay = worktree && (await readUnderWay(workspace, worktree));
  const steps = nextSteps(snapshot, worktree, { autoCleanup, removable });
  const next = [...(worktree ? stepsUnderWay(worktree, underWay) : []), ...steps].slice(0, 3);
  if (output.json) {
    const { name, mainRoot, commonDir, bare } = snapshot.repository;
    output.answerJson({
      success: true,
      repository: { name, main_root: mainRoot, common_dir: commonDir, bare },
      worktree: worktree ? worktreeJson(snapshot, worktree, agents, await runIn(workspace, worktree)) : null,
      active: activeIn(snapshot)?.path ?? null,
      worktrees: snapshot.worktrees.filter((each) => !each.main).length,
      next,
    });
  } else {
    output.answer(`${await whereText(snapshot, worktree, agents, output)}\n\n${await nextText(next, output)}`);
  }
  return 0;
};

function whereText(
  snapshot: Snapshot,
  worktree: Worktree | undefined,
  agents: AgentsInShort | undefined,
  { colours }: Output,
): Promise<string> {
  const others = snapshot.worktrees.filter((each) => !each.main);
  const active = snapshot.worktrees.find((each) => each.active);
  const facts = worktree
    ? factsOf(worktree, agents)
        .filter((fact) => fact.kind !== 'branch')
        .map((fact) => factText(fact, colours))
        .filter((words) => words !== '')
    : [];
  const rows: [string, string][] = [
    [
      'repository',
      `${colours.bold(snapshot.repository.name)}, ${counted(others.length, 'worktree')}${snapshot.repository.bare ? '' : ' beside the main one'}`,
    ],
    [
      'worktree',
      worktree
        ? `${colours.bold(oneLine(worktree.name))}${worktree.main ? ', the main one' : ''}`
        : 'none: this folder is in no worktree',
    ],
  ];
  if (worktree?.branch !== undefined)
    rows.push(['branch', worktree.base ? `${worktree.branch}, on ${worktree.base.branch}` : worktree.branch]);
  if (worktree) rows.push(['state', facts.join(' · ') || 'clean']);
  rows.push(['active', active ? (active === worktree ? colours.green('this one') : oneLine(active.name)) : 'none']);
  return layOut(
    [
      { title: '', yields: 0 },
      { title: '', yields: 1 },
    ],
    rows.map(([label, value]) => [colours.dim(label), value]),
    undefined,
  );
}

async function nextText(steps: readonly Step[], { colours }: Output): Promise<string> {
  const rows = steps.map(({ command, effect }) => [`  ${colours.cyan(command)}`, colours.dim(effect)]);
  return `${colours.bold('Next')}\n${await layOut(
    [
      { title: '', yields: 0 },
      { title: '', yields: 1 },
    ],
    rows,
    undefined,
  )}`;
}

/** How what is under way here goes on, by who began it; a conflict of something else, such as a stash, is resolved first as well. */
function stepsUnderWay({ operation, changes }: Worktree, underWay: UnderWay | undefined): Step[] {
  const conflicts = changes?.conflicts ?? 0;
  if (underWay) {
    const { goOn, abort } = commandsOf(underWay);
    const when =
      conflicts === 0
        ? ''
        : `, once its ${counted(conflicts, 'conflict')} ${conflicts === 1 ? 'is' : 'are'} resolved and staged`;
    const what = underWay.by === 'restack' ? 'restack' : underWay.operation;
    return [
      { command: goOn, effect: `continue the ${what}${when}` },
      { command: abort, effect: `abort the ${what}` },
    ];
  }
  if (operation === 'bisect') return [{ command: 'git bisect log', effect: 'see how far the bisection is' }];
  if (conflicts === 0) return [];
  return [{ command: 'git status', effect: `see what is in conflict; \`git add\` stages what is resolved` }];
}

/** The likeliest first. */
function nextSteps(
  snapshot: Snapshot,
  worktree: Worktree | undefined,
  { autoCleanup, removable }: { readonly autoCleanup: boolean; readonly removable: boolean },
): Step[] {
  const others = snapshot.worktrees.filter((each) => !each.main);
  const active = snapshot.worktrees.find((each) => each.active);
  const create = { command: 'wt create <name>', effect: 'make a worktree for the next task' };
  const list = { command: 'wt list', effect: 'see all of them' };
  const goToActive =
    active && active !== worktree ? [{ command: 'cd "$(wt active)"', effect: `go to ${oneLine(active.name)}` }] : [];
  if (!worktree || worktree.main) {
    if (others.length === 0) {
      return [
        create,
        { command: 'wt check-ignore', effect: 'see whether git ignores the files that wt writes' },
        { command: 'wt --help', effect: 'see what else there is' },
      ];
    }
    return [
      ...goToActive,
      list,
      create,
      ...(autoCleanup ? [{ command: 'wt cleanup --merged', effect: 'remove those whose work has landed' }] : []),
    ];
  }
  const { operation, changes } = worktree;
  const steps: Step[] = [];
  if (!operation && changes && changes.total > 0 && changes.conflicts === 0)
    steps.push({ command: 'git add --all && git commit', effect: `commit ${counted(changes.total, 'change')}` });
  if (steps.length === 0 && removable) {
    const effect =
      finishedBy(worktree) === 'merged' ? 'remove it: its work was merged' : 'remove it: its workflow has ended';
    const { mainRoot } = snapshot.repository;
    steps.push({ command: `cd ${quoted(mainRoot)} && wt cleanup ${quoted(worktree.name)}`, effect });
  }
  if (worktree.base)
    steps.push({ command: 'wt diff --stat', effect: `see what changed since it left ${worktree.base.branch}` });
  if (!worktree.active) steps.push({ command: 'wt switch .', effect: 'make it the active worktree' });
  return [...steps, list, create];
}
