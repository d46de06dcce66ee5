import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HookInput } from '../../../src/core/claude/hookInput.ts';
import { scopeOf } from '../../../src/core/claude/scope.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';

describe('the worktree that a hook event belongs to', () => {
  let home: TestHome;
  let repository: TestRepository;
  let one: string;
  let two: string;
  let unregistered: string;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    one = join(repository.root, '.worktrees', 'one');
    two = join(home.root, 'project-two');
    unregistered = join(repository.root, '.worktrees', 'other');
    await repository.git('worktree', 'add', '--quiet', '-b', 'one', one);
    await repository.git('worktree', 'add', '--quiet', '-b', 'feature/two', two);
    await repository.git('worktree', 'add', '--quiet', '-b', 'other', unregistered);
    await register({
      one: { path: one, branch: 'one', base: 'main' },
      'Feature two': { path: two, branch: 'feature/two', base: 'one' },
    });
  });
  afterEach(() => home.dispose());

  const register = (worktrees: object): Promise<void> =>
    repository.write('.worktrees/stack.json', JSON.stringify({ version: 1, revision: 1, worktrees }));
  const found = async (input: HookInput, projectDir?: string): Promise<string> => {
    const scope = await scopeOf(input, { cwd: '/', projectDir });
    return scope.kind === 'worktree' ? `${scope.worktree.name} by ${scope.by}` : scope.kind;
  };

  it('is the one that holds the folder of the session, from any subfolder', async () => {
    await mkdir(join(one, 'deep', 'down'), { recursive: true });
    assert.equal(await found({ cwd: join(one, 'deep', 'down') }), 'one by folder');
    assert.equal(await found({ cwd: two }), 'Feature two by folder');
  });

  it('is the one that the agent is called after, wherever it stands', async () => {
    assert.equal(await found({ cwd: repository.root, agent_type: 'wt-one' }), 'one by agent');
    assert.equal(await found({ cwd: one, agent_type: 'wt-feature-two', agent_id: 'a1' }), 'Feature two by agent');
    assert.equal(await found({ cwd: '/', agent_type: 'wt-one' }, two), 'one by agent');
  });

  it('is the one that a team-mate is called after, with the prefix or without', async () => {
    assert.equal(
      await found({ cwd: repository.root, agent_type: 'one', agent_id: 'aone-0123456789abcdef' }),
      'one by agent',
    );
    assert.equal(await found({ cwd: repository.root, teammate_name: 'Feature two' }), 'Feature two by agent');
    assert.equal(await found({ cwd: repository.root, teammate_name: 'wt-feature-two' }), 'Feature two by agent');
  });

  it("is not one that somebody's own agent happens to be called like", async () => {
    assert.equal(await found({ cwd: repository.root, agent_type: 'one', agent_id: 'a0123456789abcdef0' }), 'none');
  });

  it('is none in the main checkout, in a worktree of other tools, and outside', async () => {
    for (const cwd of [repository.root, unregistered, home.root, '/nowhere/at/all']) {
      assert.equal(await found({ cwd }), 'none', cwd);
    }
  });

  it('stays the one that the session was started in when it walks out of it', async () => {
    assert.equal(await found({ cwd: home.root }, one), 'one by folder');
    assert.equal(await found({ cwd: repository.root }, one), 'one by folder');
    assert.equal(await found({ cwd: two }, one), 'Feature two by folder');
  });

  it('is found through a link to the worktree, and to a folder above it', async () => {
    await symlink(home.root, join(home.root, 'link'));
    assert.equal(await found({ cwd: join(home.root, 'link', 'project', '.worktrees', 'one') }), 'one by folder');
    await symlink(two, join(home.root, 'direct'));
    assert.equal(await found({ cwd: join(home.root, 'direct') }), 'Feature two by folder');
  });

  it('is found through a link from another repository to a folder deep in it', async () => {
    const other = await home.repository('other');
    await mkdir(join(one, 'deep', 'down'), { recursive: true });
    await symlink(join(one, 'deep', 'down'), join(other.root, 'link'));
    assert.equal(await found({ cwd: join(other.root, 'link') }), 'one by folder');
  });

  it('is the one that a submodule lies in', async () => {
    const library = await home.repository('library');
    await repository.gitIn(one, 'submodule', '--quiet', 'add', library.root, 'lib');
    assert.equal(await found({ cwd: join(one, 'lib') }), 'one by folder');
  });

  it('is found in a bare layout', async () => {
    const bare = join(home.root, 'bare');
    await repository.gitIn(home.root, 'clone', '--quiet', '--bare', repository.root, join(bare, '.bare'));
    await writeFile(join(bare, '.git'), 'gitdir: ./.bare\n');
    const inner = join(bare, '.worktrees', 'x');
    await repository.gitIn(bare, 'worktree', 'add', '--quiet', '-b', 'x', inner);
    await writeFile(
      join(bare, '.worktrees', 'stack.json'),
      JSON.stringify({ worktrees: { x: { path: inner, branch: 'x', base: 'main' } } }),
    );
    assert.equal(await found({ cwd: inner }), 'x by folder');
    assert.equal(await found({ cwd: bare }), 'none');
  });

  it('cannot be told in a worktree whose registry is damaged, and is none in the main checkout', async () => {
    await repository.write('.worktrees/stack.json', '{ "worktrees": ');
    assert.equal(await found({ cwd: one }), 'unreadable');
    assert.equal(await found({ cwd: repository.root, agent_type: 'wt-one' }), 'unreadable');
    assert.equal(await found({ cwd: repository.root }), 'none');
  });

  it('is none where there is no registry', async () => {
    await rename(join(repository.root, '.worktrees', 'stack.json'), join(home.root, 'away.json'));
    assert.equal(await found({ cwd: one, agent_type: 'wt-one' }), 'none');
  });
});
