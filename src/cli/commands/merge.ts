import { Problem } from '../../core/base/problem.ts';
import { abortMerge } from '../../core/merge/abort.ts';
import { isRemovalOfferedAfter } from '../../core/merge/finished.ts';
import { mergeWorktree } from '../../core/merge/mergeWorktree.ts';
import type { Aborted, Merged, MergedSessionFile, SubmoduleFate } from '../../core/merge/model.ts';
import { previewMerge } from '../../core/merge/preview.ts';
import { findMergeSource } from '../../core/merge/source.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import { quoted } from '../../core/base/quoted.ts';
import { hooksJson } from '../../core/hooks/hookJson.ts';
import { hookTalk } from '../hookTalk.ts';
import { askYesNo } from '../ask.ts';
import { textOption, type CommandLine, type CommandRun } from '../command.ts';
import { oneLine } from '../factLabels.ts';
import { openWorkspace, readFollowing, requireWorktree } from '../context.ts';
import { syncAlongside } from '../database.ts';
import type { Output } from '../output.ts';
import { mergedFilesJson } from '../mergedJson.ts';
import { reportPreview } from '../mergePreview.ts';
import { offerRemoval, removalOffer, type RemovalOffer } from '../offerRemoval.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOf } from '../../core/messages/message.ts';
import { reasonMessage } from '../../core/session/reasonMessage.ts';

export const run: CommandRun = async (cli, [word = ''], options) => {
  const { output, environment, signal } = cli;
  const { workspace, location } = await openWorkspace(cli);
  const into = requireWorktree(location);
  const { snapshot } = await readFollowing(cli, workspace);
  const message = textOption(options, 'message');
  if (options['abort'] === true) {
    if (options['dryRun'] === true) throw new Problem('usage', cliMessages.abortHasNoDryRun());
    if (message !== undefined) throw new Problem('usage', cliMessages.abortMakesNo());
    const found = await findWorktree(snapshot, word, environment.cwd).catch(() => undefined);
    const aborted = await abortMerge(workspace, found?.name ?? word, into, { signal, progress: output.progress });
    output.done();
    if (output.json) output.answerJson({ success: true, ...abortedJson(aborted) });
    else tellAborted(aborted, output);
    return 0;
  }
  const source = await findMergeSource(workspace, snapshot, word, environment.cwd, signal);
  if (options['dryRun'] === true) {
    output.progress('Merging in memory');
    const preview = await previewMerge(workspace, { source, into, message }, { signal });
    output.done();
    return reportPreview(output, preview);
  }
  const merged = await mergeWorktree(
    workspace,
    { source, into, message },
    {
      ...hookTalk(cli, options),
      commitNotes: options['commitNotes'] === true,
      approve: options['approve'] === true,
      ...(cli.mayAsk ? { approveChecks: (command: string) => ask(cli, command) } : {}),
      onOutput: (text) => output.pass(text),
      progress: output.progress,
      signal,
    },
  );
  if (merged.commit !== undefined) await syncAlongside(cli, workspace, snapshot, { names: [source.name] });
  output.done();
  const left = source.notes.length > 0;
  const isOffered = await isRemovalOfferedAfter(workspace, snapshot, merged, { path: source.path, into, left });
  const offer = isOffered
    ? await removalOffer(cli, workspace, { name: source.name, path: source.path ?? '' })
    : undefined;
  if (output.json) {
    output.answerJson({ success: true, ...mergedJson(merged), next: nextOf(merged, offer) });
    return 0;
  }
  tellMerged(
    merged,
    output,
    (await workspace.git.line(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: into })) ?? 'HEAD',
  );
  output.answer(merged.commit ?? '');
  if (merged.operation !== undefined && merged.submodules.length === 0) output.tell('`wt undo` undoes it.');
  return offer ? offerRemoval(cli, offer) : 0;
};

/** The commands to go on with. */
function nextOf({ name, checks }: Merged, offer: RemovalOffer | undefined): string[] {
  if (checks.state === 'unapproved') return [approveCommand(name)];
  return offer ? [offer.command] : [];
}

const approveCommand = (name: string): string => `wt merge ${quoted(name)} --approve`;

async function ask({ output, signal }: CommandLine, command: string): Promise<boolean> {
  output.done();
  output.tell(`These checks are to run on what was merged: ${oneLine(command)}`);
  return askYesNo('Run them here, and after later merges as long as they stay the same?', signal);
}

const fateText: Readonly<Record<SubmoduleFate, string>> = {
  merged: 'merged',
  forwarded: 'moved on',
  contained: 'has it all already',
  taken: 'recorded; it is not checked out here',
};

function tellMerged(merged: Merged, output: Output, into: string): void {
  const { name, branch, state, commit, submodules, sessionFiles, checks, backups, notes } = merged;
  const names = { ours: into, theirs: branch };
  if (commit === undefined) output.tell(`${name} has nothing to merge.`);
  else output.tell(state === 'merged' ? `Merged ${name} (${branch}).` : `${name} was merged before.`);
  for (const { path, fate } of submodules) output.tell(`  submodule ${path}: ${fateText[fate]}`);
  for (const file of sessionFiles) {
    output.tell(`  ${file.path}: ${sessionText(file)}`);
    for (const { name: what, reason } of file.entries.filter(({ needsLook }) => needsLook))
      output.tell(`    to review: ${oneLine(what)} (${oneLine(textOf(reasonMessage(reason, names)))})`);
    for (const { section, name: what } of file.entries.filter(isLeftBehind)) {
      output.tell(`    left behind: ${section === '' ? '' : `${oneLine(section)}: `}${oneLine(what)}`);
    }
  }
  if (checks.state === 'passed') output.tell(`  checks passed: ${oneLine(checks.command ?? '')}`);
  for (const { what, ref, restore } of backups) output.tell(`  Kept in ${ref}: ${textOf(what)}. To see it: ${restore}`);
  for (const note of notes) output.tell(`  ${textOf(note)}`);
  if (checks.state === 'unapproved') {
    output.tell(`The files of the repository suggest these checks: ${oneLine(checks.command ?? '')}`);
    output.tell(`${output.messageColours.cyan('next:')} \`${approveCommand(name)}\` approves them and runs them`);
  }
}

const isLeftBehind = ({ reason }: MergedSessionFile['entries'][number]): boolean => reason === 'leftBehind';

function sessionText({ state, unknown, entries }: MergedSessionFile): string {
  if (state === 'unknown') return `left as git merged it (${unknown ?? 'unknown shape'})`;
  if (state === 'kept') return 'kept, although it was deleted there';
  if (state === 'deleted') return 'stays deleted';
  const look = entries.filter((entry) => entry.needsLook).length;
  const count = entries.filter((entry) => !isLeftBehind(entry)).length;
  const what = count === 0 ? 'nothing to take' : count === 1 ? '1 entry compared' : `${count} entries compared`;
  return look === 0 ? what : `${what}, ${look} to review`;
}

function tellAborted({ name, submodules, removed, backups, notes }: Aborted, output: Output): void {
  output.tell(`Aborted the merge of ${name}.`);
  for (const path of submodules) output.tell(`  submodule ${path}: as it was`);
  for (const path of removed) output.tell(`  removed ${path}, which the merge had made`);
  for (const { what, ref, restore } of backups)
    output.tell(`  Kept in ${ref}: ${textOf(what)}. To get it back: ${restore}`);
  for (const note of notes) output.tell(`  ${textOf(note)}`);
}

function mergedJson(merged: Merged): Record<string, unknown> {
  const { name, branch, state, commit, submodules, sessionFiles, checks, backups, notes } = merged;
  return {
    name,
    branch,
    state,
    commit: commit ?? null,
    submodules,
    session_files: mergedFilesJson(sessionFiles),
    checks: { state: checks.state, command: checks.command ?? null },
    hooks: hooksJson(merged.hooks ?? []),
    backups,
    notes,
  };
}

function abortedJson({ name, submodules, removed, backups, notes }: Aborted): Record<string, unknown> {
  return { name, state: 'aborted', submodules_put_back: submodules, removed, backups, notes };
}
