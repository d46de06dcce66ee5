import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

const session = `## Pending Tasks

- [ ] **Fix login** — \`/design login\`
- [!] **Write docs**
- [x] **Open the shop**

## Worktree Tasks

- [ ] **Old one** → \`wt/old-one\`
`;

describe('wt tasks', () => {
  let home: WtHome;
  let repository: TestRepository;
  let count: number;
  repositoryForEach((at) => ({ home, repository, count } = at));
  beforeEach(async () => {
    await repository.commit('Session', { 'agents/session.md': session });
  });

  it('lists what is pending, in worktrees and done', async () => {
    await home.done(repository.root, 'create', '--task', 'fix login');
    const listed = await home.done(repository.root, 'tasks');
    assert.equal(
      listed,
      'Pending:\n  [!] Write docs\nIn worktrees:\n  [ ] Old one → old-one (there is no such worktree)\n' +
        '  [ ] Fix login → fix-login\nDone:\n  [x] Open the shop\n',
    );
  });

  it('prints each with its line and its worktree as JSON, also from inside a worktree', async () => {
    await home.done(repository.root, 'create', '--task', 'fix login');
    const path = join(repository.root, '.worktrees/fix-login');
    const ran = await home.wt(path, ['tasks', '--json']);
    assertMatches('tasks', ran.json());
    const { file, exists, pending, in_worktrees } = ran.json() as Record<string, Record<string, unknown>[]>;
    assert.deepEqual([file, exists], ['agents/session.md', true]);
    assert.deepEqual(
      pending?.map(({ name, state, line }) => [name, state, line]),
      [['Write docs', 'blocked', 3]],
    );
    assert.deepEqual(
      in_worktrees?.map(({ name, slug, worktree }) => [name, slug, worktree]),
      [
        ['Old one', 'old-one', null],
        ['Fix login', 'fix-login', { name: 'fix-login', path }],
      ],
    );
  });

  it('says in a sentence that there is no session file, or no task in it', async () => {
    const empty = await home.repository(`empty-${count}`);
    const ran = await home.wt(empty.root, ['tasks']);
    assert.deepEqual([ran.code, ran.stdout], [0, '']);
    assert.match(ran.stderr, /no session file agents\/session\.md/);
    const json = (await home.wt(empty.root, ['tasks', '--json'])).json();
    assertMatches('tasks', json);
    assert.equal(json['exists'], false);
    await empty.write('agents/session.md', '## Pending Tasks\n\n(none)\n');
    assert.match((await home.wt(empty.root, ['tasks'])).stderr, /There are no tasks in agents\/session\.md/);
  });

  it('names the line of a file whose tasks cannot be read', async () => {
    await repository.write('agents/session.md', '# Notes\n\n```\n- [ ] **x**\n');
    const ran = await home.wt(repository.root, ['tasks', '--json']);
    assert.equal(ran.code, 2);
    assertFailure(ran.json(), 'unreadable-file');
    assert.match(ran.stderr, /agents\/session\.md cannot be read: line 3: a code fence is not closed/);
  });

  it('reads the session file that the team has configured', async () => {
    await repository.commit('Configure', {
      '.worktrees.yml': 'session: { session: notes/now.md }\n',
      'notes/now.md': session,
    });
    assert.match(await home.done(repository.root, 'tasks'), /Fix login/);
  });
});

describe('wt create --task', () => {
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));
  beforeEach(async () => {
    await repository.commit('Session', { 'agents/session.md': session });
  });
  const text = (): Promise<string> => readFile(join(repository.root, 'agents/session.md'), 'utf8');

  it('makes a worktree that is called like the task, and moves the task', async () => {
    const ran = await home.wt(repository.root, ['create', '--task', 'Fix login', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches('create', ran.json());
    const { path, task, task_moved } = ran.json();
    assert.deepEqual([path, task, task_moved], ['.worktrees/fix-login', 'Fix login', true]);
    assert.match(
      await text(),
      /## Worktree Tasks\n\n.*\n- \[ \] \*\*Fix login\*\* → `wt\/fix-login` — `\/design login`\n$/,
    );
  });

  it('names the tasks that come close', async () => {
    const ran = await home.wt(repository.root, ['create', '--task', 'login']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /no task "login".*\n.*\n {2}Fix login\n/);
  });

  it('says that another worktree has the task', async () => {
    await home.done(repository.root, 'create', '--task', 'Fix login');
    const ran = await home.wt(repository.root, ['create', '--task', 'Fix login']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /in the worktree fix-login already.*\n.*wt switch fix-login/);
  });

  it('makes several, each on its own, and tells of those that failed', async () => {
    const ran = await home.wt(repository.root, [
      'create',
      '--task',
      'Fix login',
      '--task',
      'nothing',
      '--task',
      'Write docs',
    ]);
    assert.deepEqual([ran.code, ran.stdout], [2, '.worktrees/fix-login\n.worktrees/write-docs\n']);
    assert.match(ran.stderr, /no task "nothing"/);
    assert.doesNotMatch(await text(), /Pending Tasks\n\n- \[[ !]\]/);
  });

  it('prints several as JSON', async () => {
    const ran = await home.wt(repository.root, ['create', '--json', '--task', 'Fix login', '--task', 'nothing']);
    assertMatches('create', ran.json());
    const { success, created, failed } = ran.json() as {
      success: boolean;
      created: { slug: string }[];
      failed: { task: string }[];
    };
    assert.deepEqual(
      [success, created.map(({ slug }) => slug), failed.map(({ task }) => task)],
      [false, ['fix-login'], ['nothing']],
    );
  });

  it('refuses several with what belongs to one', async () => {
    const both = ['--task', 'Fix login', '--task', 'Write docs'];
    for (const more of [['x'], ['--branch', 'x'], ['--session', 'x.md'], ['--work-id', '7']]) {
      const ran = await home.wt(repository.root, ['create', ...both, ...more]);
      assert.equal(ran.code, 2);
      assert.match(ran.stderr, /Several tasks get a worktree each/);
    }
    assert.equal(await text(), session);
  });

  it('completes the names of pending tasks', async () => {
    const offered = await home.done(repository.root, 'complete', 'fish', '--', 'create', '--task', '');
    assert.equal(offered, 'Fix login\t`/design login`\nWrite docs\t\n');
  });

  it('is undone by cleanup, which says where the task went', async () => {
    await home.done(repository.root, 'create', '--task', 'Fix login');
    const ran = await home.wt(repository.root, ['cleanup', 'fix-login']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(
      ran.stderr,
      /Removed fix-login and its branch\.\n {2}It was the active.*\n {2}The task "Fix login" is pending again\./,
    );
    await home.done(repository.root, 'create', '--task', 'Write docs');
    assert.match(
      (await home.wt(repository.root, ['cleanup', '--merged'])).stderr,
      /write-docs stays: its branch has no commits of its own yet/,
    );
    const json = (await home.wt(repository.root, ['cleanup', 'write-docs', '--json'])).json();
    assertMatches('cleanup', json);
  });
});
