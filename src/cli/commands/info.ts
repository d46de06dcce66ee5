import type { AgentsAtWork } from '../../core/claude/agentsAtWork.ts';
import type { LogEntry } from '../../core/claude/decisionLog.ts';
import type { RecordedPullRequest } from '../../core/repository/registry.ts';
import { textOf, type Message } from '../../core/messages/message.ts';
import type { RunFacts } from '../../core/claude/runs/runFacts.ts';
import { portList } from '../../core/repository/portBlock.ts';
import { hostFactsOf } from '../../core/repository/hostFacts.ts';
import { pullRequestState } from '../../core/repository/standing.ts';
import { reserveOrSay } from '../../core/worktree/ports.ts';
import { urlsOf } from '../../core/worktree/urls.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import { worktreeGraph } from '../../core/stack/graph.ts';
import { workOf } from '../../core/snapshot/facts.ts';
import { agentsTold, runIn } from '../agentsIn.ts';
import type { Colours } from '../colour.ts';
import type { CommandRun } from '../command.ts';
import { counted } from '../../core/base/phrases.ts';
import { messageText, oneLine } from '../factLabels.ts';
import { arrowsOf, demandLabels, labelOf, spokenLabelOf, standingLabels } from '../../core/snapshot/factLabels.ts';
import { openWorktree } from '../context.ts';
import { runMessage } from '../runText.ts';
import { layOut } from '../table.ts';
import { measureSizes, sizeText } from '../measureSizes.ts';
import type { WorktreeSize } from '../../core/worktree/worktreeSize.ts';
import { byteSizeWords } from '../../core/base/byteSize.ts';
import { worktreeJson } from '../worktreeJson.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output } = cli;
  const { workspace, snapshot, worktree: found } = await openWorktree(cli, word, { tolerant: true, withChanges: true });
  const worktree = await withPorts(workspace, found, (note) => output.tell(textOf(note)));
  const graph = worktreeGraph(snapshot);
  const branch = worktree.branch ?? '';
  const dependents = graph.children(branch).map((each) => each.worktree.name);
  const chain = graph.chain(branch);
  const base = graph.isCyclic(branch) ? undefined : chain[0]?.base;
  const stack = [...(base === undefined ? [] : [base]), ...chain.map((each) => each.branch)];
  if (stack.length === 0) stack.push(worktree.branch ?? worktree.name);
  const agents = (await agentsTold(workspace, snapshot)).get(worktree.name);
  const claim = await runIn(workspace, worktree);
  const size =
    options['size'] === true ? (await measureSizes(cli, workspace, snapshot, [found])).get(found) : undefined;
  if (output.json) {
    const json = worktreeJson(snapshot, worktree, agents, claim, { size });
    output.answerJson({ success: true, ...json, dependents, stack });
  } else {
    const rows = lines(snapshot, worktree, { agents, claim, dependents, stack, size }, output.colours);
    const columns = [
      { title: '', yields: 0 },
      { title: '', yields: 1 },
    ];
    output.answer(await layOut(columns, rows, undefined));
  }
  return 0;
};

/** Who asks for one worktree gets its ports, too: it may have been there before the team asked for any. */
async function withPorts(workspace: Workspace, worktree: Worktree, tell: (note: Message) => void): Promise<Worktree> {
  const [ports, notes] = await reserveOrSay(workspace, worktree);
  for (const note of notes) tell(note);
  return { ...worktree, ports, urls: urlsOf(workspace.configuration, { ...worktree, ports }) };
}

/** What is told of a worktree beside what the snapshot has. */
interface About {
  readonly agents: AgentsAtWork | undefined;
  readonly claim: RunFacts | undefined;
  readonly dependents: readonly string[];
  readonly stack: readonly string[];
  readonly size: WorktreeSize | undefined;
}

/** One line a fact; those that say nothing are left out. */
function lines(
  snapshot: Snapshot,
  worktree: Worktree,
  { agents, claim, dependents, stack, size }: About,
  colours: Colours,
): string[][] {
  const { base, upstream, entry, lastCommit, head } = worktree;
  const trunk = worktree.main ? 'the main working tree' : '';
  const facts: [label: string, value: string | undefined][] = [
    [
      'name',
      [colours.bold(oneLine(worktree.name)), worktree.active ? colours.green('active') : '', trunk]
        .filter((part) => part !== '')
        .join(', '),
    ],
    ['path', worktree.path],
    [
      'condition',
      worktree.condition === 'fine'
        ? undefined
        : colours.red(messageText(labelOf({ kind: 'condition', condition: worktree.condition }))),
    ],
    ['trouble', worktree.trouble === undefined ? undefined : colours.red(oneLine(worktree.trouble))],
    ['branch', worktree.bare ? 'none: a bare repository' : branchText(worktree)],
    ['base', base && baseLabel(worktree, colours)],
    ['stack', stack.length > 2 ? stack.join(' ← ') : undefined],
    ['dependents', dependents.length > 0 ? dependents.join(', ') : undefined],
    ['upstream', upstream && `${upstream.name} ${upstream.gone ? 'is gone' : arrowsOf(upstream.distance)}`.trim()],
    ['changes', changesText(worktree, colours)],
    ['size', size && `${sizeText(size)}, of which git ignores ${byteSizeWords(size.ignored)}`],
    [
      'operation',
      worktree.operation && colours.yellow(messageText(labelOf({ kind: 'operation', operation: worktree.operation }))),
    ],
    ['locked', worktree.lockReason === undefined ? undefined : oneLine(worktree.lockReason) || 'yes, without a reason'],
    ['files', worktree.sparse ? messageText(spokenLabelOf({ kind: 'sparse' })) : undefined],
    ['agents', agents && agentsText(agents, colours)],
    ['workflow', claim && runText(claim, colours)],
    ['blocked', agents?.lastDenied && deniedText(agents.lastDenied)],
    ['pull request', entry?.pr ? pullRequestText(entry.pr, worktree, colours) : undefined],
    ['work', workOf(worktree) === 'merged' ? colours.green('merged') : undefined],
    ['work id', entry?.workId],
    ['task', entry?.task && oneLine(entry.task)],
    ['compose project', entry?.composeProject],
    ['ports', worktree.ports && portList(worktree.ports)],
    ...worktree.urls.map(({ name, url }): [string, string | undefined] => [oneLine(name), url]),
    [
      'last commit',
      lastCommit &&
        head &&
        `${head.slice(0, 8)} ${new Date(lastCommit.time * 1000).toISOString().slice(0, 10)} ${oneLine(lastCommit.subject)}`,
    ],
    ['created', entry?.created && `${entry.created}${entry.createdBy ? ` by ${entry.createdBy}` : ''}`],
    ['repository', worktree.main ? undefined : snapshot.repository.mainRoot],
  ];
  return facts.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [[colours.dim(label), value]]));
}

function branchText({ branch, head, sharesBranchWith }: Worktree): string {
  if (branch === undefined) return head === undefined ? 'none yet' : `none, detached at ${head.slice(0, 8)}`;
  return sharesBranchWith.length > 0 ? `${branch}, also checked out in ${sharesBranchWith.join(', ')}` : branch;
}

function baseLabel({ base, entry }: Worktree, colours: Colours): string {
  if (!base) return '';
  const commit = entry?.baseCommit ? ` at ${entry.baseCommit.slice(0, 8)}` : '';
  const distance = base.exists ? arrowsOf(base.distance) : colours.yellow('is gone');
  return `${base.branch}${commit} ${distance}${base.recorded ? '' : colours.dim(' (assumed)')}`
    .replace(/ +/g, ' ')
    .trim();
}

function pullRequestText({ number, url, author }: RecordedPullRequest, { entry }: Worktree, colours: Colours): string {
  // Also where the branch has gone on since: the pull request itself is over.
  const state = pullRequestState(entry);
  const word = state === 'merged' ? colours.green(state) : state === 'open' ? undefined : state;
  const { demands, ...kept } = hostFactsOf(entry);
  const needed = demands ? demandLabels(demands).map(messageText) : [];
  const words = [
    ...(author === undefined ? [] : [`by ${author}`]),
    ...(word === undefined ? [] : [word]),
    ...standingLabels(undefined, kept).map(messageText),
    ...(needed.length > 0 ? [`its base wants ${needed.join(', ')}`] : []),
    ...(demands?.queue ? ['merged by a queue'] : []),
  ];
  return `#${number} ${url}${words.length > 0 ? ` (${words.join('; ')})` : ''}`;
}

function agentsText({ agents }: AgentsAtWork, colours: Colours): string {
  return agents
    .map(({ agent = 'a session', activity, since }) => {
      const doing = activity === 'waiting' ? colours.yellow(activity) : activity;
      return `${oneLine(agent)} ${doing}${since === undefined ? '' : ` since ${since}`}`;
    })
    .join(', ');
}

function runText({ run, state, progress }: RunFacts, colours: Colours): string {
  const step = progress === undefined ? '' : `, step ${progress.current_step}`;
  const end =
    state === 'dead' ? colours.yellow(', which has ended') : state === 'unknown' ? ', which cannot be checked' : '';
  return `${textOf(runMessage(run))}${step}${end}`;
}

function deniedText({ at, tool, event, words, reason }: LogEntry): string {
  const what = [tool ?? event, words].filter((part) => part !== undefined).join(': ');
  return oneLine(`${what}, at ${at}${reason === undefined ? '' : `: ${reason}`}`);
}

function changesText({ changes }: Worktree, colours: Colours): string | undefined {
  if (!changes) return undefined;
  if (changes.total === 0) return 'none';
  const kinds = [
    changes.conflicts > 0 ? colours.red(counted(changes.conflicts, 'conflict')) : '',
    changes.staged > 0 ? `${changes.staged} staged` : '',
    changes.unstaged > 0 ? `${changes.unstaged} not staged` : '',
    changes.untracked > 0 ? `${changes.untracked} untracked` : '',
    changes.submodules > 0 ? counted(changes.submodules, 'submodule') : '',
  ];
  return `${counted(changes.total, 'path')}: ${kinds.filter((kind) => kind !== '').join(', ')}`;
}
