import { Problem } from '../../core/base/problem.ts';
import type { Removed } from '../../core/remove/remove.ts';
import { hooksJson } from '../../core/hooks/hookJson.ts';
import { removeWithHooks, type RemovedWithHooks } from '../../core/remove/removeWithHooks.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { recordMerge } from '../../core/lifecycle/outcome.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { IgnoredEntry } from '../../core/remove/ignoredFiles.ts';
import { withSizes, withSum } from '../../core/remove/ignoredLabels.ts';
import { keptForDays } from '../../core/operations/keptFolder.ts';
import { newRemovalGroup } from '../../core/remove/undoRecord.ts';
import { inspectRemoval, type Removal } from '../../core/remove/inspect.ts';
import { orderForRemoval } from '../../core/stack/removalOrder.ts';
import { chooseWorktrees, type CleanupChoice } from '../cleanupChoice.ts';
import { bringNews } from '../cleanupNews.ts';
import { agentFinder } from '../agentsIn.ts';
import type { CommandOptions, CommandRun } from '../command.ts';
import { hookTalk } from '../hookTalk.ts';
import { leaveFirst } from '../leaveFirst.ts';
import { wouldRemove } from '../wouldRemove.ts';

import { openWorkspace, readFollowing } from '../context.ts';
import { failureJson, type Output } from '../output.ts';
import { bundledPrograms, deleteInBackground } from '../programs.ts';
import { retargetDependents } from '../retargetDependents.ts';
import { cliMessages } from '../cliMessages.ts';
import { counts } from '../../core/messages/counts.ts';
import { textOf } from '../../core/messages/message.ts';

/** A worktree that stays, and why. */
interface Kept {
  readonly worktree: Worktree;
  readonly removal: Removal | undefined;
  readonly problem: Problem;
}

export const run: CommandRun = async (asked, words, options) => {
  const { output, signal } = asked;
  const choice = choiceOf(words, options);
  const { workspace: opened } = await openWorkspace(asked);
  let { snapshot } = await readFollowing(asked, opened);
  if (options['offline'] !== true) {
    const meant = await chooseWorktrees(asked, opened, snapshot, choice === 'merged' ? 'all' : choice);
    snapshot = await bringNews(asked, opened, snapshot, meant);
  }
  const targets = orderForRemoval(await chooseWorktrees(asked, opened, snapshot, choice));
  const { cli, workspace } = await leaveFirst(asked, opened, targets);
  const named = typeof choice !== 'string';
  const agentsIn = agentFinder(workspace);
  const removed: (Removed & Partial<RemovedWithHooks>)[] = [];
  const kept: Kept[] = [];
  // One `wt undo` brings all of them back.
  const group = targets.length > 1 ? newRemovalGroup(workspace) : undefined;
  for (const worktree of targets) {
    let removal: Removal | undefined;
    try {
      removal = await inspectRemoval(workspace, snapshot, worktree, { agents: await agentsIn(worktree), signal });
      if (options['dryRun'] === true) {
        removed.push(wouldRemove(removal, { force: options['force'] === true, drop: named }));
        continue;
      }
      const forced = options['force'] === true && (named || !removal.adminDirOnly);
      const goes = removal.newBase !== undefined && (forced || removal.obstacles.length === 0);
      const seen = snapshot;
      const again = async (): Promise<Removal> => {
        const now = await readSnapshot(workspace, { signal, withChanges: false });
        const same = now.worktrees.find(({ path }) => path === worktree.path) ?? worktree;
        return inspectRemoval(workspace, now, same, { agents: await agentsIn(same), signal });
      };
      const done = await removeWithHooks(workspace, removal, again, {
        ...hookTalk(cli, options),
        ready: async () => {
          if (goes) await retargetDependents(cli, workspace, seen, worktree, options['offline'] === true);
        },
        force: options['force'] === true,
        // That a folder is out of sight is decided for one worktree at a time, by its name.
        drop: named,
        signal,
        group,
        progress: output.progress,
        lookLater: true,
        deleteLater: (folder) => deleteInBackground(cli.environment, bundledPrograms(), folder),
      });
      removed.push(done);
      if (!output.json) tellRemoved(done, output);
      // The next one may be the base that its dependents have now.
      snapshot =
        done.dependents.length > 0
          ? await readSnapshot(workspace, { signal, withChanges: false })
          : { ...snapshot, worktrees: snapshot.worktrees.filter((each) => each !== worktree) };
    } catch (thrown) {
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      kept.push({ worktree, removal, problem: thrown });
      await noteLanded(workspace, removal);
    }
  }
  if (options['dryRun'] === true && !output.json) for (const each of removed) tellRemoved(each, output, true);
  return report(output, removed, kept);
};

/** A worktree that stays, but whose work has landed: the registry is to know that, too. */
async function noteLanded(workspace: Workspace, removal: Removal | undefined): Promise<void> {
  const { branch, newBase, worktree } = removal ?? {};
  // Without a recorded base commit nobody knows whether there was any work.
  if (!branch?.integration || branch.integration === 'session' || worktree?.entry?.baseCommit === undefined) return;
  const into = branch.proof?.into ?? worktree.base?.branch ?? newBase;
  const commit = branch.proof?.commit;
  if (into !== undefined) await recordMerge(workspace, { branch: branch.name, head: branch.oid, into, commit });
}

function choiceOf(words: readonly string[], options: CommandOptions): CleanupChoice {
  const choices: CleanupChoice[] = [
    ...(words.length > 0 ? [{ words }] : []),
    ...(options['all'] === true ? (['all'] as const) : []),
    ...(options['merged'] === true ? (['merged'] as const) : []),
  ];
  const [choice, another] = choices;
  if (choice !== undefined && another === undefined) return choice;
  throw new Problem('usage', choice === undefined ? cliMessages.nothingNamed() : cliMessages.nothingRemovedNames(), {
    next: cliMessages.nameWorktrees(),
  });
}

/** @param tried nothing was done: it is what would be. */
function tellRemoved(removed: Removed, output: Output, tried = false): void {
  const branch = removed.branchDeleted ? ' and its branch' : '';
  output.tell(`${tried ? 'Would remove' : 'Removed'} ${removed.name}${branch}.`);
  if (removed.branchKept)
    output.tell(`  Kept the branch ${removed.branchKept.name}: ${textOf(removed.branchKept.why)}.`);
  for (const { name, from, to } of removed.dependents)
    output.tell(`  ${name} is now based on ${to} instead of ${from}.`);
  if (removed.clearedActive) output.tell('  It was the active worktree; none is active now.');
  for (const { name, to } of removed.tasks) {
    const words = to === 'out' ? 'is done and out of the worktree tasks' : 'is pending again';
    output.tell(`  The task ${JSON.stringify(name)} ${words}.`);
  }
  for (const { what, ref, restore } of removed.backups)
    output.tell(`  Kept in ${ref}: ${textOf(what)}. To get it back: ${restore}`);
  tellIgnored(removed.ignored.kept?.entries ?? [], removed.ignored.gone, output);
  for (const note of removed.notes) output.tell(`  ${textOf(note)}`);
}

function tellIgnored(kept: readonly IgnoredEntry[], gone: readonly IgnoredEntry[], output: Output): void {
  if (kept.length > 0) output.tell(`  Ignored files kept for ${keptForDays} days: ${withSum(kept)}.`);
  if (gone.length > 0) output.tell(`  Deleted ignored files: ${withSizes(gone)}.`);
}

function report(output: Output, removed: readonly Removed[], kept: readonly Kept[]): 0 | 1 | 2 {
  output.done();
  for (const { problem } of kept) output.report(problem);
  if (output.json) {
    const [first] = kept;
    output.answerJson({
      success: kept.length === 0,
      removed: removed.map(removedJson),
      kept: kept.map(keptJson),
      ...(first ? { error: failureJson(kept.length === 1 ? first.problem : summary(removed, kept)).error } : {}),
    });
    return exitCodeOf(kept);
  }
  const back = removed.filter(({ operation }) => operation !== undefined);
  if (back.length > 0) output.tell(`\`wt undo\` brings ${back.length === 1 ? 'it' : 'them'} back.`);
  if (removed.length === 0 && kept.length === 0) {
    output.tell('Nothing to remove.');
  } else if (kept.length > 1 || (kept.length > 0 && removed.length > 0)) {
    output.report(summary(removed, kept));
  }
  return exitCodeOf(kept);
}

function exitCodeOf(kept: readonly Kept[]): 0 | 1 | 2 {
  if (kept.length === 0) return 0;
  return kept.some(({ problem }) => problem.outcome === 'error') ? 2 : 1;
}

function summary(removed: readonly Removed[], kept: readonly Kept[]): Problem {
  return new Problem(
    'would-lose-work',
    cliMessages.notRemoved({
      count: kept.length,
      worktrees: counts.worktrees({ count: removed.length + kept.length }),
    }),
    {
      items: kept.map(({ worktree }) => worktree.name),
      outcome: 'incomplete',
    },
  );
}

function removedJson(removed: Removed & Partial<RemovedWithHooks>): Record<string, unknown> {
  return {
    name: removed.name,
    path: removed.path,
    branch_deleted: removed.branchDeleted,
    branch_kept: removed.branchKept ?? null,
    backups: removed.backups,
    operation: removed.operation ?? null,
    ignored: {
      kept: (removed.ignored.kept?.entries ?? []).map(ignoredJson),
      folder: removed.ignored.kept?.folder ?? null,
      gone: removed.ignored.gone.map(ignoredJson),
      stuck: removed.ignored.stuck.map(ignoredJson),
    },
    dependents: removed.dependents,
    cleared_active: removed.clearedActive,
    tasks: removed.tasks,
    hooks: hooksJson(removed.hooks ?? []),
    notes: removed.notes,
  };
}

function ignoredJson({ path, size }: IgnoredEntry): Record<string, unknown> {
  return { path, bytes: size.bytes, whole: size.whole };
}

function keptJson({ worktree, removal, problem }: Kept): Record<string, unknown> {
  return {
    name: worktree.name,
    path: worktree.path,
    obstacles: removal?.obstacles ?? [],
    error: failureJson(problem).error,
  };
}
