import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { approve } from '../../../src/core/repository/approvals.ts';
import { taskLimit } from '../../../src/cli/hookChecks.ts';
import { appears } from '../../support/appears.ts';
import { ended } from '../../support/ended.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { hookProgram, wtHome, type Ran, type WtHome } from '../support/wt.ts';

describe("the team's checks", () => {
  let home: WtHome;
  let repository: TestRepository;
  let x: string;
  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository();
    x = join(repository.root, (await home.done(repository.root, 'create', 'x')).trim());
  });
  afterEach(() => home.dispose());

  describe('wt checks', () => {
    it('says when there are none', async () => {
      const ran = await home.wt(x, ['checks']);
      assert.deepEqual([ran.code, ran.stdout], [0, '']);
      assert.match(ran.stderr, /^There are no checks for x: none are configured, and no recipe or script/);
      assertMatches('checks', (await home.wt(x, ['checks', '--json'])).json());
    });

    it('are those that the files suggest, the same as after a merge and at the end of a task', async () => {
      const script = 'echo seen >> "$HOME/seen"; test ! -e broken';
      await repository.commit('A script', { 'package.json': JSON.stringify({ scripts: { precommit: script } }) });
      await home.done(repository.root, 'create', 'y');
      const y = join(repository.root, '.worktrees', 'y');
      const unapproved = await home.wt(y, ['checks', '--json']);
      assertMatches('checks', unapproved.json());
      assert.deepEqual([unapproved.code, unapproved.json()['command']], [1, 'npm run precommit']);
      await repository.commit('Work', { 'y.txt': 'y\n' }, y);
      const merged = (await home.wt(repository.root, ['merge', 'y', '--json'])).json();
      assert.deepEqual(merged['checks'], { state: 'unapproved', command: 'npm run precommit' });
      await repository.write('.worktrees.yml', 'check_tasks: true\n');
      const task = { agent_id: 'awt-y-0123456789abcdef', agent_type: 'wt-y', teammate_name: 'wt-y' };
      const input = JSON.stringify({
        hook_event_name: 'TaskCompleted',
        session_id: 's1',
        cwd: repository.root,
        ...task,
      });
      const complete = (): Promise<Ran> =>
        home.wt(repository.root, ['task-completed'], { program: hookProgram, input });
      assert.match(
        String((await complete()).json()['systemMessage']),
        /\(npm run precommit\).*`wt checks y --approve`/,
      );
      assert.equal(existsSync(join(home.root, 'seen')), false, 'nothing was run');
      const approved = await home.wt(repository.root, ['checks', 'y', '--approve', '--json']);
      assert.deepEqual([approved.code, approved.json()['configured']], [0, false]);
      assert.equal((await complete()).code, 0);
      await repository.commit('Broken', { broken: '' }, y);
      assert.match((await complete()).stderr, /The checks `npm run precommit` failed with exit code 1 in/);
      assert.equal(await readFile(join(home.root, 'seen'), 'utf8'), 'seen\n'.repeat(3));
    });

    it('names them without approval, and runs them with it and ever after', async () => {
      await repository.write('.worktrees.yml', 'checks: echo told && touch ran\n');
      const unapproved = await home.wt(x, ['checks']);
      assert.deepEqual([unapproved.code, unapproved.stdout], [1, '']);
      assert.match(unapproved.stderr, /not approved them: echo told .*\nnext: wt checks x --approve\n$/);
      assertMatches('checks', (await home.wt(x, ['checks', '--json'])).json());
      assert.equal(existsSync(join(x, 'ran')), false);
      const approved = await home.wt(repository.root, ['checks', 'x', '--approve', '--json']);
      assert.equal(approved.code, 0);
      assert.match(approved.stderr, /told\n/);
      assertMatches('checks', approved.json());
      assert.ok(existsSync(join(x, 'ran')));
      assert.equal((await home.wt(x, ['checks'])).code, 0);
    });

    it('ends with 1 when they fail, and with 130 when they are interrupted', async () => {
      await repository.write('.worktrees.yml', 'checks: exit 7\n');
      const failed = await home.wt(x, ['checks', '--approve']);
      assert.deepEqual([failed.code, failed.stdout], [1, '']);
      assert.match(failed.stderr, /The checks failed with exit code 7 in x\.\n$/);
      const { exit_code: code, ...json } = (await home.wt(x, ['checks', '--json'])).json();
      assert.equal(code, 7);
      assertMatches('checks', { ...json, exit_code: code });
      await repository.write('.worktrees.yml', 'checks: echo begun; sleep 60\n');
      const ended = await home.wt(x, ['checks', '--approve', '--json'], {
        onStart: (child) =>
          child.stderr?.on('data', (chunk: Buffer) => chunk.includes('begun') && child.kill('SIGINT')),
      });
      assert.equal(ended.code, 130);
      assertFailure(ended.json(), 'cancelled');
    });
  });

  describe('at the end of a task', () => {
    const complete = (more: object = {}, onStart?: (child: ChildProcess) => void): Promise<Ran> =>
      home.wt(repository.root, ['task-completed'], {
        program: hookProgram,
        ...(onStart ? { onStart } : {}),
        input: JSON.stringify({
          hook_event_name: 'TaskCompleted',
          session_id: 's1',
          cwd: repository.root,
          agent_id: 'awt-x-0123456789abcdef',
          agent_type: 'wt-x',
          teammate_name: 'wt-x',
          ...more,
        }),
      });
    const configure = async (checks: string, approve = true): Promise<void> => {
      await repository.write('.worktrees.yml', `check_tasks: true\nchecks: ${checks}\n`);
      if (approve) await home.wt(x, ['checks', '--approve']);
    };
    const log = (): Promise<string> =>
      readFile(join(repository.root, '.git', 'worktree-stacks', 'log', 'hooks.jsonl'), 'utf8');

    it('keep it open when they fail, and tell the agent what they printed, but not the log', async () => {
      await configure('echo looked; echo "wrong - line 7" >&2; exit 3');
      const ran = await complete();
      assert.deepEqual([ran.code, ran.stdout], [2, '']);
      assert.match(
        ran.stderr,
        /^The task cannot be completed yet\. The checks `echo looked; .*` failed with exit code 3 in .*x\. They ended with:\n(.*\n)*wrong - line 7\nFix what they have found/,
      );
      assert.match(await log(), /failed with exit code 3/);
      assert.doesNotMatch(await log(), /They ended with/);
    });

    it('let it be done when they pass', async () => {
      await configure('exit 0');
      const ran = await complete();
      assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
    });

    it('do not run for work that is not committed, nor for others than workers', async () => {
      await configure('echo run >> "$HOME/runs"; false');
      await writeFile(join(x, 'new.txt'), 'new\n');
      const open = await complete();
      assert.match(open.stderr, /new\.txt in .* is not committed/);
      assert.equal((await complete({ agent_type: 'reviewer', agent_id: 'a1', teammate_name: 'reviewer' })).code, 0);
      assert.equal(await readFile(join(home.root, 'runs'), 'utf8'), 'run\n', 'once, by hand');
    });

    it('do not run unless the team has asked for that', async () => {
      await repository.write('.worktrees.yml', 'checks: touch "$HOME/ran"; false\n');
      await home.wt(x, ['checks', '--approve']);
      await writeFile(join(home.root, 'ran'), 'by hand');
      const ran = await complete();
      assert.deepEqual([ran.code, ran.stdout], [0, '']);
      assert.equal(await readFile(join(home.root, 'ran'), 'utf8'), 'by hand');
    });

    it('do not run without approval, which the person is told, and keep no task open', async () => {
      await configure('touch "$HOME/ran"; false', false);
      const ran = await complete();
      assert.equal(ran.code, 0);
      assert.match(String(ran.json()['systemMessage']), /have not approved them\. Run `wt checks x --approve` once\.$/);
      assert.equal(existsSync(join(home.root, 'ran')), false);
    });

    it('end with the hook, and with them what they have started', async () => {
      const command = 'echo "$$" > "$HOME/pid" && mv "$HOME/pid" "$HOME/begun" && exec sleep 600';
      await configure(command, false);
      const { environment, repository: of } = await testWorkspace(home, x);
      await approve(environment, of, [command]);
      const begun = join(home.root, 'begun');
      const ran = await complete({}, (child) => void appears(begun).then(() => child.kill('SIGTERM')));
      assert.match(String(ran.json()['systemMessage']), /could not be run/);
      await ended(Number(await readFile(begun, 'utf8')));
    });

    it('are those of the main root, whatever the branch says', async () => {
      await configure('exit 0');
      await repository.commit(
        'Other checks',
        { '.worktrees.yml': 'check_tasks: true\nchecks: touch "$HOME/ran"; false\n' },
        x,
      );
      assert.equal((await complete()).code, 0);
      assert.equal(existsSync(join(home.root, 'ran')), false);
    });

    it('keep no task open where the configuration cannot be read', async () => {
      await repository.write('.worktrees.yml', 'check_tasks: perhaps\n');
      const ran = await complete();
      assert.equal(ran.code, 0);
      assert.match(String(ran.json()['systemMessage']), /\.worktrees\.yml, line 1: `check_tasks`/);
    });

    it('get less time than the hook', async () => {
      const file = resolve(import.meta.dirname, '../../../plugin/hooks/hooks.json');
      const { hooks } = JSON.parse(await readFile(file, 'utf8')) as {
        hooks: Record<string, { hooks: { timeout: number }[] }[]>;
      };
      assert.ok(taskLimit + 20_000 < (hooks['TaskCompleted']?.[0]?.hooks[0]?.timeout ?? 0) * 1000);
    });
  });
});
