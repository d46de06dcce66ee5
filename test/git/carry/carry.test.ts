import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { readOperations } from '../../../src/core/operations/store.ts';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { carryBetween, pictureOf } from '../../support/carries.ts';
import { skipBecause } from '../../support/skip.ts';
import { Stacks } from '../../support/stacks.ts';

/** Twenty lines, so that changes at both ends merge. */
const lines = (first = '1', last = '20'): string =>
  [first, ...Array.from({ length: 18 }, (_, index) => `${index + 2}`), last].join('\n').concat('\n');

describe('carrying uncommitted work', function () {
  this.timeout(300_000);
  let at: Stacks;
  const path = (name: string, ...rest: string[]): string =>
    join(name === 'main' ? at.repository.root : at.path(name), ...rest);
  const picture = (name: string): Promise<Record<string, string>> => pictureOf(at.repository, path(name));
  const both = async (): Promise<unknown> => [await picture('a'), await picture('b')];
  const status = (name: string): Promise<string> => at.git(name, 'status', '--porcelain', '--untracked-files=all');
  const text = (...names: [string, ...string[]]): string => readFileSync(path(...names), 'utf8');

  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', {
      'both.txt': lines(),
      'one.txt': 'one\n',
      'two.txt': 'two\n',
      'run.sh': 'echo\n',
      'lib/deep/gone.txt': 'gone\n',
      'lib/name.txt': 'a name\nthat stays\nas it is\nfor all lines\n',
      '.gitignore': '*.log\n',
    });
    await at.add('a', 'main');
    await at.add('b', 'main');
  });
  afterEach(() => at.dispose());

  /** Work of every kind in `a`. */
  async function everyKind(): Promise<void> {
    const write = (file: string, content: string | Buffer): void => writeFileSync(path('a', file), content);
    write('both.txt', lines('staged'));
    await at.git('a', 'add', 'both.txt');
    write('both.txt', lines('staged', 'unstaged'));
    write('one.txt', 'unstaged\n');
    write('binary.bin', Buffer.from([0, 1, 2, 255, 0, 13, 10]));
    await at.git('a', 'add', 'binary.bin');
    write('untracked.bin', Buffer.from([255, 0, 13, 10, 7]));
    chmodSync(path('a', 'run.sh'), 0o755);
    symlinkSync('one.txt', path('a', 'link'));
    unlinkSync(path('a', 'two.txt'));
    symlinkSync('nowhere', path('a', 'two.txt'));
    await at.git('a', 'rm', '--quiet', 'lib/deep/gone.txt');
    await at.git('a', 'mv', 'lib/name.txt', 'lib/renamed.txt');
    write('meant.txt', 'meant\n');
    await at.git('a', 'add', '--intent-to-add', 'meant.txt');
    write('ä "b"\t\\n.txt', 'odd\n');
    write('debug.log', 'ignored\n');
  }

  it('brings along what is staged, what is not, and what git does not track, and can be undone and redone', async () => {
    await everyKind();
    const [before, there] = [await picture('a'), await status('a')];
    const start = await both();
    const carried = await carryBetween(at, 'a', 'b');
    assert.equal(carried.files.length, 12);
    assert.deepEqual(carried.notes, []);
    assert.equal(await status('a'), '');
    assert.equal(text('a', 'debug.log'), 'ignored\n');
    assert.equal(await status('b'), there);
    const after = await both();
    const withoutIgnored = ({ 'file debug.log': _, status: said = '', ...rest }: Record<string, string>): unknown => ({
      ...rest,
      status: said.replace('\n! debug.log', ''),
    });
    assert.deepEqual(await picture('b'), withoutIgnored(before));
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
    await redo(at.workspace);
    assert.deepEqual(await both(), after);
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
    assert.equal(await at.repository.git('fsck', '--no-dangling'), '');
  });

  it('leaves a copy where it was, when asked to', async () => {
    await everyKind();
    const before = await picture('a');
    const clean = await picture('b');
    await carryBetween(at, 'a', 'b', 'copy');
    assert.deepEqual(await picture('a'), before);
    assert.equal(await status('b'), await status('a'));
    await undo(at.workspace);
    assert.deepEqual([await picture('a'), await picture('b')], [before, clean]);
  });

  it('merges it with what another commit has', async () => {
    await at.commit('b', 'Elsewhere', { 'both.txt': lines('1', 'theirs') });
    await at.commit('a', 'Longer', { 'two.txt': 'two\n2\n3\n4\n' });
    writeFileSync(path('a', 'both.txt'), lines('mine'));
    await at.git('a', 'add', 'both.txt');
    writeFileSync(path('a', 'new.txt'), 'new\n');
    const start = await both();
    await carryBetween(at, 'a', 'b');
    assert.equal(text('b', 'both.txt'), lines('mine', 'theirs'));
    assert.equal(await status('b'), 'M  both.txt\n?? new.txt');
    assert.equal(await status('a'), '');
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
  });

  it('follows a file that was renamed there', async () => {
    await at.git('b', 'mv', 'both.txt', 'renamed.txt');
    await at.commit('b', 'Renamed', {});
    writeFileSync(path('a', 'both.txt'), lines('mine'));
    await carryBetween(at, 'a', 'b');
    assert.equal(text('b', 'renamed.txt'), lines('mine'));
    assert.equal(await status('b'), ' M renamed.txt');
  });

  const refused = async (mode: 'move' | 'copy', expected: Partial<Problem>): Promise<void> => {
    const before = await both();
    await assert.rejects(carryBetween(at, 'a', 'b', mode), (thrown: unknown) => {
      assert.ok(Problem.is(thrown), String(thrown));
      const { reason, items, outcome } = thrown;
      assert.deepEqual({ id: thrown.what.id, reason, items, outcome }, { outcome: 'incomplete', ...expected });
      assert.ok(thrown.next ?? reason === 'not-found', 'it has a next step');
      return true;
    });
    assert.deepEqual(await both(), before);
    assert.equal((await readOperations(at.workspace)).length, 0);
    assert.equal(await at.repository.git('for-each-ref', 'refs/wt-backup'), '');
  };

  it('touches nothing where files would conflict, and names them', async () => {
    await at.commit('b', 'Theirs', { 'one.txt': 'theirs\n', 'new.txt': 'theirs\n' });
    writeFileSync(path('a', 'one.txt'), 'mine\n');
    writeFileSync(path('a', 'new.txt'), 'mine\n');
    writeFileSync(path('a', 'two.txt'), 'fits\n');
    await refused('move', { id: 'carry.wouldConflict', reason: 'conflicts', items: ['new.txt', 'one.txt'] } as never);
    unlinkSync(path('a', 'new.txt'));
    unlinkSync(path('a', 'one.txt'));
    await refused('copy', { id: 'carry.wouldConflict', reason: 'conflicts', items: ['one.txt'] } as never);
  });

  it('touches nothing where what is staged does not fit by itself', async () => {
    writeFileSync(path('a', 'one.txt'), 'staged\n');
    await at.git('a', 'add', 'one.txt');
    writeFileSync(path('a', 'one.txt'), 'final\n');
    await at.commit('b', 'Theirs', { 'one.txt': 'final\n' });
    await refused('move', { id: 'carry.stagedWouldConflict', reason: 'conflicts', items: ['one.txt'] } as never);
  });

  it('keeps uncommitted work there where no file is in both', async () => {
    writeFileSync(path('a', 'one.txt'), 'mine\n');
    writeFileSync(path('b', 'two.txt'), 'theirs\n');
    writeFileSync(path('b', 'new.txt'), 'theirs\n');
    await at.git('b', 'add', 'two.txt');
    writeFileSync(path('b', 'two.txt'), 'theirs, unstaged\n');
    const start = await both();
    await carryBetween(at, 'a', 'b');
    assert.equal(await status('b'), ' M one.txt\nMM two.txt\n?? new.txt');
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
  });

  it('refuses where a file is not committed there either', async () => {
    writeFileSync(path('b', 'both.txt'), lines('1', 'theirs'));
    writeFileSync(path('a', 'both.txt'), lines('mine'));
    await refused('move', { id: 'carry.overlaps', reason: 'dirty', items: ['both.txt'] } as never);
  });

  it('refuses where an ignored file is in the way, also in place of a folder', async () => {
    await at.commit('b', 'Ignore', { '.gitignore': '*.log\nnotes.txt\nbuild\n' });
    writeFileSync(path('b', 'notes.txt'), 'secret\n');
    writeFileSync(path('b', 'build'), 'a file\n');
    writeFileSync(path('a', 'notes.txt'), 'mine\n');
    await at.repository.write(path('a', 'build/out.txt'), 'mine\n');
    await refused('move', { id: 'carry.overlaps', reason: 'dirty', items: ['build', 'notes.txt'] } as never);
    unlinkSync(path('b', 'notes.txt'));
    unlinkSync(path('b', 'build'));
    const start = await both();
    await carryBetween(at, 'a', 'b');
    assert.equal(text('b', 'build/out.txt'), 'mine\n');
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
  });

  it('refuses while git has something under way, or there are conflicts', async () => {
    await at.commit('a', 'Mine', { 'one.txt': 'mine\n' });
    await at.commit('b', 'Theirs', { 'one.txt': 'theirs\n' });
    await at.git('a', 'merge', '--quiet', 'b').catch(() => undefined);
    await refused('move', { id: 'carry.busy', reason: 'in-use', items: [] } as never);
    rmSync(join(at.repository.root, '.git/worktrees/a/MERGE_HEAD'));
    await refused('move', { id: 'carry.hasConflicts', reason: 'conflicts', items: ['one.txt'] } as never);
    await at.git('a', 'reset', '--quiet', '--hard');
    writeFileSync(path('a', 'two.txt'), 'mine\n');
    writeFileSync(join(at.repository.root, '.git/worktrees/b/index.lock'), '');
    await refused('move', { id: 'carry.busy', reason: 'locked-by-another', items: [] } as never);
  });

  it('refuses where there is nothing to carry', async () => {
    writeFileSync(path('a', 'debug.log'), 'ignored\n');
    await refused('move', { id: 'carry.nothingToCarry', reason: 'not-found', items: [] } as never);
  });

  it('is not undone where either worktree has changed since, and says what', async () => {
    await everyKind();
    await carryBetween(at, 'a', 'b');
    writeFileSync(path('b', 'one.txt'), 'more\n');
    writeFileSync(path('a', 'untracked.bin'), 'again\n');
    await at.git('b', 'restore', '--staged', 'binary.bin');
    const before = await both();
    await assert.rejects(undo(at.workspace), (thrown: unknown) => {
      assert.ok(Problem.is(thrown));
      assert.deepEqual(thrown.items, ['a: untracked.bin', 'b: binary.bin', 'b: one.txt']);
      assert.match(thrown.next ?? '', /refs\/wt-backup/);
      return true;
    });
    assert.deepEqual(await both(), before);
    await at.git('b', 'commit', '--quiet', '-m', 'Committed');
    await assert.rejects(undo(at.workspace), { message: /another commit is checked out in b/ });
  });

  it('leaves repositories of their own, hidden changes, and names them', async () => {
    writeFileSync(path('a', 'one.txt'), 'mine\n');
    writeFileSync(path('a', 'two.txt'), 'hidden\n');
    await at.git('a', 'update-index', '--assume-unchanged', 'two.txt');
    await at.git('a', 'init', '--quiet', 'nested/clone');
    await at.repository.commit('Own', { 'x.txt': 'x\n' }, path('a', 'nested/clone'));
    const { files, notes } = await carryBetween(at, 'a', 'b');
    assert.deepEqual(files, ['one.txt']);
    assert.deepEqual(
      notes.map(({ id, args }) => [id, Object.values(args)]),
      [
        ['carry.leftRepository', ['nested/clone']],
        ['carry.leftHidden', ['two.txt (assume-unchanged)']],
      ],
    );
    assert.equal(text('a', 'two.txt'), 'hidden\n');
    assert.ok(existsSync(path('a', 'nested/clone/x.txt')));
    assert.equal(text('b', 'two.txt'), 'two\n');
  });

  it('stops at hidden changes there', async () => {
    writeFileSync(path('b', 'two.txt'), 'hidden\n');
    await at.git('b', 'update-index', '--skip-worktree', 'two.txt');
    writeFileSync(path('a', 'two.txt'), 'mine\n');
    await refused('move', { id: 'carry.overlaps', reason: 'dirty', items: ['two.txt'] } as never);
  });

  it('keeps line endings that git would not write, to the byte', async () => {
    await at.commit('main', 'Attributes', { '.gitattributes': '*.txt text=auto eol=crlf\n*.id ident\n' });
    for (const name of ['a', 'b']) await at.git(name, 'reset', '--quiet', '--hard', 'main');
    writeFileSync(path('a', 'one.txt'), 'crlf\r\nlf\n');
    writeFileSync(path('a', 'new.txt'), 'lf\nonly\n');
    writeFileSync(path('a', 'x.id'), '$Id: whatever $\n');
    const start = await both();
    await carryBetween(at, 'a', 'b');
    assert.equal(text('b', 'one.txt'), 'crlf\r\nlf\r\n');
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
  });

  it('takes names of any bytes', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'other systems have no names that are not UTF-8');
    const name = Buffer.concat([Buffer.from(`${path('a')}/`), Buffer.from([0xff, 0xfe, 0x0a, 0x41])]);
    writeFileSync(name, 'odd\n');
    const start = await both();
    await carryBetween(at, 'a', 'b');
    assert.equal(await status('a'), '');
    const there = Buffer.concat([Buffer.from(`${path('b')}/`), Buffer.from([0xff, 0xfe, 0x0a, 0x41])]);
    assert.equal(readFileSync(there, 'utf8'), 'odd\n');
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
  });

  it('takes a file that was taken out of the index and is ignored now', async () => {
    await at.git('a', 'rm', '--quiet', '--cached', 'one.txt');
    writeFileSync(path('a', '.gitignore'), '*.log\none.txt\n');
    const start = await both();
    const expected = await status('a');
    await carryBetween(at, 'a', 'b');
    assert.equal(await status('b'), expected);
    assert.equal(text('b', 'one.txt'), 'one\n');
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
  });

  it('turns a file into a folder, and back', async () => {
    unlinkSync(path('a', 'one.txt'));
    await at.repository.write(path('a', 'one.txt/inside.txt'), 'inside\n');
    rmSync(path('a', 'lib'), { recursive: true });
    writeFileSync(path('a', 'lib'), 'a file now\n');
    await at.git('a', 'add', '--all');
    const start = await both();
    await carryBetween(at, 'a', 'b');
    assert.equal(text('b', 'one.txt/inside.txt'), 'inside\n');
    assert.equal(text('b', 'lib'), 'a file now\n');
    await undo(at.workspace);
    assert.deepEqual(await both(), start);
  });

  it('goes into the main working tree, and from before the first commit', async () => {
    writeFileSync(path('a', 'one.txt'), 'mine\n');
    await carryBetween(at, 'a', '@');
    assert.equal(await status('main'), ' M one.txt');
    await at.repository.git('worktree', 'add', '--quiet', '--detach', at.path('c'));
    await at.git('c', 'checkout', '--quiet', '--orphan', 'fresh');
    await at.git('c', 'rm', '--quiet', '-r', '-f', '.');
    await at.repository.write(path('c', 'first.txt'), 'first\n');
    await at.git('c', 'add', 'first.txt');
    await carryBetween(at, 'c', 'b');
    assert.equal(await status('b'), 'A  first.txt');
    assert.equal(await status('c'), '');
    await undo(at.workspace);
    assert.equal(await status('c'), 'A  first.txt');
  });
});
