import { byteSizeWords } from '../../core/base/byteSize.ts';
import { Problem } from '../../core/base/problem.ts';
import { planSetup } from '../../core/create/setup.ts';
import { counts } from '../../core/messages/counts.ts';
import { textOf } from '../../core/messages/message.ts';
import { reclaimMessages } from '../../core/messages/reclaim.ts';
import { inspectReclaim, type KeptEntry, type Reclaimable } from '../../core/reclaim/inspect.ts';
import { idleTime } from '../../core/reclaim/idleTime.ts';
import { reclaim, type Reclaimed } from '../../core/reclaim/reclaim.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { agentFinder } from '../agentsIn.ts';
import { askYesNo } from '../ask.ts';
import { chooseWorktrees } from '../cleanupChoice.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOption, type CommandLine, type CommandRun } from '../command.ts';
import { openWorkspace, readFollowing } from '../context.ts';
import { failureJson, type Output } from '../output.ts';
import { bundledPrograms, deleteInBackground } from '../programs.ts';
import { tellKept, tellReclaimable, tellRebuild } from '../reclaimReport.ts';

export const run: CommandRun = async (cli, words, options) => {
  const { output, mayAsk } = cli;
  const [yes, all, dryRun] = ['yes', 'all', 'dryRun'].map((name) => options[name] === true);
  if (all && words.length > 0)
    throw new Problem('usage', cliMessages.nothingReclaimedBoth(), { next: cliMessages.leaveOutOne() });
  if (yes && !all && words.length === 0)
    throw new Problem('usage', cliMessages.nothingReclaimedWhich(), { next: cliMessages.namesOrAll() });
  const idle = idleTime(textOption(options, 'idle') ?? '7d');
  const { workspace } = await openWorkspace(cli);
  const { snapshot } = await readFollowing(cli, workspace, true);
  const meant = await chooseWorktrees(cli, workspace, snapshot, words.length > 0 ? { words } : 'all');
  const look = looker(cli, workspace, idle);
  const found: Reclaimable[] = [];
  for (const [index, worktree] of meant.entries()) {
    const which = meant.length > 1 ? ` (${index + 1} of ${meant.length})` : '';
    output.progress(`${textOf(reclaimMessages.measuring({ name: worktree.name }))}${which}`);
    found.push(await look(snapshot, worktree));
  }
  output.done();
  const free = found.filter(({ inUse, folders }) => inUse === undefined && folders.length > 0);
  const sum = free.reduce((bytes, each) => bytes + each.bytes, 0);
  const { commands } = await planSetup(workspace);
  if (!output.json) tellReclaimable(output, found, sum);
  if (dryRun || free.length === 0) return report(output, { found, done: [], failed: [], dryRun: true, commands });
  if (!yes && !mayAsk) {
    throw new Problem('usage', cliMessages.nothingReclaimedAsk(), {
      next: cliMessages.sayYes(),
      outcome: 'incomplete',
    });
  }
  if (!yes) {
    tellRebuild(output, commands);
    const where = textOf(counts.worktrees({ count: free.length }));
    const question = `Delete ${byteSizeWords(sum)} of build output in ${where}? This cannot be undone.`;
    if (!(await askYesNo(question, cli.signal))) {
      output.tell('Nothing was reclaimed.');
      return 1;
    }
  }
  const done: Reclaimed[] = [];
  const failed: { readonly worktree: Worktree; readonly problem: Problem }[] = [];
  for (const each of free) {
    try {
      const { worktree } = each;
      done.push(
        await reclaim(workspace, each, {
          again: async () => {
            const now = await readSnapshot(workspace, { signal: cli.signal, withChanges: false });
            return look(now, now.worktrees.find(({ path }) => path === worktree.path) ?? worktree);
          },
          deleteLater: (folder) => deleteInBackground(cli.environment, bundledPrograms(), folder),
          progress: output.progress,
          signal: cli.signal,
        }),
      );
    } catch (thrown) {
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      failed.push({ worktree: each.worktree, problem: thrown });
    }
  }
  output.done();
  return report(output, { found, done, failed, dryRun: false, commands });
};

function looker(cli: CommandLine, workspace: Workspace, idle: number) {
  const agentsIn = agentFinder(workspace);
  return async (snapshot: Parameters<typeof inspectReclaim>[1], worktree: Worktree): Promise<Reclaimable> =>
    inspectReclaim(workspace, snapshot, worktree, { idle, agents: await agentsIn(worktree), signal: cli.signal });
}

interface Result {
  readonly found: readonly Reclaimable[];
  readonly done: readonly Reclaimed[];
  readonly failed: readonly { readonly worktree: Worktree; readonly problem: Problem }[];
  /** Nothing was done: it is what would be. */
  readonly dryRun: boolean;
  /** What sets a worktree up again. */
  readonly commands: readonly string[];
}

function report(output: Output, { found, done, failed, dryRun, commands }: Result): 0 | 1 | 2 {
  for (const { problem } of failed) output.report(problem);
  const sum = done.reduce((bytes, each) => bytes + each.bytes, 0);
  const [first] = failed;
  if (output.json) {
    output.answerJson({
      success: first === undefined,
      dry_run: dryRun,
      bytes: dryRun ? found.reduce((bytes, each) => bytes + (each.inUse ? 0 : each.bytes), 0) : sum,
      setup: commands,
      worktrees: found.map((each) => {
        const own = done.find(({ worktree }) => worktree === each.worktree);
        const problem = failed.find(({ worktree }) => worktree === each.worktree)?.problem;
        const folders = own ? own.folders : each.inUse ? [] : each.folders;
        return {
          name: each.worktree.name,
          path: each.worktree.path,
          state: own ? 'reclaimed' : each.inUse || problem ? 'kept' : folders.length > 0 ? 'reclaimable' : 'nothing',
          why: each.inUse ?? problem?.what ?? null,
          last_change: each.lastChange === undefined ? null : new Date(each.lastChange).toISOString(),
          bytes: folders.reduce((bytes, { bytes: size }) => bytes + size, 0),
          folders: folders.map(({ path, bytes }) => ({ path, bytes })),
          kept: [...each.kept, ...(own?.kept ?? [])].map(keptJson),
        };
      }),
      ...(first ? { error: failureJson(first.problem).error } : {}),
    });
  } else if (done.length > 0) {
    for (const { worktree, kept } of done) tellKept(output, worktree.name, kept);
    output.tell(
      `Deleting ${byteSizeWords(sum)} of build output in ${textOf(counts.worktrees({ count: done.length }))}, in the background.`,
    );
    tellRebuild(output, commands);
  }
  return first ? (failed.some(({ problem }) => problem.outcome === 'error') ? 2 : 1) : 0;
}

const keptJson = ({ path, bytes, why }: KeptEntry): Record<string, unknown> => ({ path, bytes, why });
