import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { hookProgram, wtHome, type Ran, type WtHome } from '../support/wt.ts';

interface Entry {
  readonly event: string;
  readonly decision: string;
  readonly worktree?: string;
  readonly words?: string;
  readonly detail?: string;
}

describe('the hooks of the plugin', () => {
  let home: WtHome;
  let repository: TestRepository;
  let one: string;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    one = join(repository.root, (await home.done(repository.root, 'create', 'one')).trim());
  });
  after(() => home.dispose());
  beforeEach(() => rm(join(repository.root, '.git', 'worktree-stacks', 'log'), { recursive: true, force: true }));

  const hook = (
    folder: string,
    args: readonly string[],
    input: unknown,
    variables: Record<string, string> = {},
  ): Promise<Ran> =>
    home.wt(folder, args, {
      program: hookProgram,
      input: typeof input === 'string' ? input : JSON.stringify(input),
      variables,
    });
  const call = (tool: string, input: object, more: object = {}): object => ({
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 't1',
    ...more,
  });
  /** `none` for no decision. */
  const decision = (ran: Ran): string => {
    assert.equal(ran.code, 0, ran.stderr);
    if (ran.stdout === '') return 'none';
    return (ran.json()['hookSpecificOutput'] as { permissionDecision: string }).permissionDecision;
  };
  const guard = async (input: object, folder = repository.root, variables = {}): Promise<string> =>
    decision(await hook(folder, ['guard'], input, variables));
  const log = async (): Promise<Entry[]> => {
    const text = await readFile(join(repository.root, '.git', 'worktree-stacks', 'log', 'hooks.jsonl'), 'utf8').catch(
      () => '',
    );
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry);
  };

  describe('guard', () => {
    const push = (more: object) => call('Bash', { command: 'git push' }, more);
    const write = (file: string, more: object) => call('Write', { file_path: file, content: 'secret content' }, more);

    it('judges by the worktree that the agent is called after', async () => {
      const worker = { cwd: repository.root, agent_type: 'wt-one', agent_id: 'a1' };
      assert.equal(await guard(push(worker)), 'deny');
      assert.equal(await guard(call('Monitor', { command: 'git push' }, worker)), 'deny');
      assert.equal(await guard(write(join(one, 'x.txt'), worker)), 'allow');
      assert.equal(await guard(write(join(repository.root, 'x.txt'), worker)), 'deny');
      assert.equal(
        await guard(call('NotebookEdit', { notebook_path: join(repository.root, 'x.ipynb') }, worker)),
        'deny',
      );
      assert.equal(await guard(call('Bash', { command: 'npm test' }, worker)), 'none');
    });

    it('judges by the folder, and leaves edits inside to the permissions of the session', async () => {
      assert.equal(await guard(push({ cwd: one })), 'deny');
      assert.equal(await guard(write(join(one, 'x.txt'), { cwd: one })), 'none');
      assert.equal(await guard(write(join(repository.root, 'x.txt'), { cwd: one })), 'deny');
    });

    it('tells a session that has walked into a worktree how to get out', async () => {
      const ran = await hook(one, ['guard'], write(join(repository.root, 'x.txt'), { cwd: one }), {
        CLAUDE_PROJECT_DIR: repository.root,
      });
      assert.match(ran.stdout, /change back to .* first/);
      const started = await hook(one, ['guard'], write(join(repository.root, 'x.txt'), { cwd: one }), {
        CLAUDE_PROJECT_DIR: one,
      });
      assert.doesNotMatch(started.stdout, /change back/);
    });

    it('leaves alone what belongs to no worktree', async () => {
      assert.equal(await guard(push({ cwd: repository.root })), 'none');
      assert.equal(await guard(push({ cwd: home.root }), home.root), 'none');
      assert.deepEqual(await log(), []);
    });

    it('denies what it cannot understand, in a worktree', async () => {
      for (const input of [
        '',
        'not json',
        '[]',
        '{"tool_name":"Bash"}',
        '{"tool_name":"Write","tool_input":{"file_path":7}}',
      ]) {
        assert.equal(decision(await hook(one, ['guard'], input)), 'deny', input);
      }
    });

    it('denies in a worktree whose registry is damaged, and says so', async () => {
      const file = join(repository.root, '.worktrees', 'stack.json');
      const right = await readFile(file, 'utf8');
      await writeFile(file, right.slice(0, 40));
      try {
        const ran = await hook(one, ['guard'], push({ cwd: one }));
        assert.equal(decision(ran), 'deny');
        assert.match(ran.stdout, /stack\.json cannot be read/);
        assert.equal(await guard(push({ cwd: repository.root })), 'none');
      } finally {
        await writeFile(file, right);
      }
    });

    it('writes down what it decided, and no content', async () => {
      await guard(push({ cwd: one }));
      await guard(write(join(repository.root, 'x.txt'), { cwd: one }));
      const entries = await log();
      assert.deepEqual(
        entries.map(({ event, decision: decided, worktree, words }) => [event, decided, worktree, words]),
        [
          ['PreToolUse', 'deny', 'one', 'git push'],
          ['PreToolUse', 'deny', 'one', join(repository.root, 'x.txt')],
        ],
      );
      assert.doesNotMatch(JSON.stringify(entries), /secret content/);
    });
  });

  for (const args of [['file-guard'], ['bash-guard'], ['bash-guard', '/'], ['no-such-guard']]) {
    it(`blocks for ${args.join(' ')}, which says too little`, async () => {
      const ran = await hook(one, args, call('Bash', { command: 'ls' }));
      assert.ok(ran.code === 2 || decision(ran) === 'deny', `${ran.code} ${ran.stdout}`);
    });
  }

  it('does the same as "wt hook"', async () => {
    const input = JSON.stringify(call('Bash', { command: 'git push' }, { cwd: one }));
    const ran = await home.wt(one, ['hook', 'bash-guard', one, 'one'], { input });
    assert.equal(decision(ran), 'deny');
    assert.match(ran.stdout, /wt push one/);
  });

  it('notes what a session does, and nothing that is said in it', async () => {
    const input = {
      session_id: 's1',
      cwd: one,
      prompt: 'my private words',
      last_assistant_message: 'its private words',
    };
    for (const event of ['UserPromptSubmit', 'Notification', 'Stop', 'SessionEnd']) {
      const ran = await hook(one, ['activity'], {
        ...input,
        hook_event_name: event,
        notification_type: event === 'Notification' ? 'permission_prompt' : undefined,
      });
      assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
    }
    const entries = await log();
    assert.deepEqual(
      entries.map(({ event, worktree }) => [event, worktree]),
      [
        ['UserPromptSubmit', 'one'],
        ['Notification', 'one'],
        ['Stop', 'one'],
        ['SessionEnd', 'one'],
      ],
    );
    assert.equal(entries[1]?.detail, 'permission_prompt');
    assert.doesNotMatch(JSON.stringify(entries), /private words/);
  });

  it('notes that a session stopped while nobody watched its pull request', async () => {
    const file = join(repository.root, '.worktrees', 'stack.json');
    const registry = JSON.parse(await readFile(file, 'utf8')) as { worktrees: { one: { pr: unknown } } };
    registry.worktrees.one.pr = { number: 7, url: 'https://example.com/7' };
    await writeFile(file, JSON.stringify(registry));
    await hook(one, ['activity'], { hook_event_name: 'Stop', session_id: 's1', cwd: one });
    assert.equal((await log())[0]?.detail, 'pull request not watched');
  });

  describe('session-start', () => {
    const start = (folder: string, variables: Record<string, string> = {}): Promise<Ran> =>
      hook(
        folder,
        ['session-start'],
        { hook_event_name: 'SessionStart', source: 'startup', session_id: 's1', cwd: folder },
        variables,
      );

    it('takes a worktree for worked in from then on', async () => {
      const two = join(repository.root, (await home.done(repository.root, 'create', 'two')).trim());
      await start(two);
      const registry = JSON.parse(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8')) as {
        worktrees: Record<string, { lifecycle: string }>;
      };
      assert.equal(registry.worktrees['two']?.lifecycle, 'active');
    });

    it('makes the state folder of the worktree, registered or not, and that only once', async () => {
      const foreign = join(home.root, 'foreign');
      await repository.git('worktree', 'add', '--quiet', '-b', 'foreign', foreign);
      for (const root of [one, foreign]) {
        const state = (file: string): Promise<string> => readFile(join(root, '.claude-state', file), 'utf8');
        await start(root);
        const ran = await home.wt(root, ['state', 'context', '--json']);
        const { worktree_id: id, state_dir: folder } = ran.json();
        assert.deepEqual([await state('.worktree-id'), folder], [`${String(id)}\n`, join(root, '.claude-state')]);
        const created = await state('.created-at');
        assert.ok(Math.abs(Date.now() - Date.parse(created.trim())) < 600_000);
        await writeFile(join(root, '.claude-state', '.gitignore'), '*\n');
        await start(root);
        assert.deepEqual([await state('.created-at'), await state('.gitignore')], [created, '*\n']);
        assert.equal(await repository.gitIn(root, 'status', '--porcelain'), '');
        // What a move by another path has left there follows at the next session, and keeps its time.
        await writeFile(join(root, '.claude-state', '.worktree-id'), '0123456789ab\n');
        await start(root);
        assert.deepEqual([await state('.worktree-id'), await state('.created-at')], [`${String(id)}\n`, created]);
      }
      await start(repository.root);
      assert.equal(existsSync(join(repository.root, '.claude-state')), false);
    });

    it('leaves state alone that was copied from another worktree', async () => {
      const three = join(repository.root, (await home.done(repository.root, 'create', 'three')).trim());
      await start(one);
      await cp(join(one, '.claude-state'), join(three, '.claude-state'), { recursive: true });
      await start(three);
      const ids = await Promise.all([one, three].map((root) => readFile(join(root, '.claude-state', '.worktree-id'))));
      assert.deepEqual(ids[0], ids[1]);
    });

    it('mends agents that have drifted', async () => {
      const agent = join(repository.root, '.claude', 'agents', 'wt-one.md');
      const right = await readFile(agent, 'utf8');
      await writeFile(agent, right.replaceAll(one, '/elsewhere'));
      await start(repository.root);
      assert.equal(await readFile(agent, 'utf8'), right);
      await rm(agent);
      await start(repository.root);
      assert.equal(await readFile(agent, 'utf8'), right);
    });

    it('says when `wt` on the path is another program or another version', async () => {
      const bin = join(home.root, 'bin');
      await mkdir(bin, { recursive: true });
      for (const [says, expected] of [
        ['99.0.0', /is version 99\.0\.0, and these hooks need version/],
        ['Some Terminal 1.2', /is another program/],
      ] as const) {
        await writeFile(join(bin, 'wt'), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
        const ran = await start(repository.root, { PATH: `${bin}:${home.variables['PATH'] ?? ''}` });
        assert.match(String(ran.json()['systemMessage']), expected);
      }
    });
  });

  it('keeps a worktree from being removed while an agent is busy in it from elsewhere', async () => {
    const busy = join(repository.root, (await home.done(repository.root, 'create', 'busy')).trim());
    const more = { session_id: 's9', cwd: repository.root, agent_type: 'wt-busy', agent_id: 'a9' };
    await hook(repository.root, ['guard'], call('Bash', { command: 'ls' }, more), { CLAUDE_PID: String(process.pid) });
    const stopped = await home.wt(repository.root, ['cleanup', 'busy']);
    assert.equal(stopped.code, 1);
    assert.match(stopped.stderr, /the agent wt-busy/);
    await hook(
      repository.root,
      ['activity'],
      { ...more, hook_event_name: 'SubagentStop' },
      { CLAUDE_PID: String(process.pid) },
    );
    assert.equal((await home.wt(repository.root, ['cleanup', 'busy'])).code, 0, busy);
  });

  it('makes the worktree that a session enters the active one, whether it was there or not', async () => {
    const active = async (): Promise<unknown> =>
      (await home.wt(repository.root, ['active', '--json'])).json()['active_worktree'];
    const enter = async (name: string): Promise<Ran> => {
      const input = { hook_event_name: 'WorktreeCreate', session_id: 's1', cwd: repository.root, name };
      const ran = await hook(repository.root, ['worktree-create'], input);
      assert.equal(ran.code, 0, ran.stderr);
      return ran;
    };
    const other = (await enter('other')).stdout.trim();
    assert.equal(await active(), other);
    assert.equal((await enter('one')).stdout.trim(), one);
    assert.equal(await active(), one);
    await enter('agent-0a1b2c3d');
    await enter('agent-0a1b2c3d');
    assert.equal(await active(), one, 'not that of an isolated agent');
    const state = join(repository.root, '.claude', 'dev-worktree.local.md');
    await rm(state);
    await mkdir(state);
    const ran = await enter('other');
    assert.equal(ran.stdout.trim(), other, 'a state file that cannot be written keeps nobody out');
    assert.notEqual(ran.stderr, '');
    await rm(state, { recursive: true });
  });

  it('breaks no session by an event that it does not know', async () => {
    const ran = await hook(one, ['brand-new-event'], '{}');
    assert.deepEqual([ran.code, ran.stdout], [0, '']);
  });
});
