import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

const session = 'agents/session.md';
const tasks = (...lines: string[]): string => ['# Session', '', '## Pending Tasks', '', ...lines, ''].join('\n');

interface ResolveJson {
  readonly success: boolean;
  readonly operation: string | null;
  readonly files: readonly {
    path: string;
    state: string;
    replaced: string | null;
    entries: { name: string; reason: string }[];
  }[];
  readonly left: readonly string[];
  readonly next: string | null;
}

describe('wt resolve', () => {
  let home: WtHome;
  let repository: TestRepository;
  let count: number;
  repositoryForEach((at) => ({ home, repository, count } = at));
  beforeEach(async () => {
    await repository.commit('Base', { [session]: tasks('- [ ] **A** — a'), 'code.txt': '1\n' });
    await repository.git('branch', 'feat');
  });

  /** Both sides add a task; also with a conflict in code where that is wanted. */
  async function diverge(withCode = false): Promise<void> {
    const code = (text: string): Record<string, string> => (withCode ? { 'code.txt': text } : {});
    await repository.commit('Main', { [session]: tasks('- [ ] **A** — a', '- [ ] **Main** — m'), ...code('main\n') });
    await repository.git('checkout', '--quiet', 'feat');
    await repository.commit('Feat', {
      [session]: tasks('- [x] **A** — a', '- [ ] **Feat** — f').replace('# Session', '# Session: Worktree'),
      ...code('feat\n'),
    });
  }

  const inSession = (folder = repository.root): Promise<string> => readFile(join(folder, session), 'utf8');

  it('a merge: what was decided is said, and the next step', async () => {
    await diverge();
    await repository.git('checkout', '--quiet', 'main');
    await assert.rejects(repository.git('merge', 'feat'));
    const ran = await home.wt(repository.root, ['resolve']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(
      ran.stdout,
      /^agents\/session\.md: merged\n {2}A: merged \(changed in feat\)\n {2}Feat: added \(new in feat\)\n$/,
    );
    assert.match(ran.stderr, /next: `git merge --continue`/);
    await repository.git('-c', 'core.editor=true', 'merge', '--continue');
    assert.equal(await inSession(), tasks('- [x] **A** — a', '- [ ] **Main** — m', '- [ ] **Feat** — f'));
  });

  it('a merge: what stays behind of what is no task is named', async () => {
    await repository.commit('Main', { [session]: tasks('- [ ] **A** — a', '- [ ] **Main** — m') });
    await repository.git('checkout', '--quiet', 'feat');
    const found = tasks(
      '- [ ] **A** — a',
      '- [ ] **Feat** — f',
      '',
      '## Next Steps',
      '',
      '- ask Ann',
      '',
      '## Risks',
      '',
      '- rain',
    );
    await repository.commit('Feat', { [session]: found });
    await repository.git('checkout', '--quiet', 'main');
    await assert.rejects(repository.git('merge', 'feat'));
    const ran = await home.wt(repository.root, ['resolve']);
    assert.match(
      ran.stdout,
      /\n {2}Next Steps: ask Ann: left behind \(this part of the file stays as in main\)\n {2}rain: added/,
    );
    const again = await home.wt(repository.root, ['resolve', session, '--json']);
    assertMatches('resolve', again.json());
    const [file] = (again.json() as unknown as ResolveJson).files;
    assert.ok(file?.entries.some(({ name, reason }) => name === 'ask Ann' && reason === 'leftBehind'));
    assert.match(await inSession(), /\n## Risks\n\n- rain\n/);
  });

  it('a rebase: the notes of the worktree stay its own', async () => {
    await diverge();
    await assert.rejects(repository.git('rebase', 'main'));
    const ran = await home.wt(repository.root, ['resolve', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches('resolve', ran.json());
    const { operation, next } = ran.json() as unknown as ResolveJson;
    assert.deepEqual([operation, next], ['rebase', '`git rebase --continue`']);
    await repository.git('-c', 'core.editor=true', 'rebase', '--continue');
    assert.equal(
      await inSession(),
      tasks('- [x] **A** — a', '- [ ] **Feat** — f').replace('# Session', '# Session: Worktree'),
    );
  });

  it('a cherry-pick, in a linked worktree and from a folder in it', async () => {
    await diverge();
    await repository.git('checkout', '--quiet', 'main');
    const linked = join(home.root, `linked ${count}`);
    await repository.git('worktree', 'add', '--quiet', '-b', 'other', linked, 'main');
    await assert.rejects(repository.gitIn(linked, 'cherry-pick', 'feat'));
    const ran = await home.wt(join(linked, 'agents'), ['resolve', 'session.md', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal((ran.json() as unknown as ResolveJson).operation, 'cherry-pick');
    await repository.gitIn(linked, '-c', 'core.editor=true', 'cherry-pick', '--continue');
    assert.equal(await inSession(linked), tasks('- [x] **A** — a', '- [ ] **Main** — m', '- [ ] **Feat** — f'));
  });

  it('other conflicts are left, named, and make the exit code 1', async () => {
    await diverge(true);
    await repository.git('checkout', '--quiet', 'main');
    await assert.rejects(repository.git('merge', 'feat'));
    const ran = await home.wt(repository.root, ['resolve', '--json']);
    assert.equal(ran.code, 1);
    assertMatches('resolve', ran.json());
    const { success, left, next, files } = ran.json() as unknown as ResolveJson;
    assert.deepEqual([success, left, files.map(({ state }) => state)], [false, ['code.txt'], ['merged']]);
    assert.equal(next, 'resolve what is left and `git add` it, then `git merge --continue`');
    assert.match(await readFile(join(repository.root, 'code.txt'), 'utf8'), /^<{7} /);
    const again = await home.wt(repository.root, ['resolve']);
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(again.stderr, /Still in conflict:\n {2}code\.txt/);
  });

  it('what a person had begun is kept, and a file that is named is merged anew', async () => {
    await diverge();
    await repository.git('checkout', '--quiet', 'main');
    await assert.rejects(repository.git('merge', 'feat'));
    await repository.write(session, 'by hand\n');
    await repository.git('add', session);
    const ran = await home.wt(repository.root, ['resolve', session, '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    const [file] = (ran.json() as unknown as ResolveJson).files;
    assert.equal(await repository.git('cat-file', '-p', file?.replaced ?? ''), 'by hand');
    assert.equal(await inSession(), tasks('- [x] **A** — a', '- [ ] **Main** — m', '- [ ] **Feat** — f'));
  });

  it('a file of unknown shape is left to the person, with the line', async () => {
    await repository.commit('Main', { [session]: '# Contract\n\nTwo.\n' });
    await repository.git('checkout', '--quiet', 'feat');
    await repository.commit('Feat', { [session]: '# Contract\n\nThree.\n' });
    await assert.rejects(repository.git('merge', 'main'));
    const ran = await home.wt(repository.root, ['resolve']);
    assert.equal(ran.code, 1);
    assert.match(ran.stdout, /^agents\/session\.md: left as it is \(line 1 of ours: /);
    assert.match(await inSession(), /^<{7} /m);
  });

  it('a revert is left to the person', async () => {
    await repository.git('checkout', '--quiet', 'feat');
    const added = await repository.commit('One', { [session]: tasks('- [ ] **A** — a', '- [ ] **One** — 1') });
    await repository.commit('Two', { [session]: tasks('- [ ] **A** — a', '- [ ] **One** — 1', '- [ ] **Two** — 2') });
    await assert.rejects(repository.git('revert', '--no-edit', added));
    const ran = await home.wt(repository.root, ['resolve', '--json']);
    assert.equal(ran.code, 1);
    assertFailure(ran.json(), 'unsupported');
    assert.match(await repository.git('ls-files', '--unmerged'), /session\.md/);
  });

  it('without a conflict, and for a file that is none of the three, it says so', async () => {
    const none = await home.wt(repository.root, ['resolve', '--json']);
    assert.equal(none.code, 2);
    assertFailure(none.json(), 'not-found');
    const other = await home.wt(repository.root, ['resolve', 'code.txt', '--json']);
    assert.equal(other.code, 2);
    assertFailure(other.json(), 'usage');
  });
});
