import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import type { Git } from './git.ts';
import { parseIndexEntries } from './indexEntries.ts';

/** A file as a tree or the index has it. */
export interface Blob {
  /** In octal, as git writes it: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
  readonly mode: string;
  readonly oid: string;
}

/** The entries of the index for one path: stage 0, or 1 to 3 while it is in conflict. */
export type StageBlobs = readonly [Blob | undefined, Blob | undefined, Blob | undefined, Blob | undefined];

const noStages: StageBlobs = [undefined, undefined, undefined, undefined];

/** How the readers below are run. */
export interface ReadOptions {
  /** The root of the working tree. */
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
}

/** What the index has for some paths, each from the root and literally. */
export async function readStages(
  git: Git,
  paths: readonly string[],
  options: ReadOptions,
): Promise<(path: string) => StageBlobs> {
  const output = await git.text(['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', ...paths], options);
  const found = new Map<string, [Blob?, Blob?, Blob?, Blob?]>();
  for (const { mode, oid, stage, path } of parseIndexEntries(output)) {
    const stages = found.get(path) ?? [];
    stages[stage] = { mode, oid };
    found.set(path, stages);
  }
  return (path) => {
    const stages = found.get(path);
    return stages ? [stages[0], stages[1], stages[2], stages[3]] : noStages;
  };
}

/** What a commit has for some paths; nothing at all for no commit. */
export async function readTree(
  git: Git,
  commit: string | undefined,
  paths: readonly string[],
  options: ReadOptions,
): Promise<ReadonlyMap<string, Blob>> {
  if (commit === undefined) return new Map();
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', ...paths];
  const blobs = new Map<string, Blob>();
  for (const record of await git.nul(args, options)) {
    const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t([^]*)$/.exec(record) ?? [];
    if (mode !== undefined && oid !== undefined && path !== undefined) blobs.set(path, { mode, oid });
  }
  return blobs;
}

/** The texts of blobs, in one process; undefined for one that is no UTF-8 text. A byte order mark stays. */
export async function readBlobs(
  git: Git,
  oids: readonly string[],
  options: ReadOptions & { readonly gitDir?: string },
): Promise<ReadonlyMap<string, string | undefined>> {
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return new Map();
  const here = options.gitDir === undefined ? git : git.in(options.gitDir);
  const bytes = await here.bytes(['cat-file', '--batch'], { ...options, input: `${wanted.join('\n')}\n` });
  const texts = new Map<string, string | undefined>();
  let at = 0;
  for (const oid of wanted) {
    const end = bytes.indexOf('\n', at);
    const [, , size] = bytes.subarray(at, end).toString('utf8').split(' ');
    const from = end + 1;
    at = size === undefined ? from : from + Number(size) + 1;
    texts.set(oid, size === undefined ? undefined : decode(bytes.subarray(from, at - 1)));
  }
  return texts;
}

/** UTF-8 text with its byte order mark; undefined for bytes that are none. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A file that is to stand in the index and in the working tree, or to be gone from both. */
export interface StagedFile {
  /** From the root of the working tree. */
  readonly path: string;
  readonly mode: string;
  /** Undefined takes the file away. */
  readonly text: string | undefined;
}

/**
 * Stages texts byte for byte, with any conflict of their paths resolved, and writes them to the working tree as git writes files
 * there (line ends, links, modes). What stood in the working tree is overwritten.
 *
 * @throws Problem with git's own words.
 */
export async function stageTexts(git: Git, files: readonly StagedFile[], options: ReadOptions): Promise<void> {
  if (files.length === 0) return;
  const run = { ...options, writes: true };
  const lines = (paths: readonly StagedFile[]): string => paths.map(({ path }) => `${path}\0`).join('');
  const gone = files.filter(({ text }) => text === undefined);
  if (gone.length > 0)
    await git.text(['update-index', '--force-remove', '-z', '--stdin'], { ...run, input: lines(gone) });
  const kept = files.filter(({ text }) => text !== undefined);
  if (kept.length === 0) return;
  const records = await Promise.all(
    kept.map(async ({ path, mode, text = '' }) => {
      const oid = await git.text(['hash-object', '-w', '--stdin'], { ...run, input: text });
      return `${mode} ${oid.trim()}\t${path}\0`;
    }),
  );
  // The files first, from an index of their own: whoever is killed in between still finds the conflict, and does it all again.
  const name = `wt-stage-${randomUUID()}`;
  const index = resolve(options.cwd, (await git.text(['rev-parse', '--git-path', name], options)).trim());
  try {
    const aside = { ...run, variables: { GIT_INDEX_FILE: index } };
    await git.text(['update-index', '--add', '-z', '--index-info'], { ...aside, input: records.join('') });
    await git.text(['checkout-index', '--force', '-z', '--stdin'], { ...aside, input: lines(kept) });
  } finally {
    await rm(index, { force: true });
  }
  await git.text(['update-index', '-z', '--index-info'], { ...run, input: records.join('') });
  // Once more, so that the index knows the times of the files.
  await git.text(['checkout-index', '--force', '--index', '-z', '--stdin'], { ...run, input: lines(kept) });
}
