import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { wtHome, type WtHome } from '../support/wt.ts';

const tasks = (...lines: string[]): string => ['# Session', '', '## Pending Tasks', '', ...lines, ''].join('\n');

suite('the merge driver', () => {
  let home: WtHome;
  let repository: TestRepository;
  let count = 0;
  let session = 'agents/session.md';
  suiteSetup(async () => {
    home = await wtHome();
  });
  suiteTeardown(() => home.dispose());
  setup(() => (session = 'agents/session.md'));

  /** A repository with the driver, and a branch `feat` that has diverged from `main`; `main` is checked out. */
  async function diverged(name: string, configuration: Record<string, string> = {}): Promise<void> {
    repository = await home.repository(`${name}-${++count}`);
    await repository.commit('Base', { ...configuration, [session]: tasks('- [ ] **A** — a') });
    await home.done(repository.root, 'setup', '--merge-driver');
    assert.equal(await repository.git('status', '--porcelain'), '', 'nothing is there to commit');
    await repository.git('checkout', '--quiet', '-b', 'feat');
    await repository.commit('Feat', { [session]: tasks('- [x] **A** — a', '- [ ] **Feat** — f') });
    await repository.git('checkout', '--quiet', 'main');
    await repository.commit('Main', { [session]: tasks('- [ ] **A** — a', '- [ ] **Main** — m') });
  }

  const inSession = (folder = repository.root): Promise<string> => readFile(join(folder, session), 'utf8');
  const merged = tasks('- [x] **A** — a', '- [ ] **Main** — m', '- [ ] **Feat** — f');

  test('plain git merge', async () => {
    await diverged('merge');
    await repository.git('merge', '--quiet', '--no-edit', 'feat');
    assert.equal(await inSession(), merged);
  });

  test('plain git rebase: ours is the commit that is replayed', async () => {
    await diverged('rebase');
    await repository.git('checkout', '--quiet', 'feat');
    await repository.git('rebase', '--quiet', 'main');
    assert.equal(await inSession(), tasks('- [x] **A** — a', '- [ ] **Feat** — f', '- [ ] **Main** — m'));
  });

  test('plain git cherry-pick', async () => {
    await diverged('cherry-pick');
    await repository.git('cherry-pick', 'feat');
    assert.equal(await inSession(), merged);
  });

  test('in a linked worktree, with spaces and quotes in every path', async () => {
    session = 'my notes/se\'ss "ion" [1] ä.md';
    await diverged("it's 100% odd", {
      '.worktrees.yml': `session: { session: 'my notes/se''ss "ion" [1] ä.md' }\n`,
    });
    const linked = join(home.root, `linked 'tree' ${count}`);
    await repository.git('worktree', 'add', '--quiet', '-b', 'other', linked, 'main');
    await repository.gitIn(linked, 'merge', '--quiet', '--no-edit', 'feat');
    assert.equal(await inSession(linked), merged);
    await repository.gitIn(linked, 'checkout', '--quiet', '-b', 'again', 'feat');
    await repository.gitIn(linked, 'rebase', '--quiet', 'main');
    assert.equal(await inSession(linked), tasks('- [x] **A** — a', '- [ ] **Feat** — f', '- [ ] **Main** — m'));
  });

  for (const [what, spoil] of [
    [
      'the launcher is gone',
      (root: string) => rename(join(root, '.worktrees/bin/wt'), join(root, '.worktrees/bin/old')),
    ],
    [
      'the launcher finds nothing to start',
      (root: string) => writeFile(join(root, '.worktrees/bin/wt'), '#!/bin/sh\nexit 2\n'),
    ],
  ] as const) {
    test(`when ${what}, git merges as it does without a driver`, async () => {
      await diverged('gone');
      await spoil(repository.root);
      await assert.rejects(repository.git('merge', '--quiet', '--no-edit', 'feat'));
      assert.match(await inSession(), /^<{7} ours\n[^]*^>{7} theirs$/m);
      assert.match(await repository.git('ls-files', '--unmerged'), /session\.md/);
    });
  }

  test('an unknown shape is merged by lines, and git is told of the conflict', async () => {
    await diverged('unknown');
    await repository.git('checkout', '--quiet', 'feat');
    await repository.commit('Feat', { [session]: '# Contract\n\nOne.\n' });
    await repository.git('checkout', '--quiet', 'main');
    await repository.commit('Main', { [session]: '# Contract\n\nTwo.\n' });
    await assert.rejects(repository.git('merge', '--no-edit', 'feat'));
    assert.match(await inSession(), /^<{7} ours\n[^]*^>{7} theirs$/m);
  });

  test('it is set up once, follows the configuration, keeps other rules, and can be taken out', async () => {
    repository = await home.repository(`setup-${++count}`);
    const attributes = join(repository.root, '.git/info/attributes');
    await writeFile(attributes, '*.png binary');
    const first = await home.wt(repository.root, ['setup', '--merge-driver', '--json']);
    assertMatches('setup', first.json());
    assert.deepEqual(first.json(), {
      success: true,
      merge_driver: 'installed',
      paths: ['agents/session.md', 'agents/learnings.md', 'agents/jobs.md'],
      attributes,
      changed: true,
    });
    const again = await home.wt(repository.root, ['setup', '--merge-driver', '--json']);
    assert.equal(again.json()['changed'], false);
    await repository.write('.worktrees.yml', 'session: { session: notes.md }\n');
    const other = await home.wt(repository.root, ['setup', '--merge-driver', '--json']);
    assert.equal(other.json()['changed'], true);
    const [known, old, nested] = await Promise.all(
      ['notes.md', 'agents/session.md', 'below/notes.md'].map((path) => repository.git('check-attr', 'merge', path)),
    );
    assert.deepEqual(
      [known, old, nested],
      ['notes.md: merge: wt-session', 'agents/session.md: merge: unspecified', 'below/notes.md: merge: unspecified'],
    );
    const gone = await home.wt(repository.root, ['setup', '--merge-driver', '--remove', '--json']);
    assertMatches('setup', gone.json());
    assert.equal(gone.json()['changed'], true);
    assert.equal(await readFile(attributes, 'utf8'), '*.png binary\n');
    await assert.rejects(repository.git('config', '--get-regexp', '^merge\\.wt-'));
    const nothing = await home.wt(repository.root, ['setup', '--merge-driver', '--remove', '--json']);
    assert.equal(nothing.json()['changed'], false);
  });

  test('it writes over ours, takes an empty base for none, and the slug’s task out', async () => {
    const folder = join(home.root, 'files');
    repository = await home.repository('files');
    await repository.write('base', '');
    await repository.write('ours', `${tasks('- [ ] **B** — b')}\n## Worktree Tasks\n\n- [ ] **A** → \`feat\` — a\n`);
    await repository.write('theirs', tasks('- [x] **A** — a', '- [ ] **C** — c'));
    const ran = await home.wt(folder, ['merge-driver', 'session', 'base', 'ours', 'theirs', '--slug', 'feat']);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
    assert.equal(
      await readFile(join(folder, 'ours'), 'utf8'),
      `${tasks('- [ ] **B** — b', '- [ ] **C** — c')}\n## Worktree Tasks\n`,
    );
    const kind = await home.wt(folder, ['merge-driver', 'todo', 'base', 'ours', 'theirs', '--json']);
    assert.equal(kind.code, 2);
    assertFailure(kind.json(), 'usage');
    const missing = await home.wt(folder, ['merge-driver', 'jobs', 'base', 'nowhere', 'theirs', '--json']);
    assert.equal(missing.code, 2);
    assertFailure(missing.json(), 'unreadable-file');
  });
});
