import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { randomNumbers } from './randomStacks.ts';

/** Names that meet: a folder in place of a file and the other way round, and ignored ones. */
const names = [
  'one.txt',
  'run.sh',
  'swap',
  'swap/in.txt',
  'dir/two.txt',
  'dir/deep/three.txt',
  'dir',
  'x.log',
  'new/é x.txt',
];

/** Runs git in a worktree. */
export type RunGit = (...args: string[]) => Promise<string>;

/** Random changes of files, which are the same for the same seed. Each content that it writes has a word of its own. */
export class RandomWork {
  readonly #random: (below: number) => number;
  readonly #seed: number;
  #words = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = randomNumbers(seed);
  }

  /** Whether something that happens once in so many times happens now. */
  oneIn(count: number): boolean {
    return this.#random(count) === 0;
  }

  /** Changes files and commits all of it. */
  async commit(root: string, git: RunGit, changes: number): Promise<void> {
    for (let left = changes; left > 0; left--) this.#changeFile(root, this.#pick(names));
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '-m', 'Random');
  }

  /** Changes files, of which it stages some, some in part and of some only the name. */
  async leaveUncommitted(root: string, git: RunGit, changes: number): Promise<void> {
    for (let left = changes; left > 0; left--) {
      const name = this.#pick(names);
      const how = this.#random(7);
      this.#changeFile(root, name);
      if (how === 0) await git('add', '--all', '--', '.');
      if (how === 1) {
        await git('add', '--all', '--', '.');
        this.#changeFile(root, name);
      }
      if (how === 2 && kindOf(root, name) === 'file') await git('add', '--intent-to-add', '--force', '--', name);
      if (how === 3 && (await git('ls-files', '--', 'one.txt')) !== '' && kindOf(root, 'one.txt') === 'file')
        await git('mv', '--force', 'one.txt', `moved ${this.#random(2)}.txt`);
      if (how === 4) await git('rm', '--quiet', '-r', '--force', '--cached', '--ignore-unmatch', '--', name);
    }
  }

  #changeFile(root: string, name: string): void {
    const path = join(root, name);
    const kind = kindOf(root, name);
    switch (this.#random(6)) {
      case 0:
        return makeRoom(root, name);
      case 1:
        if (kind === 'file') return chmodSync(path, lstatSync(path).mode ^ 0o111);
        break;
      case 2:
        if (process.platform === 'win32') break;
        makeRoom(root, name);
        return symlinkSync(this.#word(), path);
      case 3:
        makeRoom(root, name);
        return writeFileSync(path, Buffer.from([0, 255, 13, 10, ...Buffer.from(this.#word())]));
    }
    // A line at the beginning or the end: two sides merge where they do not meet.
    const lines = kind === 'file' ? readFileSync(path, 'utf8').split('\n') : ['1', '2', '3', '4', '5', '6', ''];
    if (kind !== 'file') makeRoom(root, name);
    if (this.oneIn(2)) lines.unshift(this.#word());
    else lines.splice(-1, 0, this.#word());
    writeFileSync(path, lines.join('\n'));
  }

  #word(): string {
    return `word-${this.#seed}-${++this.#words}-`;
  }

  #pick(from: readonly string[]): string {
    return from[this.#random(from.length)] ?? '';
  }
}

/** Deletes what is at a path and makes the folders above it, in place of files too. */
function makeRoom(root: string, name: string): void {
  const above = dirname(name);
  if (above !== '.' && kindOf(root, above) !== 'folder') {
    makeRoom(root, above);
    mkdirSync(join(root, above));
  }
  rmSync(join(root, name), { recursive: true, force: true });
}

function kindOf(root: string, name: string): 'file' | 'link' | 'folder' | undefined {
  const above = dirname(name);
  if (above !== '.' && kindOf(root, above) !== 'folder') return undefined;
  const found = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isSymbolicLink()) return 'link';
  return found.isDirectory() ? 'folder' : 'file';
}

/** The words that are in the file or the link at a path. */
export function wordsAt(root: string, name: string): string[] {
  const kind = kindOf(root, name);
  if (kind === 'link') return wordsIn(readlinkSync(join(root, name)));
  return kind === 'file' ? wordsIn(readFileSync(join(root, name), 'latin1')) : [];
}

/** The words of {@link RandomWork} in a text. */
export const wordsIn = (text: string): string[] => text.match(/word-\d+-\d+-/g) ?? [];
