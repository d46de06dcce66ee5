import { gitMessages } from '../messages/git.ts';
import type { Message } from '../messages/message.ts';
import type { Git } from './git.ts';
import { fieldsOf } from './repositoryGit.ts';

/** An entry of git's index. */
export interface IndexEntry {
  /** Six octal digits. */
  readonly mode: string;
  readonly oid: string;
  /** 0: merged; 1: base, 2: ours, 3: theirs. */
  readonly stage: 0 | 1 | 2 | 3;
  readonly path: string;
}

/** The mode of a submodule's entry. */
export const gitlink = '160000';

/** Reads the output of `git ls-files --stage -z`. */
export function parseIndexEntries(output: string): IndexEntry[] {
  return fieldsOf(output).flatMap((record) => {
    const [, mode, oid, stage, path] = /^(\d{6}) ([0-9a-f]+) ([0-3])\t([^]*)$/.exec(record) ?? [];
    if (mode === undefined || oid === undefined || path === undefined) return [];
    return [{ mode, oid, stage: Number(stage) as IndexEntry['stage'], path }];
  });
}

/** The entries in conflict, by path, in git's order. @param paths only these; every one by default. */
export async function unmergedEntries(
  git: Git,
  cwd: string,
  paths: readonly string[] = [],
  signal?: AbortSignal,
): Promise<Map<string, IndexEntry[]>> {
  const args = ['--literal-pathspecs', 'ls-files', '--unmerged', '-z', '--', ...paths];
  return byPath(parseIndexEntries(await git.text(args, { cwd, signal })));
}

/** Entries by their paths, in their order. */
export function byPath(entries: readonly IndexEntry[]): Map<string, IndexEntry[]> {
  const found = new Map<string, IndexEntry[]>();
  for (const entry of entries) found.set(entry.path, [...(found.get(entry.path) ?? []), entry]);
  return found;
}

/** Puts entries into the index as they are given; one of stage 0 ends a conflict of its path. Working files stay as they are. */
export async function stageEntries(
  git: Git,
  cwd: string,
  entries: readonly IndexEntry[],
  variables?: Readonly<Record<string, string>>,
): Promise<void> {
  if (entries.length === 0) return;
  const input = entries.map(({ mode, oid, stage, path }) => `${mode} ${oid} ${stage}\t${path}\0`).join('');
  const options = { cwd, input, writes: true, ...(variables ? { variables } : {}) };
  await git.text(['update-index', '-z', '--index-info'], options);
}

/** Writes files as the index has them, and lets the index know their times. What stands there is overwritten. */
export async function checkOutEntries(git: Git, cwd: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join('');
  await git.text(['checkout-index', '--force', '--index', '-z', '--stdin'], { cwd, input, writes: true });
}

/** A path in conflict and what happened to it, from the stages that it has. */
export function conflictWords(path: string, entries: readonly IndexEntry[]): Message {
  switch (entries.map(({ stage }) => stage).join('')) {
    case '123':
      return gitMessages.bothChanged({ path });
    case '23':
      return gitMessages.bothAdded({ path });
    case '12':
      return gitMessages.deletedInTheirs({ path });
    case '13':
      return gitMessages.deletedInOurs({ path });
    case '1':
      return gitMessages.bothMovedOrDeleted({ path });
    case '2':
      return gitMessages.addedInOurs({ path });
    case '3':
      return gitMessages.addedInTheirs({ path });
    default:
      return gitMessages.inConflict({ path });
  }
}
