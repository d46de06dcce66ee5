import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { conflictProblem } from '../../../src/core/restack/stopProblems.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('commits that are made anew', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('a', 'main', { 'a.txt': 'a\n' });
  });
  afterEach(() => at.dispose());

  /** The commit object, byte for byte, without what must change. */
  async function lasting(commit: string): Promise<string> {
    const { stdout } = await promisify(execFile)('git', ['cat-file', 'commit', commit], {
      cwd: at.repository.root,
      env: at.home.variables,
      encoding: 'latin1',
    });
    return stdout.replace(/^(tree|parent|committer) .*\n/gm, '');
  }

  it('keep author, dates, encoding and message to the byte', async () => {
    const message = join(at.home.root, 'message');
    await promisify(execFile)('sh', [
      '-c',
      `printf 'Gr\\374\\337e  \\n\\n\\n# kept\\nno line break at the end' > '${message}'`,
    ]);
    const author = ['-c', 'user.name=J\u00f6rg', '-c', 'i18n.commitEncoding=ISO-8859-1'];
    const date = '--date=2001-02-03T04:05:06+0130';
    await at.git('a', ...author, 'commit', '--quiet', '--allow-empty', '--cleanup=verbatim', date, '-F', message);
    const before = await lasting('a');
    assert.match(before, /encoding ISO-8859-1/);
    await at.commit('main', 'News', { 'news.txt': 'x\n' });
    await at.git('a', 'config', 'user.name', 'Somebody Else');
    assert.deepEqual(await at.outcomes('a'), { a: 'moves' });
    assert.equal(await lasting('a'), before);
    assert.match(await at.git('a', 'log', '-1', '--format=%cn'), /Somebody Else/);
  });

  it('that were empty stay, those that become empty go and are named', async () => {
    await at.git('a', 'commit', '--quiet', '--allow-empty', '-m', 'nothing');
    await at.commit('a', 'same', { 'same.txt': 'same\n' });
    await at.commit('main', 'News', { 'same.txt': 'same\n' });
    const { branches } = await at.rebase('a');
    assert.deepEqual(
      branches[0]?.dropped.map(({ subject }) => subject),
      ['same'],
    );
    assert.deepEqual(await at.subjects('a'), ['a 1', 'nothing']);
  });

  it('are not made where nothing changes: their ids stay', async () => {
    const before = await at.tip('a');
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    assert.deepEqual(await at.outcomes('b', { wholeStack: true }), { a: 'current', b: 'current' });
    assert.equal(await at.tip('a'), before);
  });

  /** A program that signs without a key, or fails as one does that cannot ask for a passphrase. */
  async function signWith(script: string): Promise<void> {
    const program = join(at.home.root, 'sign');
    await at.repository.write(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
    await at.repository.git('config', 'gpg.program', program);
    await at.repository.git('config', 'commit.gpgSign', 'true');
  }
  const signature =
    'cat > /dev/null; printf "[GNUPG:] SIG_CREATED \\n" >&2; printf -- "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n"';

  it('are signed where the user signs', async () => {
    await signWith(signature);
    await at.repository.git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--allow-empty', '-m', 'News');
    const author = await at.git('a', 'log', '-1', '--format=%an %ae %ad');
    assert.deepEqual(await at.outcomes('a'), { a: 'moves' });
    assert.match(await lasting('a'), /gpgsig -----BEGIN PGP SIGNATURE-----/);
    assert.equal(await at.git('a', 'log', '-1', '--format=%an %ae %ad'), author);
    assert.deepEqual(await at.subjects('a'), ['a 1']);
  });

  /** A program that signs once somebody has unlocked its key. */
  async function lockKey(): Promise<() => Promise<void>> {
    const unlocked = join(at.home.root, 'unlocked');
    await signWith(
      `if [ ! -f '${unlocked}' ]; then echo "gpg: signing failed: Inappropriate ioctl for device" >&2; exit 2; fi\n${signature}`,
    );
    await at.repository.git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--allow-empty', '-m', 'News');
    return () => at.repository.write(unlocked, '');
  }

  it('that cannot be signed are left to git in their own worktree, and what stands on them waits', async () => {
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    const unlock = await lockKey();
    const plan = await at.plan('a', { wholeStack: true });
    assert.deepEqual(
      plan.branches.map(({ outcome, unsigned }) => [outcome, unsigned]),
      [
        ['conflict', true],
        ['waits', false],
      ],
    );
    assert.match(textOf(plan.branches[0]?.why ?? ''), /^"a 1" could not be signed \(gpg failed to sign the data/);
    const { stop } = await at.rebase('a', { wholeStack: true });
    assert.deepEqual([stop?.path, stop?.files, stop?.unsigned], [at.path('a'), [], true]);
    const { message, next } = conflictProblem(stop!);
    assert.match(message, /could not be signed/);
    assert.match(next ?? '', /`git rebase --continue` in a terminal in .*, then `wt rebase a --continue`/);
    await assert.rejects(at.resume('a'), { id: 'restack.couldNotContinue' });
    await unlock();
    await at.resume('a');
    for (const branch of ['a', 'b']) assert.match(await lasting(branch), /gpgsig -----BEGIN PGP SIGNATURE-----/);
    assert.deepEqual(await at.subjects('b'), ['a 1', 'b 1']);
  });

  it('that cannot be signed can be signed by the person with git', async () => {
    const unlock = await lockKey();
    const { stop } = await at.rebase('a');
    assert.ok(stop);
    await unlock();
    await at.git('a', '-c', 'core.editor=true', 'rebase', '--continue');
    await at.resume('a');
    assert.match(await lasting('a'), /gpgsig -----BEGIN PGP SIGNATURE-----/);
    assert.deepEqual(await at.subjects('a'), ['a 1']);
  });

  it('that cannot be signed can be taken back', async () => {
    await lockKey();
    const before = await at.picture();
    assert.ok((await at.rebase('a')).stop);
    await at.abort('a');
    assert.deepEqual(await at.picture(), before);
  });

  it('that cannot be signed among merges are left to git likewise', async () => {
    await at.git('a', 'switch', '--quiet', '-c', 'side', 'main');
    await at.git('a', 'commit', '--quiet', '--allow-empty', '-m', 'side');
    await at.git('a', 'switch', '--quiet', 'a');
    await at.git('a', 'merge', '--quiet', '--no-ff', '--no-edit', 'side');
    await lockKey();
    const { branches } = await at.plan('a');
    assert.deepEqual([branches[0]?.outcome, branches[0]?.unsigned, branches[0]?.merges], ['conflict', true, true]);
  });

  it('are followed by their notes where the user wants that', async () => {
    await at.repository.git('config', 'notes.rewriteRef', 'refs/notes/commits');
    await at.git('a', 'notes', 'add', '-m', 'a note');
    await at.commit('main', 'News', { 'news.txt': 'x\n' });
    assert.deepEqual(await at.outcomes('a'), { a: 'moves' });
    assert.equal(await at.git('a', 'notes', 'show'), 'a note');
    assert.equal((await at.repository.git('worktree', 'list')).split('\n').length, 2);
  });
});

describe('restacking beside a remote', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.repository.git('clone', '--quiet', '--bare', '.', join(at.home.root, 'origin.git'));
    await at.repository.git('remote', 'add', 'origin', join(at.home.root, 'origin.git'));
    await at.repository.git('fetch', '--quiet', 'origin');
    await at.add('a', 'main', { 'a.txt': 'a\n' });
  });
  afterEach(() => at.dispose());

  async function othersPush(): Promise<string> {
    const clone = join(at.home.root, 'clone');
    await at.repository.git('clone', '--quiet', join(at.home.root, 'origin.git'), clone);
    const oid = await at.repository.commit('Theirs', { 'theirs.txt': 'x\n' }, clone);
    await at.repository.gitIn(clone, 'push', '--quiet', 'origin', 'main');
    return oid;
  }

  it('fetches trunk and goes onto the remote’s; the local trunk is not written', async () => {
    const theirs = await othersPush();
    const local = await at.tip('main');
    const { branches } = await at.rebase('a', {}, {});
    assert.deepEqual(
      [branches[0]?.outcome, branches[0]?.baseLabel, branches[0]?.onto],
      ['moves', 'origin/main', theirs],
    );
    assert.equal(await at.tip('main'), local);
    assert.equal((await at.entry('a'))?.baseCommit, theirs);
  });

  it('goes on with what was fetched last when the remote cannot be reached, and says so', async () => {
    await at.repository.git('remote', 'set-url', 'origin', join(at.home.root, 'nowhere.git'));
    await at.commit('main', 'Mine', { 'mine.txt': 'x\n' });
    const { branches, notes } = await at.rebase('a', {}, {});
    assert.match(notes.map((note) => textOf(note)).join(), /Could not fetch from origin/);
    assert.deepEqual([branches[0]?.outcome, branches[0]?.baseLabel], ['moves', 'main']);
  });

  it('moves nothing when trunk and the remote’s have diverged, until one is chosen', async () => {
    await othersPush();
    await at.commit('main', 'Mine', { 'mine.txt': 'x\n' });
    const before = await at.picture();
    await assert.rejects(at.rebase('a', {}, {}), { reason: 'ambiguous', next: /--onto origin\/main. or .--onto main/ });
    assert.deepEqual(await at.picture(), before);
    const { branches } = await at.rebase('a', { onto: 'origin/main' }, {});
    assert.deepEqual([branches[0]?.outcome, branches[0]?.base], ['moves', 'main']);
    assert.deepEqual(await at.subjects('a', 'origin/main'), ['a 1']);
  });

  it('never records a base that the branch does not contain', async () => {
    const theirs = await othersPush();
    await at.rebase('a', { wholeStack: true }, {});
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.rebase('a', { wholeStack: true }, {});
    for (const name of ['a', 'b']) {
      const { baseCommit = '' } = (await at.entry(name)) ?? {};
      await at.repository.git('merge-base', '--is-ancestor', baseCommit, name);
    }
    assert.equal((await at.entry('a'))?.baseCommit, theirs);
  });
});
