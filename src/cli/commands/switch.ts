import { quoted } from '../../core/base/quoted.ts';
import { Problem } from '../../core/base/problem.ts';
import { hooksJson } from '../../core/hooks/hookJson.ts';
import { switchTo } from '../../core/hooks/switchTo.ts';
import { textOf } from '../../core/messages/message.ts';
import { worktreeMessages } from '../../core/messages/worktree.ts';
import { findWorktree, holderOf } from '../../core/worktree/find.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import { noteSwitch, previousWorktree } from '../../core/worktree/previousWorktree.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { activeJson } from '../activeJson.ts';
import { cliMessages } from '../cliMessages.ts';
import type { CommandLine, CommandRun, PassedExitCode } from '../command.ts';
import { openSnapshot } from '../context.ts';
import { hookTalk } from '../hookTalk.ts';
import { pickWorktree, refuseWithoutTerminal } from '../pickWorktree.ts';
import { hintOnShell } from '../shellHint.ts';

/** As fzf and shells say that a person broke off. */
const brokenOff = 130 as PassedExitCode;

export const run: CommandRun = async (cli, [word], options) => {
  const { output, shell } = cli;
  if (word === undefined) refuseWithoutTerminal(cli);
  const { workspace, snapshot } = await openSnapshot(cli);
  const standing = shell.follows ? await holderOf(snapshot, shell.folder) : undefined;
  const now = standing?.path ?? placeNow(cli, workspace, snapshot);
  const worktree = await worktreeOf(cli, workspace, snapshot, word, now);
  if (!worktree) {
    output.tell(cliMessages.nothingPicked());
    return brokenOff;
  }
  const { active, results, notes } = await switchTo(workspace, worktree, hookTalk(cli, options));
  await noteSwitch(workspace.repository, now, worktree.path);
  // Who stands deep inside of it stays there.
  const goes = shell.follows && options['cd'] !== false;
  if (goes && standing?.path !== worktree.path) shell.lead(worktree.path);
  output.done();
  for (const note of notes) output.tell(textOf(note));
  if (output.json) output.answerJson({ ...activeJson(active), hooks: hooksJson(results) });
  else {
    // At the prompt the shell shows where it is.
    if (!goes || output.width === undefined) output.answer(active.path);
    output.tell(`${worktree.name} is now the active worktree.`);
    if (options['cd'] !== false) await hintOnShell(cli);
  }
  return 0;
};

/** Where a person is: in a shell that follows its folder; else the active worktree, which is all that a switch changes for them. */
function placeNow({ shell }: CommandLine, { here }: Workspace, { worktrees }: Snapshot): string | undefined {
  const active = shell.follows ? undefined : worktrees.find((each) => each.active);
  return active?.path ?? here?.root;
}

async function worktreeOf(
  cli: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  word: string | undefined,
  now: string | undefined,
): Promise<Worktree | undefined> {
  if (word === undefined) return pickWorktree(cli, workspace);
  if (word !== '-') return findWorktree(snapshot, word, cli.environment.cwd);
  const path = await previousWorktree(workspace.repository, now);
  if (path === undefined)
    throw new Problem('not-found', cliMessages.noPrevious(), {
      ...{ next: cliMessages.nameWorktreeOrBack(), outcome: 'incomplete' },
    });
  const found = await findWorktree(snapshot, path, cli.environment.cwd).catch(() => undefined);
  if (found) return found;
  throw new Problem('not-found', cliMessages.previousGone({ path: quoted(path) }), {
    ...{ next: worktreeMessages.useOneNames(), outcome: 'incomplete' },
    items: snapshot.worktrees.filter(({ main }) => !main).map(({ name }) => name),
  });
}
