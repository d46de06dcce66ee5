import assert from 'node:assert/strict';
import { access, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentFile, removeAgent, repairAgents, writeAgent } from '../../../src/core/claude/agentFiles.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { texts } from '../../support/texts.ts';

describe('the files of generated agents', () => {
  let home: TestHome;
  let repository: TestRepository;
  let workspace: Workspace;
  let path: string;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    path = join(repository.root, '.worktrees', 'one');
    await repository.git('worktree', 'add', '--quiet', '-b', 'one', path);
    workspace = await testWorkspace(home, repository.root);
  });
  afterEach(() => home.dispose());

  const subject = () => ({ name: 'one', slug: 'one', path, branch: 'one' });
  const there = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );
  const status = (folder: string): Promise<string> =>
    repository.gitIn(folder, 'status', '--porcelain', '--untracked-files=all');

  it('go into the main root, where git does not see them', async () => {
    const { written, notes } = await writeAgent(workspace, subject());
    assert.deepEqual([written, notes], [[agentFile(repository.root, 'one')], []]);
    const text = await readFile(agentFile(repository.root, 'one'), 'utf8');
    assert.ok(text.includes(JSON.stringify(join(repository.root, '.worktrees', 'hooks', 'run'))), text);
    assert.equal(await status(repository.root), '');
    assert.equal(await there(join(path, '.claude')), false);
  });

  it('are left alone when they are as they should be', async () => {
    await writeAgent(workspace, subject());
    assert.deepEqual((await writeAgent(workspace, subject())).written, []);
  });

  it('go into a worktree that has agents of its own as well, and are not committed there', async () => {
    await repository.commit('Agents', { '.claude/agents/reviewer.md': '---\nname: reviewer\n---\n' }, path);
    const { written } = await writeAgent(workspace, subject());
    assert.deepEqual(written, [agentFile(repository.root, 'one'), agentFile(path, 'one')]);
    assert.equal(await status(path), '');
  });

  it('are not committed in a worktree whose branch lacks the rules that the team has committed', async () => {
    await mkdir(join(path, '.claude', 'agents'), { recursive: true });
    const configuration = { ...workspace.configuration, ignore: 'gitignore' as const };
    await writeAgent({ ...workspace, configuration }, subject());
    assert.equal(await there(agentFile(path, 'one')), true);
    assert.equal(await status(path), '');
  });

  it('stay out of a worktree where they would be committed, and it says so', async () => {
    await repository.commit('Agents', { '.claude/agents/.gitignore': '!wt-*.md\n' }, path);
    const { written, notes } = await writeAgent(workspace, subject());
    assert.deepEqual(written, [agentFile(repository.root, 'one')]);
    assert.match(texts(notes).join(), /was not written: .*wt-\*\.md/);
  });

  it('do not go through a link out of the worktree', async () => {
    await mkdir(join(path, '.claude'));
    await mkdir(join(home.root, 'elsewhere'));
    await symlink(join(home.root, 'elsewhere'), join(path, '.claude', 'agents'));
    const { notes } = await writeAgent(workspace, subject());
    assert.match(texts(notes).join(), /link that leads outside/);
    assert.deepEqual(await readdir(join(home.root, 'elsewhere')), []);
  });

  it('are refused where a rule takes them back in, before anything is written', async () => {
    await repository.commit('Rules', { '.claude/agents/.gitignore': '!wt-*.md\n' });
    await assert.rejects(writeAgent(workspace, subject()), (thrown) => Problem.is(thrown, 'not-ignored'));
    assert.equal(await there(agentFile(repository.root, 'one')), false);
  });

  it('go into the worktree itself where the repository is bare', async () => {
    const bare = join(home.root, 'bare');
    await repository.gitIn(home.root, 'clone', '--quiet', '--bare', repository.root, join(bare, '.bare'));
    await writeFile(join(bare, '.git'), 'gitdir: ./.bare\n');
    const inner = join(bare, '.worktrees', 'x');
    await repository.gitIn(bare, 'worktree', 'add', '--quiet', '-b', 'x', inner);
    const { written } = await writeAgent(await testWorkspace(home, inner), {
      name: 'x',
      slug: 'x',
      path: inner,
      branch: 'x',
    });
    assert.deepEqual(written, [agentFile(inner, 'x')]);
    assert.equal(await status(inner), '');
  });

  it('are mended when they have drifted or are missing, and removed with their worktree', async () => {
    await writeAgent(workspace, subject());
    const right = await readFile(agentFile(repository.root, 'one'), 'utf8');
    await writeFile(agentFile(repository.root, 'one'), right.replace('bash-guard', 'no-guard'));
    await writeAgent(workspace, { name: 'gone', slug: 'gone', path: join(home.root, 'gone'), branch: 'gone' });
    const own = join(repository.root, '.claude', 'agents', 'wt-mine.md');
    await writeFile(own, '---\nname: wt-mine\ndescription: mine\n---\n');
    const result = await repairAgents(workspace, [subject()]);
    assert.deepEqual(result.written, [agentFile(repository.root, 'one')]);
    assert.deepEqual(result.removed, [agentFile(repository.root, 'gone')]);
    assert.equal(await readFile(agentFile(repository.root, 'one'), 'utf8'), right);
    assert.ok(await there(own), 'one that was not generated stays');
  });

  it('follow a branch that was renamed', async () => {
    await writeAgent(workspace, subject());
    await repairAgents(workspace, [{ ...subject(), branch: 'better' }]);
    assert.match(await readFile(agentFile(repository.root, 'one'), 'utf8'), /"bash-guard","[^"]+","better"/);
  });

  it('can be removed twice', async () => {
    await writeAgent(workspace, subject());
    await removeAgent(workspace.repository, 'one');
    await removeAgent(workspace.repository, 'one');
    assert.equal(await there(agentFile(repository.root, 'one')), false);
  });

  it('are nothing to a worktree that has no folder any more', async () => {
    await rm(path, { recursive: true });
    assert.deepEqual((await repairAgents(workspace, [subject()])).written, []);
  });
});
