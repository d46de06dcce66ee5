import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { readBoard } from '../../../src/core/tasks/board.ts';
import { bundled } from '../../support/bundled.ts';
import { Creations } from '../../support/creations.ts';
import { StepCopies } from '../../support/stepCopies.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

const driver = new URL('../../support/createDriver.ts', import.meta.url);
const session = `# Session Handoff

## Pending Tasks

- [ ] **Fix login** — \`/design login\`
  - Plan: login-form | Status: designed
- [ ] **Write docs**
- [x] **Open the shop**

## Blockers

- Write docs waits for a writer
- The login-form needs icons`;
const handed = session
  .replace(/- \[ \] \*\*Fix login.*\n.*\n/, '')
  .replace(
    '\n\n## Blockers',
    '\n\n## Worktree Tasks\n\n- [ ] **Fix login** → `wt/fix-login` — `/design login`\n  - Plan: login-form | Status: designed\n\n## Blockers',
  );

describe('creating a worktree for a task', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.commit('Session', { 'agents/session.md': session });
  });
  afterEach(() => at.dispose());

  const text = (): Promise<string> => readFile(join(at.repository.root, 'agents/session.md'), 'utf8');
  const write = (content: string): Promise<void> => at.repository.write('agents/session.md', content);

  it('names it after the task, moves the task, and gives the branch a session file for it alone', async () => {
    const created = await at.create({ task: 'fix LOGIN' });
    assert.deepEqual(
      [created.name, created.slug, created.branch, created.task, created.taskMoved, created.warnings],
      ['fix-login', 'fix-login', 'fix-login', 'Fix login', true, []],
    );
    assert.equal(await text(), handed);
    assert.equal(
      await readFile(join(created.path, 'agents/session.md'), 'utf8'),
      '# Session: Worktree — Fix login\n\n## Pending Tasks\n\n- [ ] **Fix login** — `/design login`\n' +
        '  - Plan: login-form | Status: designed\n\n## Blockers\n\n- The login-form needs icons\n',
    );
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
    assert.equal((await readRegistry(at.workspace.repository)).worktrees.get('fix-login')?.task, 'Fix login');
  });

  it('keeps the name that was given, and a session file that was given', async () => {
    const file = join(at.home.root, 'mine.md');
    await at.repository.write(file, '# Mine\n');
    const created = await at.create({ name: 'Login page', branch: 'login', task: 'Fix login', sessionFile: file });
    assert.deepEqual([created.slug, created.taskMoved], ['login-page', true]);
    assert.equal(await readFile(join(created.path, 'agents/session.md'), 'utf8'), '# Mine\n');
    assert.match(await text(), /Fix login\*\* → `wt\/login-page`/);
  });

  it('on a branch that exists leaves its session file alone', async () => {
    await at.repository.git('branch', 'old');
    const created = await at.create({ name: 'old', branch: 'old', task: 'Fix login' });
    assert.equal(created.taskMoved, true);
    assert.equal(await at.repository.git('rev-parse', 'old'), await at.repository.git('rev-parse', 'main'));
  });

  it('takes any text for a worktree that has a name, and says when it is no task', async () => {
    const created = await at.create({ name: 'x', task: 'Log in' });
    assert.equal(created.taskMoved, false);
    assert.match(texts(created.warnings).join(), /no task "Log in" in agents\/session\.md/);
    assert.equal(await text(), session);
    await rm(join(at.repository.root, 'agents/session.md'));
    assert.deepEqual((await at.create({ name: 'y', task: 'Log in' })).warnings, []);
  });

  it('is refused before anything is touched when the task is not there, finished, or not the only one', async () => {
    const before = await at.traces();
    await assert.rejects(at.create({ task: 'login' }), { reason: 'not-found', items: ['Fix login'] });
    await assert.rejects(at.create({ task: 'Open the shop' }), { reason: 'taken', id: 'tasks.taskFinishedAlready' });
    await write(session.replace('Write docs', 'Fix login'));
    await assert.rejects(at.create({ task: 'Fix login' }), { reason: 'ambiguous', line: 5 });
    await write('## Pending Tasks\n\n```\n- [ ] **Fix login**\n');
    await assert.rejects(at.create({ task: 'Fix login' }), { reason: 'unreadable-file', line: 3 });
    await rm(join(at.repository.root, 'agents/session.md'));
    await assert.rejects(at.create({ task: 'Fix login' }), { reason: 'not-found', id: 'tasks.noSessionFile' });
    await at.repository.git('checkout', '--quiet', 'agents/session.md');
    assert.deepEqual(await at.traces(), before);
  });

  it('is refused while another worktree has the task, and not when that one is gone', async () => {
    const { path } = await at.create({ task: 'Fix login' });
    await assert.rejects(at.create({ name: 'again', task: 'Fix login' }), {
      reason: 'in-use',
      next: 'run `wt switch fix-login` to go on there',
    });
    await at.repository.git('worktree', 'remove', '--force', path);
    const created = await at.create({ name: 'again', task: 'Fix login' });
    assert.equal(created.taskMoved, true);
    assert.equal(await text(), handed.replace('wt/fix-login', 'wt/again'));
  });

  it('gives two tasks with one slug two worktrees', async () => {
    await write(session.replace('Write docs', 'Fix: login!'));
    const one = await at.create({ task: 'Fix login' });
    const other = await at.create({ task: 'Fix: login!' });
    assert.equal(one.slug, 'fix-login');
    assert.match(other.slug, /^fix-login-[0-9a-f]{6}$/);
    const { worktrees } = await readSnapshot(at.workspace, { withChanges: false });
    const board = await readBoard(at.workspace, worktrees);
    assert.deepEqual(
      board.inWorktrees.map(({ name, worktree }) => [name, worktree?.path]),
      [
        ['Fix login', one.path],
        ['Fix: login!', other.path],
      ],
    );
  });

  it('leaves the session file byte for byte as it was when it fails at the end', async () => {
    const strange = `\uFEFF${session.replaceAll('\n', '\r\n')}`;
    await write(strange);
    await at.configure('setup: ["exit 3"]\n');
    await assert.rejects(at.create({ task: 'Fix login' }, { approveSetup: async () => true }), {
      reason: 'setup-failed',
    });
    assert.equal(await text(), strange);
    // The state file, which is written after the task was moved, cannot be: what should be its folder is a file.
    await at.configure('{}\n');
    await at.repository.write('.claude', 'a file\n');
    await assert.rejects(at.create({ task: 'Fix login' }), /\.claude/);
    assert.equal(await text(), strange);
  });

  it('loses nothing when many are made at once', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `Task ${index}`);
    await write(`## Pending Tasks\n\n${names.map((name) => `- [ ] **${name}**\n`).join('')}`);
    await Promise.all(names.map((task) => at.create({ task })));
    const slugs = names.map((name) => `- [ ] **${name}** → \`wt/${name.toLowerCase().replace(' ', '-')}\``);
    const [pending, ...lines] = (await text())
      .split('\n')
      .filter((line) => line.startsWith('- ') || line.startsWith('##'));
    assert.equal(pending, '## Pending Tasks');
    assert.deepEqual(lines.sort(), ['## Worktree Tasks', ...slugs].sort());
  });

  it('gives the task to one of two that ask for it at the same time', async () => {
    const answers = await Promise.allSettled(['one', 'two'].map((name) => at.create({ name, task: 'Fix login' })));
    const failed = answers.filter((each) => each.status === 'rejected');
    assert.equal(failed.length, 1);
    assert.equal((failed[0]?.reason as { reason: string }).reason, 'in-use');
    const { listed } = await at.traces();
    const slug = /Fix login\*\* → `wt\/(\w+)`/.exec(await text())?.[1] ?? '';
    assert.deepEqual(listed, [at.repository.root, at.path(slug)]);
  });

  it('is whole or not at all when it is killed at any step', async function () {
    this.timeout(300_000);
    let undone = 0;
    let completed = 0;
    const name = 'x';
    const copies = new StepCopies(at.home.root);
    const args = [bundled(driver), at.repository.root, name, copies.into, 'Fix login'];
    await promisify(execFile)(process.execPath, args, { env: at.home.variables });
    for (const step of shareOf(copies.all(), 3)) {
      copies.restore(step);
      const now = (): Date => new Date(Date.now() + 60_000);
      assert.deepEqual(
        await recoverInterrupted({ ...at.workspace, environment: { ...at.workspace.environment, now } }),
        [],
      );
      const there = existsSync(join(at.path(name), 'agents/session.md'));
      if (there) completed++;
      else undone++;
      assert.equal(await text(), there ? handed.replace('wt/fix-login', `wt/${name}`) : session, `step ${step}`);
    }
    copies.forget();
    assert.ok(undone > 0 && completed > 0, `undone ${undone}, completed ${completed}`);
  });
});
