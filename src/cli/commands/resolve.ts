import { resolve } from 'node:path';
import { resolveSessionFiles, type Resolution, type ResolvedFile } from '../../core/merge/resolveSession.ts';
import type { SessionFileState } from '../../core/merge/decideSessionFiles.ts';
import type { CommandRun } from '../command.ts';
import { readSides } from '../../core/merge/conflictSides.ts';
import { unnamedSides, type SideNames } from '../../core/session/reasonMessage.ts';
import { holderOf } from '../../core/worktree/find.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { entryText, isWorthTelling } from '../mergeMessages.ts';
import { openWorkspace, requireWorktree } from '../context.ts';
import { oneLine } from '../factLabels.ts';
import type { Output } from '../output.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, words) => {
  const { output, environment, signal } = cli;
  const { workspace, location } = await openWorkspace(cli);
  const root = requireWorktree(location);
  const files = words.map((word) => resolve(environment.cwd, word));
  // Read before it is resolved: what git is in the middle of tells the names.
  const names = output.json ? unnamedSides : await namesOf(workspace, root, signal);
  const resolution = await resolveSessionFiles(workspace, { root, gitDir: location.gitDir, files, signal });
  const done = resolution.left.length === 0;
  if (output.json) output.answerJson(resolutionJson(resolution));
  else tellResolution(output, resolution, names);
  return done ? 0 : 1;
};

/** The branches that are merged, as far as git and the worktrees tell. Names stop nobody: what cannot be read has none. */
async function namesOf(workspace: Workspace, root: string, signal: AbortSignal): Promise<SideNames> {
  const snapshot = await readSnapshot(workspace, { signal }).catch(() => undefined);
  const worktree = snapshot && (await holderOf(snapshot, root));
  const sides = worktree && (await readSides(workspace.git, snapshot, worktree).catch(() => undefined));
  return { ours: sides?.ours ?? unnamedSides.ours, theirs: sides?.theirs ?? unnamedSides.theirs };
}

const stateText: Readonly<Record<SessionFileState, (names: SideNames) => string>> = {
  absent: () => 'neither side has it',
  git: () => 'as git merged it',
  merged: () => 'merged',
  kept: ({ theirs }) => `kept, although it was deleted in ${oneLine(theirs)}`,
  deleted: () => 'stays deleted',
  unknown: () => 'left as it is',
};

function tellResolution(output: Output, { files, left, next }: Resolution, names: SideNames): void {
  const { bold, yellow } = output.colours;
  for (const file of files) {
    output.answer(
      `${bold(file.path)}: ${stateText[file.state](names)}${file.unknown === undefined ? '' : ` (${file.unknown})`}`,
    );
    for (const entry of file.outcome?.known ? file.outcome.entries : []) {
      if (!isWorthTelling(entry)) continue;
      const text = entryText(entry, names);
      output.answer(`  ${entry.needsLook ? yellow(text) : text}`);
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
