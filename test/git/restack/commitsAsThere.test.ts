import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sceneForEach } from '../../support/sceneForEach.ts';
import { Stacks } from '../../support/stacks.ts';
import { shareOf } from '../../support/share.ts';

const signature =
  'cat > /dev/null; printf "[GNUPG:] SIG_CREATED \\n" >&2; printf -- "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n"';

describe('commits that a restack makes', function () {
  this.timeout(300_000);
  let at: Stacks;
  sceneForEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'conf.txt': 'c\n' });
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    return at.home;
  });

  async function bytesOf(commit: string): Promise<string> {
    const { stdout } = await promisify(execFile)('git', ['cat-file', 'commit', commit], {
      cwd: at.repository.root,
      env: at.home.variables,
      encoding: 'latin1',
    });
    return stdout;
  }
  /** The commit object, byte for byte, without what must change. */
  const lasting = async (commit: string): Promise<string> =>
    (await bytesOf(commit)).replace(/^(tree|parent|committer) .*\n/gm, '').replace(/^gpgsig .*\n( .*\n)*/m, '');
  const committer = async (commit: string): Promise<string> =>
    /^committer (.*) \d+ [+-]\d+$/m.exec(await bytesOf(commit))?.[1] ?? '';
  const isSigned = async (commit: string): Promise<boolean> => /^gpgsig /m.test(await bytesOf(commit));

  async function signer(): Promise<string> {
    const program = join(at.home.root, 'sign');
    await writeFile(program, `#!/bin/sh\n${signature}\n`);
    await chmod(program, 0o755);
    return program;
  }

  /** Settings of an agent's own, for the worktree `a` only. */
  async function settingsOfA(kind: string): Promise<void> {
    const program = await signer();
    const file = join(at.home.root, 'agent.config');
    const text = `[user]\n\tname = Agent\n\temail = agent@example.com\n[gpg]\n\tprogram = ${program}\n[commit]\n\tgpgSign = true\n`;
    await writeFile(file, text);
    const include = (condition: string): Promise<string> =>
      at.repository.git('config', '--global', `includeIf.${condition}.path`, file);
    if (kind === 'config --worktree') {
      await at.repository.git('config', 'extensions.worktreeConfig', 'true');
      await writeFile(join(at.repository.root, '.git/worktrees/a/config.worktree'), text);
    } else if (kind === 'gitdir') await include(`gitdir:${join(at.repository.root, '.git/worktrees/a')}`);
    else if (kind === 'gitdir/i') await include('gitdir/i:**/WORKTREES/A');
    else await include('onbranch:a');
  }

  for (const kind of shareOf(['config --worktree', 'gitdir', 'gitdir/i', 'onbranch'] as const, 2)) {
    it(`have the committer and the signature of their worktree, and no other's (${kind})`, async () => {
      await settingsOfA(kind);
      await at.commit('main', 'News', { 'news.txt': 'x\n' });
      assert.deepEqual(await at.outcomes('a', { wholeStack: true }), { a: 'moves', b: 'moves' });
      assert.deepEqual([await committer('a'), await isSigned('a')], ['Agent <agent@example.com>', true]);
      assert.deepEqual([await committer('b'), await isSigned('b')], ['Ada Example <ada@example.com>', false]);
    });

    it(`have them after a stop, a skip and among merges as well (${kind})`, async () => {
      await settingsOfA(kind);
      await at.commit('a', 'one', { 'conf.txt': 'a\n' });
      await at.commit('a', 'two', { 'two.txt': 'two\n' });
      await at.commit('a', 'three', { 'conf.txt': 'a3\n' });
      await at.commit('a', 'four', { 'four.txt': 'four\n' });
      await at.commit('main', 'News', { 'conf.txt': 'main\n' });
      assert.equal((await at.rebase('a')).stop?.branch, 'a');
      await at.repository.write(join(at.path('a'), 'conf.txt'), 'both\n');
      await at.git('a', 'add', 'conf.txt');
      assert.ok((await at.resume('a')).stop);
      assert.equal((await at.resume('a', 'skip')).operation?.state, 'done');
      assert.deepEqual(await at.subjects('a'), ['a 1', 'one', 'two', 'four']);
      for (const commit of ['a', 'a~1', 'a~2', 'a~3'])
        assert.deepEqual(
          [await committer(commit), await isSigned(commit)],
          ['Agent <agent@example.com>', true],
          commit,
        );
      await at.git('a', 'switch', '--quiet', '-c', 'side', 'HEAD~1');
      await at.commit('a', 'side', { 'side.txt': 's\n' });
      await at.git('a', 'switch', '--quiet', 'a');
      await at.git('a', 'merge', '--quiet', '--no-ff', '--no-edit', 'side');
      await at.commit('main', 'More', { 'more.txt': 'x\n' });
      assert.deepEqual(await at.outcomes('a'), { a: 'moves' });
      for (const commit of ['a', 'a^1', 'a^2'])
        assert.deepEqual(
          [await committer(commit), await isSigned(commit)],
          ['Agent <agent@example.com>', true],
          commit,
        );
    });
  }

  it('are not signed for a worktree whose settings are those of all but the main one', async () => {
    await at.repository.git('config', 'extensions.worktreeConfig', 'true');
    await at.repository.git('config', '--worktree', 'user.email', 'main@example.com');
    await at.commit('main', 'News', { 'news.txt': 'x\n' });
    await at.repository.git('config', '--worktree', 'commit.gpgSign', 'true');
    await at.repository.git('config', '--worktree', 'gpg.program', 'false');
    assert.deepEqual(await at.outcomes('a', { wholeStack: true }), { a: 'moves', b: 'moves' });
    assert.equal(await committer('a'), 'Ada Example <ada@example.com>');
  });

  const messages = {
    'lines that begin with #': 'Fix login\n\n#45 is closed by this\n# Heading\nbody\n',
    'nothing but a comment': '#1\n',
    'spaces at the ends of lines, and no line break at the end': 'Fix  \n\n\n\ttwo  \n \nno end  ',
    'lines like those that git adds':
      'Fix\n\n# Conflicts:\n#\ta.txt\n# ------------------------ >8 ------------------------\nrest\n',
    nothing: '',
  };
  for (const [name, message] of shareOf(Object.entries(messages), 2)) {
    it(`keep a message of ${name}, after a stop and before and behind it`, async () => {
      await commitAs('a', message, { 'before.txt': 'x\n' });
      await commitAs('a', message, { 'conf.txt': 'a\n' });
      await commitAs('a', message, { 'behind.txt': 'x\n' });
      const before = await Promise.all(['a~2', 'a~1', 'a'].map(lasting));
      await at.commit('main', 'News', { 'conf.txt': 'main\n' });
      for (const cleanup of ['strip', 'scissors']) await at.repository.git('config', 'commit.cleanup', cleanup);
      await at.repository.git('config', 'commit.verbose', 'true');
      assert.ok((await at.rebase('a')).stop);
      await at.repository.write(join(at.path('a'), 'conf.txt'), 'both\n');
      await at.git('a', 'add', 'conf.txt');
      assert.equal((await at.resume('a')).operation?.state, 'done');
      assert.deepEqual(await Promise.all(['a~2', 'a~1', 'a'].map(lasting)), before);
    });
  }

  /** A commit with a message, byte for byte, and an author as a header has it. */
  async function commitAs(
    name: string,
    message: string,
    files: Record<string, string>,
    author?: string,
    encoding = '',
  ) {
    await at.commit(name, 'x', files);
    const old = await bytesOf(name);
    const headers = old.slice(0, old.indexOf('\n\n') + 1);
    const own = author === undefined ? headers : headers.replace(/^author .*$/m, `author ${author}`);
    const file = join(at.home.root, 'commit');
    await writeFile(file, Buffer.from(`${own}${encoding}\n${message}`, 'latin1'));
    const oid = await at.repository.git('hash-object', '-t', 'commit', '-w', '--literally', file);
    await at.git(name, 'update-ref', `refs/heads/${name}`, oid);
  }

  const authors = {
    'a full stop at its end': 'Dr. Ada Jr. <ada@example.com> 1000000000 +0130',
    'quotes around it': '"Ada" <ada@example.com> 1000000000 -1100',
    'another encoding': 'J\xf6rg <j@example.com> 1000000000 +0000',
    'no address': 'Ada <> 1000000000 +0000',
  };
  for (const [name, author] of shareOf(Object.entries(authors), 2)) {
    for (const signs of [false, true]) {
      it(`keep an author whose name has ${name}${signs ? ', signed' : ''}, with and without a stop`, async () => {
        const encoding = author.includes('\xf6') ? 'encoding ISO-8859-1\n' : '';
        if (signs) {
          await at.repository.git('config', 'gpg.program', await signer());
          await at.repository.git('config', 'commit.gpgSign', 'true');
        }
        await commitAs('a', 'Plain\n', { 'plain.txt': 'x\n' }, author, encoding);
        const author1 = await at.git('a', 'log', '-1', '--format=%an|%ae|%ad');
        await at.commit('main', 'News', { 'news.txt': 'x\n' });
        const plain = await lasting('a');
        assert.deepEqual(await at.outcomes('a'), { a: 'moves' });
        assert.equal(await isSigned('a'), signs);
        assert.equal(await at.git('a', 'log', '-1', '--format=%an|%ae|%ad'), author1);
        if (!signs || encoding === '') assert.equal(await lasting('a'), plain);
        await commitAs('a', '#1\n', { 'conf.txt': 'a\n' }, author, encoding);
        const stopped = await lasting('a');
        await at.commit('main', 'More', { 'conf.txt': 'main\n' });
        assert.ok((await at.rebase('a')).stop);
        await at.repository.write(join(at.path('a'), 'conf.txt'), 'both\n');
        await at.git('a', 'add', 'conf.txt');
        await at.resume('a');
        assert.equal(await isSigned('a'), signs);
        assert.equal(await at.git('a', 'log', '-1', '--format=%an|%ae|%ad'), author1);
        if (!signs || encoding === '') assert.equal(await lasting('a'), stopped);
      });
    }
  }

  for (const backend of shareOf(['merge', 'apply'] as const, 2)) {
    it(`stay where they were empty, before, at and behind a stop (${backend})`, async () => {
      await at.repository.git('config', 'rebase.backend', backend);
      await at.repository.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
      await at.commit('a', 'empty 1', {});
      await at.commit('a', 'conflict', { 'conf.txt': 'a\n' });
      await at.commit('a', 'empty 2', {});
      await at.commit('main', 'News', { 'conf.txt': 'main\n' });
      assert.ok((await at.rebase('a')).stop);
      await at.repository.write(join(at.path('a'), 'conf.txt'), 'both\n');
      await at.git('a', 'add', 'conf.txt');
      await at.resume('a');
      assert.deepEqual(await at.subjects('a'), ['a 1', 'empty 1', 'conflict', 'empty 2']);
    });
  }

  it('keep the message of a merge that has stopped', async () => {
    await at.git('a', 'switch', '--quiet', '-c', 'side', 'HEAD~1');
    await at.commit('a', 'side', { 'conf.txt': 'side\n' });
    await at.git('a', 'switch', '--quiet', 'a');
    await mkdir(join(at.home.root, 'm'), { recursive: true });
    await at.git('a', 'merge', '--quiet', '--no-ff', '-m', 'Merge it\n\n#1 stays', '--cleanup=verbatim', 'side');
    await at.commit('main', 'News', { 'conf.txt': 'main\n' });
    assert.ok((await at.rebase('a')).stop);
    for (let stop = true; stop;) {
      await at.repository.write(join(at.path('a'), 'conf.txt'), 'both\n');
      await at.git('a', 'add', 'conf.txt');
      stop = (await at.resume('a')).stop !== undefined;
    }
    assert.equal(await at.git('a', 'log', '-1', '--format=%B'), 'Merge it\n\n#1 stays');
  });
});
