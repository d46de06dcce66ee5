import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Environment } from '../../../src/core/base/environment.ts';
import { readLog } from '../../../src/core/claude/decisionLog.ts';
import { answerOf } from '../../../src/core/claude/hookAnswer.ts';
import type { HookDecision } from '../../../src/core/claude/hookDecision.ts';
import type { HookInput } from '../../../src/core/claude/hookInput.ts';
import { logDecision } from '../../../src/core/claude/hookLog.ts';
import { scopeOf, type Scope } from '../../../src/core/claude/scope.ts';
import { taskCompleted } from '../../../src/core/claude/taskCompleted.ts';
import { teammateIdle } from '../../../src/core/claude/teammateIdle.ts';
import { agentTranscript } from '../../../src/core/claude/transcript.ts';
import { Git } from '../../../src/core/git/git.ts';
import { needsBirths } from '../../support/skip.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

describe('the hooks of team-mates', () => {
  let home: TestHome;
  let repository: TestRepository;
  let path: string;
  let environment: Environment;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    path = join(repository.root, '.worktrees', 'one');
    await repository.git('worktree', 'add', '--quiet', '-b', 'one', path);
    await repository.write('.git/info/exclude', '/.worktrees/\n/.poll-active\n');
    environment = testEnvironment(home, repository.root);
    await register({ number: 12, url: 'https://example.com/12' });
  });
  afterEach(() => home.dispose());

  const register = (pr: object | null, more: object = {}): Promise<void> =>
    repository.write(
      '.worktrees/stack.json',
      JSON.stringify({ worktrees: { one: { path, branch: 'one', base: 'main', pr, ...more } } }),
    );
  const base = (event: string, more: Partial<HookInput> = {}): HookInput => ({
    hook_event_name: event,
    session_id: 's1',
    cwd: repository.root,
    agent_id: 'awt-one-0123456789abcdef',
    agent_type: 'wt-one',
    teammate_name: 'wt-one',
    ...more,
  });
  type Decide = (input: HookInput, scope: Scope) => Promise<HookDecision | undefined>;
  const decided = async (decide: Decide, input: HookInput, at = environment): Promise<HookDecision> => {
    const scope = await scopeOf(input, { cwd: repository.root, projectDir: undefined });
    const decision = await decide(input, scope);
    if (decision) await logDecision(at, input, scope, decision);
    return decision ?? { kind: 'none' };
  };
  const ask = async (decide: Decide, input: HookInput, at = environment): Promise<[number, string]> => {
    const { exitCode, message } = answerOf(await decided(decide, input, at));
    return [exitCode, message];
  };

  describe('teammate-idle', () => {
    const idle = (more: Partial<HookInput> = {}, at = environment) =>
      ask((input, scope) => teammateIdle(at, input, scope), base('TeammateIdle', more), at);
    const poll = (text: string): Promise<void> => writeFile(join(path, '.poll-active'), text);

    it('sends a worker back whose pull request nobody watches', async () => {
      const [code, message] = await idle();
      assert.equal(code, 2);
      assert.equal(
        message,
        'You have PR #12 but no active background poll. Run: wt poll one (as a background task) before going idle.\n',
      );
    });

    it('lets a worker rest while a poll runs, and when its marker is of another tool and empty', async () => {
      for (const text of [JSON.stringify({ pid: process.pid }), String(process.pid), '']) {
        await poll(text);
        assert.deepEqual(await idle(), [0, ''], text);
      }
    });

    it('takes the poll of a process that has died for none', async () => {
      for (const text of [JSON.stringify({ pid: 2 ** 22 + 1, started: '2026-11-28T00:00:00Z' }), String(2 ** 22 + 1)]) {
        await poll(text);
        assert.equal((await idle())[0], 2, text);
      }
    });

    it('takes the poll of another process that has got the same id for none', async function () {
      needsBirths(this);
      await poll(JSON.stringify({ pid: process.pid, host: environment.host, born: '1' }));
      assert.equal((await idle())[0], 2);
    });

    it('lets a worker rest that has no pull request, or whose work is merged', async () => {
      await register(null);
      assert.deepEqual(await idle(), [0, '']);
      await register({ number: 12, url: 'https://example.com/12' }, { lifecycle: 'merged' });
      assert.deepEqual(await idle(), [0, '']);
    });

    it('lets a worker rest whose pull request has ended, and not one whose work goes on', async () => {
      const pr = { number: 12, url: 'https://example.com/12' };
      const tip = await repository.gitIn(path, 'rev-parse', 'HEAD');
      const rest: [object | null, object][] = [
        [{ ...pr, state: 'merged' }, {}],
        [{ ...pr, state: 'MERGED' }, {}],
        [{ ...pr, state: 'closed' }, { lifecycle: 'active' }],
        [null, { lifecycle: 'merged' }],
        [
          { ...pr, state: 'open' },
          { lifecycle: 'merged', merged: { head: tip, into: 'main' } },
        ],
      ];
      for (const [request, more] of rest) {
        await register(request, more);
        assert.deepEqual(await idle(), [0, ''], JSON.stringify([request, more]));
      }
      for (const state of ['open', 'queued', undefined]) {
        await register({ ...pr, state });
        assert.equal((await idle({ session_id: `s-${state}` }))[0], 2, state);
      }
      // Merged here, while the pull request is open; then there is work again, in a branch that git has packed or not.
      const merged = { lifecycle: 'merged', merged: { head: tip, into: 'main' } };
      for (const pack of [false, true]) {
        await repository.commit('Go on', { [`more-${pack}.txt`]: 'more\n' }, path);
        if (pack) await repository.git('pack-refs', '--all');
        await register({ ...pr, state: 'open' }, merged);
        assert.equal((await idle({ session_id: `s-${pack}` }))[0], 2, `packed: ${pack}`);
        const now = await repository.gitIn(path, 'rev-parse', 'HEAD');
        await register({ ...pr, state: 'open' }, { ...merged, merged: { head: now, into: 'main' } });
        assert.deepEqual(await idle(), [0, ''], `packed: ${pack}`);
      }
    });

    it('knows a worker by its name with the prefix and without', async () => {
      assert.equal((await idle({ teammate_name: 'one', agent_type: 'one', agent_id: 'aone-0123456789abcdef' }))[0], 2);
    });

    it('is no business of others', async () => {
      assert.deepEqual(await idle({ teammate_name: 'reviewer', agent_type: 'reviewer', agent_id: 'areviewer-1' }), [
        0,
        '',
      ]);
    });

    it('does nothing where the registry cannot be read', async () => {
      await repository.write('.worktrees/stack.json', '{ "worktrees": ');
      assert.deepEqual(await idle(), [0, '']);
    });

    it('gives up when the poll evidently cannot be started, and tells the person', async () => {
      for (let time = 1; time <= 3; time++) assert.equal((await idle())[0], 2);
      const decision = await decided((input, scope) => teammateIdle(environment, input, scope), base('TeammateIdle'));
      const { exitCode, output } = answerOf(decision);
      assert.equal(exitCode, 0);
      assert.match((JSON.parse(output) as { systemMessage: string }).systemMessage, /pull request #12 is not watched/);
      const later = { ...environment, now: () => new Date(Date.now() + 60 * 60_000) };
      assert.equal((await idle({}, later))[0], 2, 'an hour later it asks again');
    });

    it('is written down', async () => {
      await idle();
      const [entry] = await readLog(join(repository.root, '.git'));
      assert.deepEqual(
        [entry?.event, entry?.decision, entry?.worktree, entry?.agent],
        ['TeammateIdle', 'block', 'one', 'wt-one'],
      );
    });
  });

  describe('task-completed', () => {
    const complete = (more: Partial<HookInput> = {}) =>
      ask((input, scope) => taskCompleted(new Git(environment), input, scope), base('TaskCompleted', more));
    /** Writes the transcript of the team-mate: edits, and whether each was carried out. */
    const transcript = async (...edits: readonly (readonly [file: string, failed: boolean])[]): Promise<string> => {
      const session = join(home.root, '.claude', 'projects', 'p', 's1.jsonl');
      const file = agentTranscript(session, base('').agent_id ?? '');
      await mkdir(dirname(file), { recursive: true });
      const lines = edits.flatMap(([path, failed], index) => [
        {
          type: 'assistant',
          message: {
            content: [{ type: 'tool_use', id: `t${index}`, name: 'Write', input: { file_path: path, content: 'x' } }],
          },
        },
        {
          type: 'user',
          message: { content: [{ type: 'tool_result', tool_use_id: `t${index}`, is_error: failed, content: 'x' }] },
        },
      ]);
      await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return session;
    };

    it('lets a task be done whose work is committed', async () => {
      await repository.commit('Work', { 'done.txt': 'done\n' }, path);
      assert.deepEqual(await complete(), [0, '']);
    });

    it('keeps a task open while there are changes that are not committed, and names them', async () => {
      await repository.write(join(path, 'new file.txt'), 'new\n');
      await repository.write(join(path, 'README.md'), 'changed\n');
      const [code, message] = await complete();
      assert.equal(code, 2);
      assert.match(message, /README\.md, new file\.txt in .* are not committed/);
    });

    it('keeps a task open while an edit outside the worktree stands', async () => {
      const file = join(repository.root, 'README.md');
      const session = await transcript([file, false], [join(path, 'inside.txt'), false]);
      await writeFile(file, 'changed\n');
      const [code, message] = await complete({ transcript_path: session });
      assert.equal(code, 2);
      assert.match(message, /You have changed README\.md outside your worktree/);
      await repository.git('checkout', '--quiet', '--', 'README.md');
      assert.deepEqual(await complete({ transcript_path: session }), [0, ''], 'taken back');
    });

    it("does not blame a worker for other people's changes, nor for an edit that was refused", async () => {
      await writeFile(join(repository.root, 'README.md'), 'changed\n');
      assert.deepEqual(
        await complete({ transcript_path: await transcript([join(repository.root, 'README.md'), true]) }),
        [0, ''],
      );
    });

    it('is no business of others, and none of a plain session in the worktree', async () => {
      await repository.write(join(path, 'new.txt'), 'new\n');
      const others = { agent_type: 'reviewer', agent_id: 'areviewer-1', teammate_name: 'reviewer' };
      assert.deepEqual(await complete(others), [0, '']);
      const plain: HookInput = { hook_event_name: 'TaskCompleted', session_id: 's1', cwd: path };
      const git = new Git(environment);
      assert.deepEqual(await ask((input, scope) => taskCompleted(git, input, scope), plain), [0, '']);
    });

    it('lets a task be done whose worktree is gone', async () => {
      await rm(path, { recursive: true });
      assert.deepEqual(await complete(), [0, '']);
    });
  });
});
