import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Merges } from '../../support/merges.ts';
import { heard, texts } from '../../support/texts.ts';

describe('a merge with conflicts', () => {
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', { 'a.txt': lines(), 'b.txt': lines(), 'gone.txt': 'gone\n' });
    await merges.at.create('x');
    await merges.commit('x', {
      'a.txt': lines('theirs'),
      'b.txt': lines('theirs'),
      'gone.txt': 'changed\n',
      'new.txt': 'n\n',
    });
    await rm(join(merges.root, 'gone.txt'));
    await merges.commit('', { 'a.txt': lines('ours'), 'b.txt': lines('ours', 'both') });
  });
  afterEach(() => merges.dispose());

  /** A text whose second line and last line can be chosen. */
  function lines(second = '2', last = '9'): string {
    return ['1', second, '3', '4', '5', '6', '7', '8', last, ''].join('\n');
  }
  const read = (file: string): Promise<string> => readFile(join(merges.root, file), 'utf8');
  const status = (): Promise<string> => merges.git('.', 'status', '--porcelain');

  async function resolve(): Promise<void> {
    for (const file of ['a.txt', 'b.txt']) await merges.at.repository.write(file, lines('resolved'));
    await merges.git('.', 'rm', '-q', 'gone.txt');
    await merges.git('.', 'add', 'a.txt', 'b.txt');
  }

  it('stops, leaves them as git does, and names each file and the next steps', async () => {
    const problem = await merges.refusal('x');
    assert.equal(problem.reason, 'conflicts');
    assert.equal(problem.outcome, 'incomplete');
    assert.deepEqual(problem.items, [
      'a.txt (both changed)',
      'b.txt (both changed)',
      'gone.txt (deleted in ours, changed in theirs)',
    ]);
    assert.match(problem.next ?? '', /git add.*wt merge x.*--abort/);
    assert.match(await read('a.txt'), /<<<<<<< [^]*ours\n=======\ntheirs\n>>>>>>> /);
    assert.deepEqual((await merges.refusal('x')).items, problem.items);
  });

  it('goes on with what the person has resolved', async () => {
    await merges.refusal('x');
    await resolve();
    const merged = await merges.merge('x');
    assert.equal(await merges.git('.', 'rev-parse', 'HEAD^2'), await merges.git('.worktrees/x', 'rev-parse', 'HEAD'));
    assert.equal(merged.commit, await merges.git('.', 'rev-parse', 'HEAD'));
    assert.equal(await read('a.txt'), lines('resolved'));
    assert.equal(await read('new.txt'), 'n\n');
    assert.equal(existsSync(join(merges.root, 'gone.txt')), false);
    assert.equal(await status(), '');
  });

  it('still waits while one file is not resolved', async () => {
    await merges.refusal('x');
    await merges.git('.', 'rm', '-q', 'gone.txt');
    await merges.git('.', 'checkout', '-q', '--ours', 'a.txt');
    await merges.git('.', 'add', 'a.txt');
    assert.deepEqual((await merges.refusal('x')).items, ['b.txt (both changed)']);
  });

  it('is never committed with a conflict marker, and names its file and line', async () => {
    await merges.refusal('x');
    await merges.git('.', 'add', '--all');
    const problem = await merges.refusal('x');
    assert.equal(problem.reason, 'conflicts');
    assert.equal(problem.file, join(merges.root, 'a.txt'));
    assert.equal(problem.line, 2);
    assert.match(problem.message, /^a\.txt, line 2: a conflict marker is left/);
    assert.ok(
      problem.items.some((item) => /^a\.txt:4: =======$/.test(item)),
      problem.items.join('\n'),
    );
    await merges.at.repository.write('a.txt', lines('resolved'));
    await merges.at.repository.write('b.txt', `${lines('resolved')}=======\r\n`);
    await merges.git('.', 'add', '--all');
    assert.equal((await merges.refusal('x')).line, 10);
  });

  it('may be about files that hold markers themselves', async () => {
    const about = `${lines()}<<<<<<< like this\n=======\n>>>>>>> and that\n`;
    await merges.at.create('y');
    await merges.commit('y', { 'about.md': about.replace('1\n', '0\n') });
    await merges.commit('', { 'about.md': about });
    const problem = await merges.refusal('y');
    assert.deepEqual(problem.items, ['about.md (both added)']);
    await merges.at.repository.write('about.md', about.replace('1\n', 'one\n'));
    await merges.git('.', 'add', 'about.md');
    assert.equal((await merges.merge('y')).state, 'merged');
  });

  it('can be committed by the person; the next run finds that', async () => {
    await merges.refusal('x');
    await resolve();
    await merges.git('.', 'commit', '-q', '--no-edit');
    const merged = await merges.merge('x');
    assert.deepEqual([merged.state, merged.commit], ['already', await merges.git('.', 'rev-parse', 'HEAD')]);
    assert.match(await merges.git('.', 'log', '-1', '--format=%s'), /^🔀 Merge wt\/x$/);
    assert.equal(existsSync(join(merges.root, '.git/worktree-stacks/operations/_merge.json')), false);
  });

  it('can be taken back by git itself, and begun anew', async () => {
    await merges.refusal('x');
    await merges.git('.', 'merge', '--abort');
    assert.equal((await merges.refusal('x')).reason, 'conflicts');
    await resolve();
    assert.equal((await merges.merge('x')).state, 'merged');
  });

  it('finishes what it began when the branch has gone on meanwhile, and says so', async () => {
    await merges.refusal('x');
    const first = await merges.git('.worktrees/x', 'rev-parse', 'HEAD');
    await merges.commit('x', { 'later.txt': 'later\n' });
    await resolve();
    const merged = await merges.merge('x');
    assert.match(texts(merged.notes).join(), /x has moved on since/);
    assert.equal(await merges.git('.', 'rev-parse', 'HEAD^2'), first);
    assert.equal((await merges.merge('x')).state, 'merged');
    assert.equal(await read('later.txt'), 'later\n');
  });

  it('keeps other merges out until it is done or taken back', async () => {
    await merges.at.create('y');
    await merges.commit('y', { 'y.txt': 'y\n' });
    await merges.refusal('x');
    const problem = await merges.refusal('y');
    assert.equal(problem.reason, 'in-use');
    assert.match(problem.message, /the merge of x is under way/);
    await assert.rejects(merges.abort('y'), { reason: 'in-use', next: 'run `wt merge x --abort`' });
    await merges.abort('x');
    assert.equal((await merges.merge('y')).state, 'merged');
  });

  describe('whose git was killed while it wrote files', () => {
    beforeEach(async () => {
      await merges.commit('', { 'c.txt': lines(), 'd.txt': lines(), 'e.txt': lines(), 'f.txt': lines() });
      await merges.at.create('y');
      await merges.commit('y', {
        'c.txt': lines('theirs'),
        'd.txt': lines('2', 'theirs'),
        'made.txt': 'made\n',
        'f.txt': lines('f'),
      });
      await rm(join(merges.at.path('y'), 'e.txt'));
      await merges.commit('y', {});
      await merges.commit('', { 'd.txt': lines('ours') });
      const killed = await merges.refusal('y', {
        progress: heard((step) => {
          if (step.endsWith(': files')) throw new Error('killed here');
        }),
      });
      assert.equal(killed.message, 'killed here');
      // What it has written until then: theirs, a mixture of both, half a file, a new one; and what it has deleted.
      await merges.at.repository.write('c.txt', lines('theirs'));
      await merges.at.repository.write('d.txt', lines('ours', 'theirs'));
      await merges.at.repository.write('f.txt', '1\nf\n3');
      await merges.at.repository.write('made.txt', 'made\n');
      await rm(join(merges.root, 'e.txt'));
    });

    it('is merged by running it again', async () => {
      assert.equal((await merges.merge('y')).state, 'merged');
      assert.equal(await read('d.txt'), lines('ours', 'theirs'));
      assert.equal(await read('f.txt'), lines('f'));
      assert.equal(await status(), '');
    });

    it('is taken back with all of them', async () => {
      assert.deepEqual((await merges.abort('y')).removed, ['made.txt']);
      assert.equal(await status(), '');
    });

    for (const how of ['merged by running it again', 'taken back'] as const)
      it(`between deleting a file and writing it is ${how}`, async () => {
        await rm(join(merges.root, 'f.txt'));
        if (how === 'taken back') await merges.abort('y');
        else assert.equal((await merges.merge('y')).state, 'merged');
        assert.equal(await status(), '');
        assert.equal(await read('f.txt'), how === 'taken back' ? lines() : lines('f'));
      });

    it('leaves what somebody else has changed since', async () => {
      await merges.at.repository.write('f.txt', 'mine\n');
      assert.deepEqual((await merges.refusal('y')).items, [' M f.txt']);
      await merges.abort('y');
      assert.match(await status(), /^ M f\.txt$/);
      assert.equal(await read('f.txt'), 'mine\n');
    });
  });

  describe('taken back', () => {
    it('leaves everything as it was', async () => {
      const head = await merges.git('.', 'rev-parse', 'HEAD');
      await merges.refusal('x');
      assert.deepEqual(await merges.abort('x'), { name: 'x', submodules: [], removed: [], backups: [], notes: [] });
      assert.equal(await merges.git('.', 'rev-parse', 'HEAD'), head);
      assert.equal(await status(), '');
      assert.equal(await read('a.txt'), lines('ours'));
      assert.equal(existsSync(join(merges.root, 'new.txt')), false);
      await assert.rejects(merges.abort('x'), { reason: 'not-found', outcome: 'incomplete' });
    });

    it('keeps what a person had done so far in a ref', async () => {
      await merges.refusal('x');
      await merges.at.repository.write('a.txt', lines('half done'));
      const { backups } = await merges.abort('x');
      assert.equal(await read('a.txt'), lines('ours'));
      assert.equal(backups.length, 1);
      assert.equal(await merges.git('.', 'show', `${backups[0]?.ref}:a.txt`), lines('half done').trimEnd());
    });

    it('removes only what the merge itself has made and git has left', async () => {
      await merges.commit('x', { 'deep/er/made.txt': 'made\n', 'deep/mine.txt': 'm\n' });
      await merges.refusal('x');
      await merges.git('.', 'merge', '--abort');
      // What a checkout that was killed leaves: files of the other side that are in no index.
      await merges.at.repository.write('deep/er/made.txt', 'made\n');
      await merges.at.repository.write('deep/mine.txt', 'my own\n');
      await merges.at.repository.write('note.txt', 'n\n');
      const { removed } = await merges.abort('x');
      assert.deepEqual(removed, ['deep/er/made.txt']);
      assert.equal(existsSync(join(merges.root, 'deep/er')), false);
      assert.equal(await read('deep/mine.txt'), 'my own\n');
      assert.equal(await read('note.txt'), 'n\n');
    });

    it('does not touch a merge that is committed, and says how to undo it', async () => {
      await merges.at.configure('checks: exit 1\n');
      await merges.approve('exit 1');
      await merges.refusal('x');
      await resolve();
      assert.equal((await merges.refusal('x')).reason, 'checks-failed');
      const head = await merges.git('.', 'rev-parse', 'HEAD');
      await assert.rejects(merges.abort('x'), {
        reason: 'in-use',
        next: /`wt undo` undoes it; else `git revert -m 1 [0-9a-f]{12}/,
      });
      assert.equal(await merges.git('.', 'rev-parse', 'HEAD'), head);
    });
  });
});
