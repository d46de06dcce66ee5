import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { hookProgram, spawnAndWait, wtHome, type Ran, type WtHome } from '../support/wt.ts';

interface AgentHook {
  readonly matcher: string;
  readonly hooks: readonly { readonly command: string; readonly args: readonly string[] }[];
}

describe('hooks after a move', () => {
  let home: WtHome;
  let repository: TestRepository;
  let root: string;
  let one: string;
  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository('code/project');
    ({ root } = repository);
    one = join(root, (await home.done(root, 'create', 'one')).trim());
  });
  afterEach(() => home.dispose());

  const hook = (folder: string, args: readonly string[], input: object, variables = {}): Promise<Ran> =>
    home.wt(folder, args, { program: hookProgram, input: JSON.stringify(input), variables });
  const call = (tool: string, input: object, more: object): object => ({
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    tool_name: tool,
    tool_input: input,
    ...more,
  });
  const push = (more: object): object => call('Bash', { command: 'git push' }, more);
  const write = (file: string, more: object): object => call('Write', { file_path: file, content: 'x' }, more);
  /** `none` for no decision, and `blocked` for a hook that stops the call by its exit code. */
  const decision = (ran: Ran): string => {
    if (ran.code === 2) return 'blocked';
    assert.equal(ran.code, 0, ran.stderr);
    if (ran.stdout === '') return 'none';
    return (ran.json()['hookSpecificOutput'] as { permissionDecision: string }).permissionDecision;
  };
  const guard = async (folder: string, input: object): Promise<string> =>
    decision(await hook(folder, ['guard'], input));
  /** Starts a guard as the front matter of a generated agent tells Claude Code to. */
  const asAgent = async (definition: string, folder: string, projectDir: string, input: object): Promise<Ran> => {
    const line = /^hooks: (.*)$/m.exec(definition)?.[1] ?? '';
    const { PreToolUse: guards } = JSON.parse(line) as { PreToolUse: readonly AgentHook[] };
    const tool = (input as { tool_name: string }).tool_name;
    const { command, args } =
      guards.find(({ matcher }) => matcher.split('|').includes(tool))?.hooks[0] ?? assert.fail();
    const variables = { ...home.variables, CLAUDE_PROJECT_DIR: projectDir };
    return spawnAndWait(command, args, folder, variables, { input: JSON.stringify(input) });
  };
  const agentOf = (at: string): Promise<string> => readFile(join(at, '.claude', 'agents', 'wt-one.md'), 'utf8');
  const entryIn = async (at: string, name = 'one'): Promise<Record<string, unknown> | undefined> => {
    const text = await readFile(join(at, '.worktrees', 'stack.json'), 'utf8');
    return (JSON.parse(text) as { worktrees: Record<string, Record<string, unknown>> }).worktrees[name];
  };
  const startSession = (folder: string): Promise<Ran> =>
    hook(folder, ['session-start'], { hook_event_name: 'SessionStart', session_id: 's1', cwd: folder });
  const reminderIn = async (folder: string): Promise<string> =>
    String((await startSession(folder)).json()['systemMessage']).split('\n')[0] ?? '';

  /** Everything that guards decide for a worktree. */
  const judges = async (at: { root: string; one: string }): Promise<void> => {
    const worker = { cwd: at.root, agent_type: 'wt-one', agent_id: 'a1' };
    assert.equal(await guard(at.one, push({ cwd: at.one })), 'deny');
    assert.equal(await guard(at.one, write(join(at.one, 'x.txt'), { cwd: at.one })), 'none');
    assert.equal(await guard(at.one, write(join(at.root, 'x.txt'), { cwd: at.one })), 'deny');
    assert.equal(await guard(at.root, write(join(at.one, 'x.txt'), worker)), 'allow');
    assert.equal(await guard(at.root, write(join(at.root, 'x.txt'), worker)), 'deny');
    assert.equal(await guard(at.root, push(worker)), 'deny');
    assert.equal(await guard(at.root, push({ cwd: at.root })), 'none');
  };
  /** The same for the guards of a generated agent, as it was written at some time. */
  const agentJudges = async (definition: string, at: { root: string; one: string }): Promise<void> => {
    const worker = { cwd: at.root, agent_type: 'wt-one', agent_id: 'a1' };
    const ask = async (input: object): Promise<string> => decision(await asAgent(definition, at.root, at.root, input));
    assert.equal(await ask(write(join(at.one, 'x.txt'), worker)), 'allow');
    assert.equal(await ask(write(join(at.root, 'x.txt'), worker)), 'deny');
    assert.equal(await ask(push(worker)), 'deny');
    assert.equal(await ask(call('Bash', { command: 'npm test' }, worker)), 'none');
  };

  it('judge on in a repository that was renamed, repaired or not, also those of an agent that names the old path', async () => {
    const before = await agentOf(root);
    const to = join(home.root, 'code', 'renamed');
    await rename(root, to);
    const at = { root: to, one: join(to, '.worktrees', 'one') };
    await judges(at);
    await agentJudges(before, at);
    await repository.gitIn(to, 'worktree', 'repair', at.one);
    await judges(at);
    await agentJudges(before, at);
  });

  it('judge on after git worktree move, and after a move by hand', async () => {
    const before = await agentOf(root);
    const to = join(home.root, 'elsewhere');
    await repository.git('worktree', 'move', one, to);
    await judges({ root, one: to });
    await agentJudges(before, { root, one: to });
    await rename(to, join(home.root, 'beside'));
    await judges({ root, one: join(home.root, 'beside') });
    const far = join(home.root, 'far', 'away');
    await mkdir(dirname(far));
    await rename(join(home.root, 'beside'), far);
    assert.equal(await guard(far, push({ cwd: far })), 'deny');
    assert.equal(await guard(far, write(join(far, 'x.txt'), { cwd: far })), 'none');
    assert.equal(await guard(far, write(join(root, 'x.txt'), { cwd: far })), 'deny');
    // From elsewhere nobody can see where it went: nothing may be written.
    const worker = { cwd: root, agent_type: 'wt-one', agent_id: 'a1' };
    assert.equal(await guard(root, write(join(far, 'x.txt'), worker)), 'deny');
    assert.equal(await guard(root, push(worker)), 'deny');
  });

  it('work for a container and its host that see the repository at two paths in turn', async () => {
    const there = join(home.root, 'workspaces', 'app');
    await mkdir(dirname(there));
    for (const [from, to] of [
      [root, there],
      [there, root],
    ] as const) {
      await rename(from, to);
      const at = { root: to, one: join(to, '.worktrees', 'one') };
      // The agent as the other side has left it.
      await agentJudges(await agentOf(to), at);
      await judges(at);
      assert.match(await reminderIn(to), new RegExp(`at ${at.one} \\(branch: one\\)`));
      assert.ok((await agentOf(to)).includes(JSON.stringify(at.one)), 'the session has written the agent anew');
      assert.ok(!(await agentOf(to)).includes(from));
      assert.match(await readFile(join(to, '.claude', 'dev-worktree.local.md'), 'utf8'), new RegExp(`: ${at.one}\n`));
      await agentJudges(await agentOf(to), at);
      assert.equal((await entryIn(to))?.['path'], '.worktrees/one');
    }
  });

  it('start again after the program was at another path, as in the other container', async () => {
    const launcher = join(root, '.worktrees', 'hooks', 'run');
    const right = await readFile(launcher, 'utf8');
    await writeFile(launcher, right.replaceAll(hookProgram, '/opt/of/another/container/hook.js'));
    const worker = { cwd: root, agent_type: 'wt-one', agent_id: 'a1' };
    const ask = async (): Promise<Ran> => asAgent(await agentOf(root), root, root, push(worker));
    assert.equal(decision(await ask()), 'blocked');
    await startSession(root);
    assert.equal(await readFile(launcher, 'utf8'), right);
    assert.equal(decision(await ask()), 'deny');
  });

  it('judge a copy by itself, and write nothing into the original', async () => {
    // As earlier versions and git itself write them: with paths of the original everywhere.
    const entry = { ...(await entryIn(root)), id: undefined, path: one };
    await repository.write('.worktrees/stack.json', JSON.stringify({ version: 1, worktrees: { one: entry } }));
    await writeFile(join(one, '.git'), `gitdir: ${join(root, '.git', 'worktrees', 'one')}\n`);
    await rm(join(root, '.git', 'worktree-stacks', 'log'), { recursive: true, force: true });
    const copy = join(home.root, 'copy');
    await cp(root, copy, { recursive: true });
    const text = await readFile(join(root, '.worktrees', 'stack.json'), 'utf8');
    const at = { root: copy, one: join(copy, '.worktrees', 'one') };
    await judges(at);
    await agentJudges(await agentOf(copy), at);
    const worker = { cwd: copy, agent_type: 'wt-one', agent_id: 'a1' };
    assert.equal(await guard(copy, write(join(one, 'x.txt'), worker)), 'deny');
    assert.equal(decision(await asAgent(await agentOf(copy), copy, copy, write(join(one, 'x.txt'), worker))), 'deny');
    await startSession(at.one);
    assert.equal(await readFile(join(root, '.worktrees', 'stack.json'), 'utf8'), text);
    await assert.rejects(stat(join(root, '.git', 'worktree-stacks', 'log')), { code: 'ENOENT' });
  });

  describe('where nobody can tell which worktree it is', () => {
    let stray: string;
    beforeEach(async () => {
      stray = join(home.root, 'far', 'stray');
      await mkdir(dirname(stray));
      await rename(one, stray);
      await rename(root, join(home.root, 'gone'));
      await mkdir(join(home.root, 'deep', 'er'), { recursive: true });
      await rename(join(home.root, 'gone'), join(home.root, 'deep', 'er', 'away'));
    });

    it('guards deny, naming the file and the command that repairs it', async () => {
      for (const input of [push({ cwd: stray }), write(join(stray, 'x.txt'), { cwd: stray })]) {
        const ran = await hook(stray, ['guard'], input);
        assert.equal(decision(ran), 'deny');
        assert.ok(ran.stdout.includes(join(stray, '.git')), ran.stdout);
        assert.ok(ran.stdout.includes(`git worktree repair ${stray}`), ran.stdout);
      }
      assert.equal(await guard(home.root, push({ cwd: stray })), 'deny');
    });

    it('other hooks let the session go on', async () => {
      for (const [event, name] of [
        ['session-start', 'SessionStart'],
        ['activity', 'Stop'],
        ['teammate-idle', 'TeammateIdle'],
        ['task-completed', 'TaskCompleted'],
      ] as const) {
        const ran = await hook(stray, [event], { hook_event_name: name, session_id: 's1', cwd: stray });
        assert.deepEqual([ran.code, ran.stdout], [0, ''], event);
      }
    });
  });

  it('a task is judged by what git says, although git does not work in the folder until it is repaired', async () => {
    const worker = { session_id: 's1', agent_type: 'wt-one', agent_id: 'awt-one-1', teammate_name: 'wt-one' };
    await repository.write(join(one, 'new.txt'), 'new\n');
    const to = join(home.root, 'code', 'renamed');
    await rename(root, to);
    const complete = (): Promise<Ran> =>
      hook(to, ['task-completed'], { ...worker, hook_event_name: 'TaskCompleted', cwd: to });
    const open = await complete();
    assert.equal(open.code, 2);
    assert.match(open.stderr, /new\.txt in .*renamed.* is not committed/);
    await rm(join(to, '.worktrees', 'one', 'new.txt'));
    assert.equal((await complete()).code, 0);
  });

  it('a team-mate rests only while a poll runs where its worktree is now', async () => {
    const file = join(root, '.worktrees', 'stack.json');
    const registry = JSON.parse(await readFile(file, 'utf8')) as { worktrees: { one: { pr: unknown } } };
    registry.worktrees.one.pr = { number: 7, url: 'https://example.com/7' };
    await writeFile(file, JSON.stringify(registry));
    const to = join(home.root, 'elsewhere');
    await repository.git('worktree', 'move', one, to);
    const idle = (): Promise<Ran> =>
      hook(root, ['teammate-idle'], { hook_event_name: 'TeammateIdle', cwd: root, teammate_name: 'wt-one' });
    assert.equal((await idle()).code, 2);
    await writeFile(join(to, '.poll-active'), String(process.pid));
    assert.equal((await idle()).code, 0);
  });

  describe('session-start', () => {
    const state = (): string => join(root, '.claude', 'dev-worktree.local.md');

    it('follows the active worktree, and the state file stays while it cannot be seen', async () => {
      const to = join(home.root, 'elsewhere');
      await repository.git('worktree', 'move', one, to);
      assert.match(await reminderIn(root), new RegExp(`at ${to} \\(branch: one\\).* cd ${to}$`));
      const away = join(home.root, 'deep', 'er', 'unmounted');
      await mkdir(dirname(away), { recursive: true });
      await rename(to, away);
      const text = await readFile(state(), 'utf8');
      for (let time = 0; time < 2; time++) {
        const message = await reminderIn(root);
        assert.match(message, /cannot be seen now/);
        assert.match(message, /git worktree repair/);
        assert.equal(await readFile(state(), 'utf8'), text);
      }
      assert.equal((await home.wt(root, ['active'])).code, 1);
      await rename(away, to);
      assert.match(await reminderIn(root), new RegExp(`at ${to} `));
      assert.equal((await home.done(root, 'active')).trim(), to);
    });

    it('removes the state file of a worktree that was removed, and no other', async () => {
      await repository.git('worktree', 'remove', '--force', one);
      // The registry still has it: somebody may bring it back.
      assert.match(await reminderIn(root), /cannot be seen now/);
      await writeFile(join(root, '.worktrees', 'stack.json'), '{"worktrees":{}}');
      assert.doesNotMatch((await startSession(root)).stdout, /ACTIVE WORKTREE/);
      await assert.rejects(stat(state()), { code: 'ENOENT' });
    });

    it('follows the main working tree as well', async () => {
      await home.done(root, 'switch', '@');
      const to = join(home.root, 'code', 'renamed');
      await rename(root, to);
      assert.match(await reminderIn(to), new RegExp(`at ${to} \\(branch: main\\)`));
      assert.equal((await home.done(to, 'active')).trim(), to);
    });
  });

  it('an agent whose launcher is gone may do nothing, also where it has put another one into its worktree', async () => {
    const definition = await agentOf(root);
    await rm(join(root, '.worktrees', 'hooks'), { recursive: true });
    await mkdir(join(one, '.worktrees', 'hooks'), { recursive: true });
    await writeFile(join(one, '.worktrees', 'hooks', 'run'), 'exit 0\n', { mode: 0o755 });
    const ran = await asAgent(definition, one, one, push({ cwd: one }));
    assert.deepEqual([ran.code, ran.stdout], [2, '']);
    assert.match(ran.stderr, /launcher of the guards is gone/);
  });
});
