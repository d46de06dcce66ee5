import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Creations } from '../../support/creations.ts';
import { heard, texts } from '../../support/texts.ts';

describe('creating a worktree with submodules', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(() => at.dispose());

  const remote = (name: string): string => join(at.home.root, 'remotes', name);
  const git = (folder: string, ...args: string[]): Promise<string> => at.repository.gitIn(folder, ...args);

  /** A repository to be a submodule, with one commit. */
  async function makeRemote(name: string): Promise<string> {
    await at.repository.write(join(remote(name), `${name}.txt`), `${name}\n`);
    await git(remote(name), 'init', '--quiet');
    await at.repository.commit(`Start ${name}`, {}, remote(name));
    return remote(name);
  }

  /** `libs/first one` of the name `odd name`, and `agent-core` with `nested` inside. */
  async function addSubmodules(): Promise<void> {
    const [first, core, nested] = [await makeRemote('first'), await makeRemote('core'), await makeRemote('nested')];
    await git(core, 'submodule', '--quiet', 'add', nested, 'nested');
    await at.repository.commit('Nest', {}, core);
    await at.repository.git('submodule', '--quiet', 'add', '--name', 'odd name', first, 'libs/first one');
    await at.repository.git('submodule', '--quiet', 'add', core, 'agent-core');
    await at.repository.git('submodule', '--quiet', 'update', '--init', '--recursive');
    await at.repository.commit('Submodules', {});
  }

  it('initialises all of them, nested ones too, each on a branch of the worktree', async () => {
    await addSubmodules();
    const steps: string[] = [];
    const created = await at.create('x', { progress: heard((step) => steps.push(step)) });
    assert.deepEqual(created.submodules, ['agent-core', 'agent-core/nested', 'libs/first one']);
    assert.deepEqual(created.warnings, []);
    for (const path of created.submodules) {
      const tree = join(created.path, path);
      assert.equal(await git(tree, 'symbolic-ref', '--short', 'HEAD'), 'x', path);
      assert.equal(await git(tree, 'status', '--porcelain'), '', path);
    }
    assert.equal(await git(created.path, 'status', '--porcelain'), '');
    assert.equal(await readFile(join(created.path, 'agent-core/nested/nested.txt'), 'utf8'), 'nested\n');
    assert.ok(steps.includes('Initializing 2 submodules'), steps.join());
  });

  it('borrows the objects of the main checkout, and keeps its remotes', async () => {
    await addSubmodules();
    await git(
      join(at.repository.root, 'agent-core'),
      'remote',
      'set-url',
      'origin',
      'https://example.com/mirror/core.git',
    );
    await git(join(at.repository.root, 'agent-core'), 'branch', 'only-in-main');
    const { path } = await at.create('x');
    const tree = join(path, 'agent-core');
    const gitDir = await git(tree, 'rev-parse', '--absolute-git-dir');
    assert.equal(gitDir, join(at.repository.root, '.git/worktrees/x/modules/agent-core'));
    assert.equal(
      (await readFile(join(gitDir, 'objects/info/alternates'), 'utf8')).trim(),
      join(at.repository.root, '.git/modules/agent-core/objects'),
    );
    assert.equal(await git(tree, 'remote', 'get-url', 'origin'), 'https://example.com/mirror/core.git');
    assert.equal(
      await git(tree, 'for-each-ref', '--format=%(refname)', 'refs/remotes'),
      await git(join(at.repository.root, 'agent-core'), 'for-each-ref', '--format=%(refname)', 'refs/remotes'),
    );
  });

  it('needs no network and no relaxed protocol rules when the main checkout has the commits', async () => {
    await addSubmodules();
    await rename(join(at.home.root, 'remotes'), join(at.home.root, 'gone'));
    await at.repository.git('config', '--global', '--unset', 'protocol.file.allow');
    const created = await at.create('x');
    assert.equal(created.submodules.length, 3);
    assert.equal(
      await git(created.path, 'submodule', 'status', '--recursive').then((text) => /^[-+U]/m.test(text)),
      false,
    );
  });

  it('leaves the checkout of the main working tree alone', async () => {
    await addSubmodules();
    const before = await at.repository.git(
      'submodule',
      'foreach',
      '--recursive',
      '--quiet',
      'git rev-parse HEAD; git for-each-ref; cat "$(git rev-parse --git-dir)/config"',
    );
    await at.create('x');
    assert.equal(
      await at.repository.git(
        'submodule',
        'foreach',
        '--recursive',
        '--quiet',
        'git rev-parse HEAD; git for-each-ref; cat "$(git rev-parse --git-dir)/config"',
      ),
      before,
    );
  });

  it('takes the commit that the base has, also where a branch of the same name is elsewhere', async () => {
    await addSubmodules();
    const sub = join(at.repository.root, 'agent-core');
    const pinned = await git(sub, 'rev-parse', 'HEAD');
    await git(sub, 'switch', '--quiet', '-c', 'x');
    await at.repository.commit('Newer', { 'newer.txt': 'newer\n' }, sub);
    const { path } = await at.create('x');
    assert.equal(await git(join(path, 'agent-core'), 'rev-parse', 'x'), pinned);
    assert.equal(await git(sub, 'log', '-1', '--format=%s', 'x'), 'Newer');
  });

  it('leaves out, with a warning, what the main checkout does not have either and cannot be fetched', async () => {
    await addSubmodules();
    await at.repository.git('submodule', '--quiet', 'deinit', '--force', 'agent-core');
    await at.repository.git('config', '--remove-section', 'submodule.agent-core').catch(() => '');
    await rm(join(at.repository.root, '.git/modules/agent-core'), { recursive: true });
    await rename(remote('core'), `${remote('core')}-gone`);
    const created = await at.create('x');
    assert.deepEqual(created.submodules, ['libs/first one']);
    assert.match(texts(created.warnings).join(), /agent-core was left out, as it is in the main checkout/);
    assert.equal(await git(created.path, 'status', '--porcelain'), '');
  });

  it('leaves nothing behind when one cannot be initialised', async () => {
    await addSubmodules();
    const before = await at.traces();
    const sub = join(at.repository.root, 'agent-core');
    // The commit is pinned, but neither the main checkout nor the remote has it.
    const lost = '0123456789012345678901234567890123456789';
    await at.repository.git('update-index', '--cacheinfo', `160000,${lost},agent-core`);
    await at.repository.git('commit', '--quiet', '-m', 'Pin what nobody has');
    await git(at.repository.root, 'submodule', '--quiet', 'update', '--', 'libs/first one');
    await assert.rejects(at.create('x'), { reason: 'git-failed', id: 'create.couldNotInitialised' });
    const after = await at.traces();
    assert.deepEqual({ ...after, status: '' }, before);
    assert.equal(existsSync(join(sub, 'core.txt')), true);
    assert.equal(existsSync(join(at.repository.root, '.worktrees')), false);
  });

  it('made inside a submodule belong to the submodule', async () => {
    await addSubmodules();
    const sub = join(at.repository.root, 'agent-core');
    const created = await at.create('x', {}, await at.at(sub));
    assert.equal(created.path, join(sub, '.worktrees/x'));
    assert.equal(await git(sub, 'status', '--porcelain'), '');
    assert.deepEqual((await at.traces()).branches, ['main']);
  });
});
