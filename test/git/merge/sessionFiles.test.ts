import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../src/core/base/environment.ts';
import { Git } from '../../../src/core/git/git.ts';
import type { GitOptions } from '../../../src/core/git/gitProcess.ts';
import type { GitAnswer } from '../../../src/core/git/gitError.ts';
import type { SessionFileResult } from '../../../src/core/merge/decideSessionFiles.ts';
import { recomputeSessionFiles } from '../../../src/core/merge/sessionFiles.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment, testWorkspace } from '../../support/workspace.ts';

const session = 'agents/session.md';
const learnings = 'agents/learnings.md';
const jobs = 'agents/jobs.md';
const tasks = (...lines: string[]): string => ['# Session', '', '## Pending Tasks', '', ...lines, ''].join('\n');

/** Runs so many commands that change something, and then fails. */
class StoppingGit extends Git {
  #left: number;

  constructor(environment: Environment, left: number) {
    super(environment);
    this.#left = left;
  }

  override async run(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    if (options.writes && this.#left-- <= 0) throw new Error('stopped');
    return super.run(args, options);
  }
}

describe('recomputing the session files of a merge', () => {
  let home: TestHome;
  let repository: TestRepository;

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  afterEach(() => home.dispose());

  /** Makes the two sides, begins the merge as `wt merge` does, and recomputes. */
  async function mergeOf(
    base: Record<string, string>,
    ours: Record<string, string | undefined>,
    theirs: Record<string, string | undefined>,
  ): Promise<SessionFileResult[]> {
    await repository.commit('Base', base);
    await repository.git('branch', 'feat');
    await commitAll(ours);
    await repository.git('checkout', '--quiet', 'feat');
    await commitAll(theirs);
    await repository.git('checkout', '--quiet', 'main');
    await repository.git('merge', '--no-commit', '--no-ff', 'feat').catch(() => undefined);
    return recompute();
  }

  async function commitAll(files: Record<string, string | undefined>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      if (text === undefined) await repository.git('rm', '--quiet', file);
      else await repository.write(file, text);
    }
    await repository.git('add', '--all');
    await repository.git('commit', '--quiet', '--allow-empty', '-m', 'Work');
  }

  async function recompute(git?: Git): Promise<SessionFileResult[]> {
    const bases = (await repository.git('merge-base', '--all', 'main', 'feat')).split('\n');
    const workspace = await testWorkspace(home, repository.root);
    return recomputeSessionFiles(git ? { ...workspace, git } : workspace, {
      cwd: repository.root,
      base: bases.length === 1 ? bases[0] : undefined,
      ours: 'main',
      theirs: 'feat',
      slug: 'feat',
    });
  }

  const states = (results: readonly SessionFileResult[]): string[] => results.map(({ state }) => state);
  const written = (file: string): Promise<string> => readFile(join(repository.root, file), 'utf8');
  const unstaged = (): Promise<string> => repository.git('diff', '--name-status');

  it('all three are merged, staged and written, in conflict or not', async () => {
    const table = (status: string): string => `| Plan | Status |\n|---|---|\n| a | ${status} |\n`;
    const results = await mergeOf(
      { [session]: tasks('- [ ] **A** — a'), [learnings]: '# L\n', [jobs]: table('designed') },
      { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b'), [learnings]: '# L\n\n## One\n- 1\n' },
      {
        [session]: tasks('- [ ] **A** — a', '- [ ] **C** — c'),
        [learnings]: '# L\n\n## Two\n- 2\n',
        [jobs]: table('complete'),
      },
    );
    assert.deepEqual(states(results), ['merged', 'merged', 'merged']);
    assert.equal(await written(session), tasks('- [ ] **A** — a', '- [ ] **B** — b', '- [ ] **C** — c'));
    assert.equal(await written(learnings), '# L\n\n## One\n- 1\n\n## Two\n- 2\n');
    assert.equal(await written(jobs), table('complete'));
    assert.equal(await unstaged(), '');
    assert.equal(await repository.git('ls-files', '--unmerged'), '');
  });

  it('a file that only the worktree stripped stays whole, although git calls it clean', async () => {
    const results = await mergeOf(
      { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b') },
      { 'other.txt': 'x' },
      { [session]: tasks('- [x] **A** — a') },
    );
    assert.deepEqual(
      results.map(({ state, changed }) => [state, changed]),
      [
        ['merged', true],
        ['absent', false],
        ['absent', false],
      ],
    );
    assert.equal(await written(session), tasks('- [x] **A** — a', '- [ ] **B** — b'));
  });

  it('stopped before any of its commands, it does the rest when it is done again', async () => {
    const both = tasks('- [ ] **A** — a', '- [ ] **B** — b', '- [ ] **C** — c');
    await mergeOf(
      { [session]: tasks('- [ ] **A** — a'), [learnings]: '# L\n' },
      { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b') },
      { [session]: tasks('- [ ] **A** — a', '- [ ] **C** — c'), [learnings]: '# L\n\n## Two\n- 2\n' },
    );
    for (let left = 0, stopped = true; stopped; left++) {
      await repository.git('merge', '--abort');
      await repository.git('merge', '--no-commit', '--no-ff', 'feat').catch(() => undefined);
      const environment = testEnvironment(home, repository.root);
      stopped = await recompute(new StoppingGit(environment, left)).then(
        () => false,
        () => true,
      );
      await recompute();
      assert.equal(await written(session), both, `stopped after ${left} commands`);
      assert.equal(await unstaged(), '');
      assert.equal(await repository.git('ls-files', '--unmerged'), '');
      const remains = (await readdir(join(repository.root, '.git'))).filter((name) => name.startsWith('wt-stage'));
      assert.deepEqual(remains, []);
    }
  });

  it('doing it again changes nothing', async () => {
    await mergeOf(
      { [session]: tasks('- [ ] **A** — a') },
      { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b') },
      { [session]: tasks('- [ ] **A** — a', '- [ ] **C** — c') },
    );
    const before = await repository.git('ls-files', '--stage');
    const again = await recompute();
    assert.deepEqual(
      again.map(({ changed, conflicted }) => [changed, conflicted]),
      [
        [false, false],
        [false, false],
        [false, false],
      ],
    );
    assert.equal(await repository.git('ls-files', '--stage'), before);
  });

  it('ours keeps its mode', async () => {
    await repository.commit('Base', { [session]: tasks('- [ ] **A** — a') });
    await repository.git('branch', 'feat');
    await repository.git('update-index', '--chmod=+x', session);
    await repository.git('commit', '--quiet', '-m', 'Mode');
    await repository.git('checkout', '--quiet', '--force', 'feat');
    await commitAll({ [session]: tasks('- [ ] **A** — a', '- [ ] **C** — c') });
    await repository.git('checkout', '--quiet', '--force', 'main');
    await repository.git('merge', '--no-commit', '--no-ff', 'feat');
    await recompute();
    assert.match(await repository.git('ls-files', '--stage', session), /^100755 /);
    assert.equal(await unstaged(), '');
  });

  it('line ends are as git writes them in this working tree', async () => {
    await repository.git('config', 'core.autocrlf', 'true');
    await mergeOf(
      { [session]: tasks('- [ ] **A** — a') },
      { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b') },
      { [session]: tasks('- [ ] **A** — a', '- [ ] **C** — c') },
    );
    assert.ok((await written(session)).includes('**C** — c\r\n'));
    assert.ok(!(await repository.git('cat-file', '-p', `:${session}`)).includes('\r'));
  });

  it('a file that theirs deleted is kept, changed by ours or not', async () => {
    const results = await mergeOf(
      { [session]: tasks('- [ ] **A** — a'), [jobs]: '| Plan | Status |\n|---|---|\n| a | planned |\n' },
      { [session]: tasks('- [x] **A** — a') },
      { [session]: undefined, [jobs]: undefined },
    );
    assert.deepEqual(states(results), ['kept', 'absent', 'kept']);
    assert.equal(await written(session), tasks('- [x] **A** — a'));
    assert.equal(await written(jobs), '| Plan | Status |\n|---|---|\n| a | planned |\n');
    assert.equal(await repository.git('ls-files', '--unmerged'), '');
  });

  it('learnings that theirs deleted as a whole go, unless ours changed them', async () => {
    const results = await mergeOf({ [learnings]: '# L\n\n## A\n- a\n' }, {}, { [learnings]: undefined });
    assert.deepEqual(states(results), ['absent', 'git', 'absent']);
    await assert.rejects(stat(join(repository.root, learnings)));
  });

  it('a file that ours deleted stays deleted, unless theirs has new tasks', async () => {
    const results = await mergeOf(
      { [session]: tasks('- [ ] **A** — a'), [learnings]: '# L\n\n## A\n- a\n' },
      { [session]: undefined, [learnings]: undefined },
      { [session]: tasks('- [x] **A** — a'), [learnings]: '# L\n\n## A\n- a\n\n## B\n- b\n' },
    );
    assert.deepEqual(states(results), ['deleted', 'merged', 'absent']);
    await assert.rejects(stat(join(repository.root, session)));
    assert.equal(await written(learnings), '## B\n- b\n');
    assert.equal(await repository.git('ls-files', '--unmerged'), '');
  });

  it('a file that theirs moved is where git has put it', async () => {
    const long = tasks(...Array.from({ length: 20 }, (_, index) => `- [ ] **T${index}** — do ${index}`));
    const results = await mergeOf(
      { [session]: long },
      { 'other.txt': 'x' },
      { [session]: undefined, 'notes/session.md': `${long}- [ ] **More** — x\n` },
    );
    assert.deepEqual(states(results), ['git', 'absent', 'absent']);
    await assert.rejects(stat(join(repository.root, session)));
  });

  it('an unknown shape is left to git, and named with its line', async () => {
    const results = await mergeOf(
      { [session]: '# Contract\n\nOne.\n' },
      { [session]: '# Contract\n\nTwo.\n' },
      { [session]: '# Contract\n\nThree.\n' },
    );
    const [first] = results;
    assert.equal(first?.state, 'unknown');
    assert.equal(first.conflicted, true);
    assert.match(first.unknown ?? '', /^line 1 of ours: /);
    assert.match(await written(session), /^<{7} /m);
    assert.notEqual(await repository.git('ls-files', '--unmerged'), '');
  });

  it('bytes that are no text are left to git', async () => {
    await repository.commit('Base', { [session]: tasks('- [ ] **A** — a') });
    await repository.git('branch', 'feat');
    await commitAll({ [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b') });
    await repository.git('checkout', '--quiet', 'feat');
    await writeFile(join(repository.root, session), Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x0a]));
    await repository.git('commit', '--quiet', '-am', 'Bytes');
    await repository.git('checkout', '--quiet', 'main');
    await repository.git('merge', '--no-commit', '--no-ff', 'feat').catch(() => undefined);
    const [first] = await recompute();
    assert.equal(first?.state, 'unknown');
    assert.match(first.unknown ?? '', /no UTF-8 text/);
  });

  it('with more than one merge base no task is lost', async () => {
    await repository.commit('Base', { [session]: tasks('- [ ] **A** — a') });
    await repository.git('branch', 'feat');
    await commitAll({ [session]: tasks('- [ ] **A** — a, one', '- [ ] **B** — b') });
    await repository.git('checkout', '--quiet', 'feat');
    await commitAll({ [session]: tasks('- [ ] **A** — a, two', '- [ ] **C** — c') });
    const [main, feat] = await Promise.all([repository.git('rev-parse', 'main'), repository.git('rev-parse', 'feat')]);
    for (const [branch, other] of [
      ['main', feat],
      ['feat', main],
    ] as const) {
      await repository.git('checkout', '--quiet', branch);
      await repository.git('merge', '--no-commit', '-s', 'ours', other);
      await commitAll({
        [session]: tasks(`- [ ] **A** — a, ${branch}`, '- [ ] **B** — b', '- [ ] **C** — c', `- [ ] **${branch}** — x`),
      });
    }
    await repository.git('checkout', '--quiet', 'main');
    assert.equal((await repository.git('merge-base', '--all', 'main', 'feat')).split('\n').length, 2);
    await repository.git('merge', '--no-commit', '--no-ff', 'feat').catch(() => undefined);
    const [first] = await recompute();
    assert.equal(first?.state, 'merged');
    for (const name of ['A', 'B', 'C', 'main', 'feat']) {
      assert.equal((await written(session)).split(`**${name}**`).length, 2, name);
    }
  });

  it('odd paths from the configuration work', async () => {
    await repository.commit('Configured', {
      '.worktrees.yml': 'session: { session: "my notes/*ä [x].md", learnings: "-l.md", jobs: "j o.md" }\n',
    });
    const results = await mergeOf(
      { 'my notes/*ä [x].md': tasks('- [ ] **A** — a'), '-l.md': '# L\n' },
      { 'my notes/*ä [x].md': tasks('- [ ] **A** — a', '- [ ] **B** — b'), '-l.md': '# L\n\n## 1\n- 1\n' },
      { 'my notes/*ä [x].md': tasks('- [ ] **A** — a', '- [ ] **C** — c'), '-l.md': '# L\n\n## 2\n- 2\n' },
    );
    assert.deepEqual(states(results), ['merged', 'merged', 'absent']);
    assert.equal(await written('my notes/*ä [x].md'), tasks('- [ ] **A** — a', '- [ ] **B** — b', '- [ ] **C** — c'));
    assert.equal(await unstaged(), '');
  });
});
