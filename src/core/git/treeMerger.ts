import type { Conversation } from './conversation.ts';
import type { Git } from './git.ts';
import { objectId } from './objectId.ts';
import { ObjectWriter } from './objectWriter.ts';

/** An entry of a tree object. */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

const folderMode = '40000';

/** Reads a tree object; names as Latin-1 text of their bytes. */
export function parseTree(bytes: Buffer, oidBytes: number): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) break;
    const oid = bytes.toString('hex', end + 1, end + 1 + oidBytes);
    entries.set(bytes.toString('latin1', space + 1, end), { mode: bytes.toString('latin1', at, space), oid });
    at = end + 1 + oidBytes;
  }
  return entries;
}

/** A tree object, as {@link parseTree} reads it: sorted as git does, a folder's name as if a slash were behind it. */
export function formatTree(entries: ReadonlyMap<string, TreeEntry>): Buffer {
  const keyed = [...entries].map(([name, entry]) => ({
    key: entry.mode === folderMode ? `${name}/` : name,
    name,
    entry,
  }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
  return Buffer.concat(
    keyed.flatMap(({ name, entry }) => [
      Buffer.from(`${entry.mode} ${name}\0`, 'latin1'),
      Buffer.from(entry.oid, 'hex'),
    ]),
  );
}

/**
 * Merges trees as far as that is trivial: every file and folder was changed on one side only. All else, renames among it, is for
 * `git merge-tree`; but most commits of a stack touch what nobody else has, and a process for each of them would take longer than
 * everything else.
 */
export class TreeMerger {
  readonly #reader: Conversation;
  readonly #writer: ObjectWriter;
  readonly #known = new Map<string, ReadonlyMap<string, TreeEntry>>();
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param reader `git cat-file --batch`.
   * @param writer `git mktree -z --batch --missing`.
   */
  constructor(reader: Conversation, writer: Conversation) {
    this.#reader = reader;
    this.#writer = new ObjectWriter(writer);
  }

  /** The merged tree; `undefined` when it is not trivial. It can be read once {@link settled} has ended. */
  merge(base: string, ours: string, theirs: string): Promise<string | undefined> {
    return this.#inTurn(() => this.#merge(base, ours, theirs)).then((tree) => (tree === '' ? undefined : tree));
  }

  /** One task at a time: questions and answers must not mix. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#last.then(task);
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** What a tree has at a path, its parts as Latin-1 text of their bytes. */
  entryAt(tree: string, path: readonly string[]): Promise<TreeEntry | undefined> {
    return this.#inTurn(async () => {
      let at: TreeEntry = { mode: folderMode, oid: tree };
      for (const name of path) {
        const found = at.mode === folderMode ? (await this.#read(at.oid))?.get(name) : undefined;
        if (!found) return undefined;
        at = found;
      }
      return at;
    });
  }

  /** A tree with another entry at a path that it has. It can be read once {@link settled} has ended. */
  withEntry(tree: string, path: readonly string[], entry: TreeEntry): Promise<string> {
    const within = async (oid: string, [name = '', ...rest]: readonly string[]): Promise<string> => {
      const entries = new Map(await this.#read(oid));
      const inner = entries.get(name);
      const next = rest.length === 0 || !inner ? entry : { ...inner, oid: await within(inner.oid, rest) };
      return this.#write(entries.set(name, next), tree);
    };
    return this.#inTurn(() => within(tree, path));
  }

  /** The bytes of a file; `undefined` for what is none. */
  blob(oid: string): Promise<Buffer | undefined> {
    return this.#inTurn(() => this.#readObject(oid, 'blob'));
  }

  /**
   * Waits until all merged trees are written.
   *
   * @throws Problem `git-failed` when one could not be.
   */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** @returns also an empty text, for a tree that nothing is left in. */
  async #merge(base: string, ours: string, theirs: string): Promise<string | undefined> {
    if (base === ours) return theirs;
    if (base === theirs || ours === theirs) return ours;
    const [old, mine, other] = [await this.#read(base), await this.#read(ours), await this.#read(theirs)];
    if (!old || !mine || !other) return undefined;
    const merged = new Map(mine);
    for (const name of new Set([...old.keys(), ...mine.keys(), ...other.keys()])) {
      const [before, here, there] = [old.get(name), mine.get(name), other.get(name)];
      // What both have deleted one of them may have renamed.
      if (before && !here && !there) return undefined;
      if (isSame(here, there) || isSame(before, there)) continue;
      if (isSame(before, here)) {
        if (there) merged.set(name, there);
        else merged.delete(name);
        continue;
      }
      if (before?.mode !== folderMode || here?.mode !== folderMode || there?.mode !== folderMode) return undefined;
      const oid = await this.#merge(before.oid, here.oid, there.oid);
      if (oid === undefined) return undefined;
      if (oid === '') merged.delete(name);
      else merged.set(name, { mode: folderMode, oid });
    }
    return merged.size === 0 ? '' : this.#write(merged, ours);
  }

  async #read(oid: string): Promise<ReadonlyMap<string, TreeEntry> | undefined> {
    const known = this.#known.get(oid);
    if (known) return known;
    const bytes = await this.#readObject(oid, 'tree');
    if (!bytes) return undefined;
    const entries = parseTree(bytes, oid.length / 2);
    this.#known.set(oid, entries);
    return entries;
  }

  async #readObject(oid: string, wanted: 'tree' | 'blob'): Promise<Buffer | undefined> {
    this.#reader.say(`${oid}\n`);
    const [, kind, size] = ((await this.#reader.line()) ?? '').split(' ');
    const bytes = size === undefined ? undefined : await this.#reader.bytes(Number(size) + 1);
    return kind === wanted ? bytes?.subarray(0, -1) : undefined;
  }

  /** @param like any id of this repository. */
  #write(entries: ReadonlyMap<string, TreeEntry>, like: string): string {
    const oid = objectId('tree', formatTree(entries), like);
    // The same tree again, for another commit, is written already.
    if (this.#known.has(oid)) return oid;
    this.#known.set(oid, entries);
    const kindOf = (mode: string): string => (mode === folderMode ? 'tree' : mode === '160000' ? 'commit' : 'blob');
    this.#writer.write(oid, () => {
      const lines = [...entries].map(
        ([name, entry]) => `${entry.mode.padStart(6, '0')} ${kindOf(entry.mode)} ${entry.oid}\t${name}\0`,
      );
      return Buffer.from(`${lines.join('')}\0`, 'latin1');
    });
    return oid;
  }
}

/** Runs something with a {@link TreeMerger}. */
export function withTreeMerger<T>(
  git: Git,
  commonDir: string,
  signal: AbortSignal | undefined,
  task: (merger: TreeMerger) => Promise<T>,
): Promise<T> {
  const at = { signal };
  return git.in(commonDir).converse(['cat-file', '--batch'], at, (reader) =>
    git.in(commonDir).converse(['mktree', '-z', '--batch', '--missing'], { ...at, writes: true }, async (writer) => {
      const merger = new TreeMerger(reader, writer);
      const result = await task(merger);
      await merger.settled();
      return result;
    }),
  );
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one === other || (one?.mode === other?.mode && one?.oid === other?.oid);
}
