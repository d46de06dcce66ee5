import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultConfiguration, type Configuration } from '../../../src/core/repository/configuration.ts';
import { ensureIgnored, findNotIgnored, ignoreRules, rulesFor } from '../../../src/core/repository/ignoreRules.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

suite('ignoring our own files', () => {
  let home: TestHome;
  let repository: TestRepository;
  let workspace: Workspace;
  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    workspace = await testWorkspace(home, repository.root);
  });
  teardown(() => home.dispose());

  const ensure = (
    configuration: Configuration = workspace.configuration,
    worktree?: string,
  ): ReturnType<typeof ensureIgnored> =>
    ensureIgnored(workspace.environment, workspace.git, workspace.repository, configuration, undefined, worktree);
  const located = (locationPattern: string): Configuration => ({
    ...defaultConfiguration,
    worktree: { ...defaultConfiguration.worktree, locationPattern },
  });
  const exclude = (): Promise<string> => readFile(join(repository.root, '.git/info/exclude'), 'utf8');
  const ourFiles = [
    '.worktrees/x/a',
    '.worktrees/stack.json',
    '.claude/dev-worktree.local.md',
    '.claude/dev-worktree.local.md.lock/owner.json',
    '.claude/agents/wt-x.md',
    '.poll-active',
    '.poll-state.json',
    '.claude-state/workflow.json',
  ];

  test('keeps every one of them out of git status, in the main working tree and in others', async () => {
    await ensure();
    await repository.git('worktree', 'add', '--quiet', '-b', 'x', join(home.root, 'x'));
    for (const root of [repository.root, join(home.root, 'x')]) {
      for (const file of ourFiles) await repository.write(join(root, file), '');
      assert.equal(await repository.gitIn(root, 'status', '--porcelain', '--untracked-files=all'), '');
    }
    await repository.write('.claude/settings.json', '{}');
    assert.equal(await repository.git('status', '--porcelain', '--untracked-files=all'), '?? .claude/settings.json');
  });

  test('adds to .git/info/exclude once, and keeps what is in it', async () => {
    await repository.write('.git/info/exclude', '# mine\n*.bak');
    const { added } = await ensure();
    assert.equal(added.length, ignoreRules.length);
    const text = await exclude();
    assert.match(text, /^# mine\n\*\.bak\n# Worktree Stacks\n\/\.worktrees\/\n/);
    assert.deepEqual((await ensure()).added, []);
    assert.equal(await exclude(), text);
  });

  test('leaves alone what a rule of the user’s covers already', async () => {
    await repository.commit('Ignore', { '.gitignore': '.worktrees\n.claude/\n' });
    const { added } = await ensure();
    assert.deepEqual(
      added.map(({ pattern }) => pattern),
      ['/.poll-active', '/.poll-state.json', '/.claude-state/'],
    );
  });

  test('goes to .gitignore where the team wants that, with its line ends', async () => {
    await repository.write('.gitignore', 'node_modules/\r\n');
    const { file } = await ensure({ ...defaultConfiguration, ignore: 'gitignore' });
    assert.equal(file, join(repository.root, '.gitignore'));
    assert.match(await readFile(file, 'utf8'), /^node_modules\/\r\n# Worktree Stacks\r\n\/\.worktrees\/\r\n/);
  });

  test('says which rule of the user’s takes a file back in', async () => {
    await repository.commit('Ignore', { '.gitignore': '# agents\n!.claude/agents/wt-*.md\n' });
    await assert.rejects(ensure(), {
      reason: 'not-ignored',
      items: ['**/.claude/agents/wt-*.md is taken back by .gitignore:2: !.claude/agents/wt-*.md'],
    });
    const [left] = await findNotIgnored(workspace.git, workspace.repository, rulesFor(workspace.configuration));
    assert.equal(left?.takenBackBy, '.gitignore:2: !.claude/agents/wt-*.md');
  });

  test('loses no rule when ten want to add them', async () => {
    await Promise.all(Array.from({ length: 10 }, () => ensure()));
    const lines = (await exclude()).split('\n').filter((line) => line.startsWith('/.worktrees/'));
    assert.deepEqual(lines, ['/.worktrees/']);
  });

  test('holds in a bare layout for every worktree', async () => {
    const bare = join(home.root, 'bare.git');
    await repository.git('clone', '--quiet', '--bare', '.', bare);
    await repository.gitIn(bare, 'worktree', 'add', '--quiet', '-b', 'x', join(home.root, 'x'));
    const there = await testWorkspace(home, bare);
    await ensureIgnored(there.environment, there.git, there.repository, {
      ...there.configuration,
      ignore: 'gitignore',
    });
    for (const file of ourFiles) await repository.write(join(home.root, 'x', file), '');
    assert.equal(await repository.gitIn(join(home.root, 'x'), 'status', '--porcelain'), '');
    assert.deepEqual(await findNotIgnored(there.git, there.repository, rulesFor(there.configuration)), []);
  });

  test('covers wherever the configured pattern puts worktrees, and nothing beside them', () => {
    const patterns = (locationPattern: string, worktree?: string): string[] =>
      rulesFor(located(locationPattern), worktree)
        .slice(ignoreRules.length)
        .map(({ pattern }) => pattern);
    assert.deepEqual(patterns('.worktrees/{slug}'), []);
    assert.deepEqual(patterns('./.worktrees/deep/{slug}'), []);
    assert.deepEqual(patterns('wt/{slug}'), ['/wt/']);
    assert.deepEqual(patterns('trees/wt-{slug}'), ['/trees/wt-*/']);
    assert.deepEqual(patterns('odd [name]/{slug}'), ['/odd \\[name\\]/']);
    assert.deepEqual(patterns('{slug}'), []);
    assert.deepEqual(patterns('{slug}', 'feat-auth'), ['/feat-auth/']);
    assert.deepEqual(patterns('only'), ['/only/']);
    for (const elsewhere of ['../{project}-{slug}', '/srv/{slug}', '~/wt/{slug}', 'C:\\wt\\{slug}', 'a/../../{slug}']) {
      assert.deepEqual(patterns(elsewhere, '../x'), [], elsewhere);
    }
  });

  test('covers the tracking file and its lock', async () => {
    await ensure({ ...defaultConfiguration, trackingFile: '.fractary/faber/worktrees.json' });
    await repository.write('.fractary/faber/worktrees.json', '{}');
    await repository.write('.fractary/faber/worktrees.json.lock/owner.json', '{}');
    assert.equal(await repository.git('status', '--porcelain'), '');
  });
});
