import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from '../../src/core/base/problem.ts';
import type { Carried } from '../../src/core/carry/carry.ts';
import { readOperations } from '../../src/core/operations/store.ts';
import { redo, undo } from '../../src/core/recovery/undo.ts';
import { carryBetween, pictureOf } from './carries.ts';
import { Stacks } from './stacks.ts';

/** The worktrees `a` and `b`, and uncommitted work that goes from the first to the second. */
export class CarryPair {
  readonly at: Stacks;

  constructor(at: Stacks) {
    this.at = at;
  }

  /** Both on a commit of the main worktree with some files. */
  static async start(files: Record<string, string>): Promise<CarryPair> {
    const at = await Stacks.start();
    await at.commit('main', 'Files', files);
    const pair = new CarryPair(at);
    await pair.add();
    return pair;
  }

  /** Makes both worktrees on the commit of the main worktree. */
  async add(): Promise<void> {
    await this.at.add('a', 'main');
    await this.at.add('b', 'main');
  }

  path(name: string, ...rest: string[]): string {
    return join(name === 'main' ? this.at.repository.root : this.at.path(name), ...rest);
  }

  git(name: string, ...args: string[]): Promise<string> {
    return this.at.git(name, ...args);
  }

  status(name: string): Promise<string> {
    return this.git(name, 'status', '--porcelain', '--untracked-files=all', '--ignore-submodules=none');
  }

  write(name: string, file: string, content: string | Buffer): void {
    const path = this.path(name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  text(name: string, file: string): string {
    return readFileSync(this.path(name, file), 'utf8');
  }

  isThere(name: string, file: string): boolean {
    return lstatSync(this.path(name, file), { throwIfNoEntry: false }) !== undefined;
  }

  /** Both worktrees to the byte. */
  async both(): Promise<unknown[]> {
    const pictures = ['a', 'b'].map((name) => pictureOf(this.at.repository, this.path(name)));
    const marks = ['a', 'b'].map((name) => this.git(name, 'ls-files', '-t', '-v'));
    return Promise.all([...pictures, ...marks]);
  }

  carry(mode: 'move' | 'copy' = 'move', from = 'a', to = 'b'): Promise<Carried> {
    return carryBetween(this.at, from, to, mode);
  }

  async undo(): Promise<void> {
    await undo(this.at.workspace);
  }

  /** Undoes what was carried, redoes and undoes it: every time to the byte. @param before of {@link both}. */
  async thereAndBack(before: unknown): Promise<void> {
    const after = await this.both();
    await undo(this.at.workspace);
    assert.deepEqual(await this.both(), before);
    await redo(this.at.workspace);
    assert.deepEqual(await this.both(), after);
    await undo(this.at.workspace);
    assert.deepEqual(await this.both(), before);
  }

  /** It is refused, has touched nothing and left nothing behind. @param around what is done before and after it. */
  async refused(
    expected: { readonly reason: string; readonly id?: string; readonly items?: readonly string[] },
    mode?: 'move' | 'copy',
    around: { readonly before?: () => void; readonly after?: () => void } = {},
  ): Promise<Problem> {
    const before = await this.both();
    around.before?.();
    const thrown = await this.carry(mode).then(
      () => assert.fail('it was carried'),
      (problem: unknown) => problem,
    );
    around.after?.();
    assert.ok(Problem.is(thrown), String(thrown));
    const { reason, items } = thrown;
    const found = { reason, id: thrown.what.id, items };
    assert.deepEqual({ ...found, ...expected }, found, thrown.message);
    await this.untouched(before);
    return thrown;
  }

  /** Both worktrees are as they were, to the byte, and neither log nor refs know of anything. */
  async untouched(before: unknown): Promise<void> {
    assert.deepEqual(await this.both(), before);
    assert.equal((await readOperations(this.at.workspace)).length, 0);
    assert.equal(await this.at.repository.git('for-each-ref', 'refs/wt-backup'), '');
  }

  dispose(): Promise<void> {
    return this.at.dispose();
  }
}
