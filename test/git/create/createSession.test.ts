import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Creations } from '../../support/creations.ts';

suite('creating a worktree with a session file', () => {
  let at: Creations;
  let file: string;
  setup(async () => {
    at = await Creations.start();
    file = join(at.home.root, 'focused session.md');
    await writeFile(file, '# Session\n\n- [ ] **Build login**\n');
  });
  teardown(() => at.dispose());

  test('commits it on the new branch, at its configured path, on top of the base', async () => {
    const start = await at.repository.git('rev-parse', 'main');
    const created = await at.create({ name: 'x', sessionFile: file });
    assert.equal(await readFile(join(created.path, 'agents/session.md'), 'utf8'), await readFile(file, 'utf8'));
    assert.equal(await at.repository.git('rev-parse', 'x^'), start);
    assert.equal(created.baseCommit, start, "the session commit is the branch's own");
    assert.equal(await at.repository.git('log', '-1', '--format=%s', 'x'), 'Session for x');
    assert.equal(await at.repository.git('diff', '--name-status', 'x^', 'x'), 'A\tagents/session.md');
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
  });

  test("leaves the user's index and working tree as they are", async () => {
    await at.repository.commit('Session', { 'agents/session.md': '# Main\n' });
    await at.repository.write('staged.txt', 'staged\n');
    await at.repository.git('add', 'staged.txt');
    await at.repository.write('agents/session.md', '# Main, edited\n');
    const before = await at.repository.git('status', '--porcelain');
    const created = await at.create({ name: 'x', sessionFile: file });
    assert.equal(await at.repository.git('status', '--porcelain'), before);
    assert.equal(await at.repository.git('ls-tree', '--name-only', 'x'), 'README.md\nagents');
    assert.match(await readFile(join(created.path, 'agents/session.md'), 'utf8'), /Build login/);
  });

  test('makes no commit when the base has the same file already', async () => {
    await at.repository.commit('Session', { 'agents/session.md': await readFile(file, 'utf8') });
    await at.create({ name: 'x', sessionFile: file });
    assert.equal(await at.repository.git('rev-parse', 'x'), await at.repository.git('rev-parse', 'main'));
  });

  test('stores what git would store for that path', async () => {
    await at.repository.commit('Attributes', { '.gitattributes': 'agents/*.md text eol=crlf\n' });
    await writeFile(file, '# Session\r\nline\r\n');
    await at.create({ name: 'x', sessionFile: file });
    assert.equal(await at.repository.git('show', 'x:agents/session.md'), '# Session\nline');
    assert.equal(await at.repository.gitIn(at.path('x'), 'status', '--porcelain'), '');
  });

  test('is refused before anything is touched when the file is missing, in the way of another, or the branch exists', async () => {
    await at.repository.commit('File', { agents: 'a file, not a folder\n' });
    await at.repository.git('branch', 'old');
    const before = await at.traces();
    await assert.rejects(at.create({ name: 'x', sessionFile: join(at.home.root, 'none.md') }), { reason: 'not-found' });
    await assert.rejects(at.create({ name: 'x', sessionFile: at.home.root }), {
      reason: 'not-found',
      message: /not a file/,
    });
    await assert.rejects(at.create({ name: 'old', branch: 'old', sessionFile: file }), { reason: 'usage' });
    await assert.rejects(at.create({ name: 'x', sessionFile: file }), {
      reason: 'taken',
      message: /something else is in its way/,
    });
    assert.deepEqual(await at.traces(), before);
  });

  test('says in git’s words when git does not know who commits', async () => {
    await at.repository.git('config', '--global', 'user.useConfigOnly', 'true');
    await at.repository.git('config', '--global', '--unset', 'user.email');
    const before = await at.traces();
    await assert.rejects(at.create({ name: 'x', sessionFile: file }), (thrown: Error & { items?: string[] }) => {
      assert.match(thrown.items?.join('\n') ?? '', /Please tell me who you are|no email was given/);
      return true;
    });
    assert.deepEqual(await at.traces(), before);
  });
});
