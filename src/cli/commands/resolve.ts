import { resolve } from 'node:path';
import { resolveSessionFiles, type Resolution, type ResolvedFile } from '../../core/merge/resolveSession.ts';
import type { SessionFileState } from '../../core/merge/sessionFiles.ts';
import type { CommandRun } from '../command.ts';
import { entryText, isWorthTelling } from '../mergeMessages.ts';
import { openWorkspace, requireWorktree } from '../context.ts';
import type { Output } from '../output.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, words) => {
  const { output, environment, signal } = cli;
  const { workspace, location } = await openWorkspace(cli);
  const root = requireWorktree(location);
  const files = words.map((word) => resolve(environment.cwd, word));
  const resolution = await resolveSessionFiles(workspace, { root, gitDir: location.gitDir, files, signal });
  const done = resolution.left.length === 0;
  if (output.json) output.answerJson(resolutionJson(resolution));
  else tellResolution(output, resolution);
  return done ? 0 : 1;
};

const stateText: Readonly<Record<SessionFileState, string>> = {
  absent: 'neither side has it',
  git: 'as git merged it',
  merged: 'merged',
  kept: 'kept, although theirs deleted it',
  deleted: 'stays deleted',
  unknown: 'left as it is',
};

function tellResolution(output: Output, { files, left, next }: Resolution): void {
  const { bold, yellow } = output.colours;
  for (const file of files) {
    output.answer(
      `${bold(file.path)}: ${stateText[file.state]}${file.unknown === undefined ? '' : ` (${file.unknown})`}`,
    );
    for (const entry of file.outcome?.known ? file.outcome.entries : []) {
      if (isWorthTelling(entry)) output.answer(`  ${entry.needsLook ? yellow(entryText(entry)) : entryText(entry)}`);
    }
    if (file.replaced !== undefined) {
      output.tell(`The previous text of ${file.path} is kept for a while: \`git cat-file -p ${file.replaced}\`.`);
    }
  }
  if (files.length === 0) output.tell('No session file is in conflict.');
  if (left.length > 0) output.tell(['Still in conflict:', ...left.map((path) => `  ${path}`)].join('\n'));
  if (next !== undefined) output.tell(`${output.messageColours.cyan('next:')} ${textOf(next)}`);
}

function resolutionJson({ operation, files, left, next }: Resolution): unknown {
  return {
    success: left.length === 0,
    operation: operation ?? null,
    files: files.map(fileJson),
    left,
    next: next ?? null,
  };
}

function fileJson({ kind, path, state, unknown, changed, conflicted, replaced, outcome }: ResolvedFile): unknown {
  return {
    kind,
    path,
    state,
    unknown: unknown ?? null,
    changed,
    conflicted,
    replaced: replaced ?? null,
    entries: (outcome?.known ? outcome.entries : []).map((entry) => ({
      id: entry.id,
      section: entry.section,
      name: entry.name,
      reason: entry.reason,
      needs_look: entry.needsLook,
      choice: entry.choice,
      base: entry.base ?? null,
      ours: entry.ours ?? null,
      theirs: entry.theirs ?? null,
      result: entry.result ?? null,
    })),
  };
}
