import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { processExists } from '../../../src/core/base/processes.ts';
import { approve } from '../../../src/core/repository/approvals.ts';
import { runSetup } from '../../../src/core/create/setup.ts';
import { Creations } from '../../support/creations.ts';
import { ended } from '../../support/ended.ts';
import { testEnvironment } from '../../support/workspace.ts';
import { texts } from '../../support/texts.ts';

describe('setting up a new worktree', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(() => at.dispose());

  const yes = async (): Promise<boolean> => true;

  it('runs nothing that the user has not approved, and says how to', async () => {
    await at.configure('setup: ["touch ran"]\n');
    const created = await at.create('x');
    assert.equal(created.setup.state, 'unapproved');
    assert.deepEqual(created.setup.commands, ['touch ran']);
    assert.equal(created.setup.next, 'wt setup x --approve');
    assert.equal(existsSync(join(created.path, 'ran')), false);
  });

  it('asks before anything is touched, runs in order in the worktree, and asks once', async () => {
    await at.configure('setup: ["pwd > one", "cat one one > two"]\n');
    const asked: string[] = [];
    const created = await at.create('x', {
      approveSetup: async (commands) => {
        asked.push(...commands);
        assert.equal(existsSync(at.path('x')), false);
        return true;
      },
    });
    assert.deepEqual(asked, ['pwd > one', 'cat one one > two']);
    assert.equal(created.setup.state, 'done');
    assert.equal(await readFile(join(created.path, 'two'), 'utf8'), `${created.path}\n${created.path}\n`);
    const again = await at.create('y', { approveSetup: () => assert.fail('asked again') });
    assert.equal(again.setup.state, 'done');
  });

  it('asks again when a command has changed, and makes the worktree when the answer is no', async () => {
    await at.configure('setup: ["true"]\n');
    await approve(at.workspace.environment, at.workspace.repository, ['true']);
    await at.configure('setup: ["true", "touch more"]\n');
    const created = await at.create('x', { approveSetup: async () => false });
    assert.equal(created.setup.state, 'unapproved');
    assert.equal(existsSync(join(created.path, 'more')), false);
  });

  it('does not ask when setup is not wanted', async () => {
    await at.configure('setup: ["touch ran"]\n');
    const created = await at.create({ name: 'x', runSetup: 'never' }, { approveSetup: () => assert.fail('asked') });
    assert.equal(created.setup.state, 'skipped');
    assert.equal(created.setup.next, 'wt setup x');
  });

  it('proposes what the files of the repository suggest, and runs none of it', async () => {
    await at.repository.commit('Locks', { 'package-lock.json': '{}', 'uv.lock': '', '.envrc': '' });
    const created = await at.create('x', { approveSetup: () => assert.fail('asked') });
    assert.equal(created.setup.state, 'none');
    assert.deepEqual(created.setup.suggested, ['uv sync', 'npm ci', 'direnv allow']);
  });

  it('that fails leaves nothing behind, and quotes the command', async () => {
    await at.configure('setup: ["echo made > made.txt", "echo cannot reach it >&2; exit 7", "touch never"]\n');
    const before = await at.traces();
    const output: string[] = [];
    await assert.rejects(
      at.create('x', { approveSetup: yes, onSetupOutput: (text) => output.push(text) }),
      (thrown) => {
        assert.ok(Problem.is(thrown, 'setup-failed'));
        assert.match(
          thrown.message,
          /`echo cannot reach it >&2; exit 7` failed with exit code 7, so x was not created\.$/,
        );
        assert.deepEqual(thrown.items, ['cannot reach it']);
        assert.match(thrown.next ?? '', /wt create x --no-setup/);
        assert.equal(thrown.outcome, 'incomplete');
        return true;
      },
    );
    assert.deepEqual(await at.traces(), before);
    assert.equal(output.join(''), 'cannot reach it\n');
  });

  it('runs without variables that would lead its git astray', async () => {
    await at.configure('setup: ["git rev-parse --show-toplevel > top", "env > env.txt"]\n');
    const environment = testEnvironment(at.home, at.repository.root, {
      GIT_DIR: join(at.repository.root, '.git'),
      GIT_WORK_TREE: at.repository.root,
      GIT_INDEX_FILE: '/nowhere',
      GIT_CONFIG_PARAMETERS: "'core.bare=true'",
      GIT_AUTHOR_NAME: 'Ada',
      ELECTRON_RUN_AS_NODE: '1',
    });
    const created = await at.create('x', { approveSetup: yes }, { ...at.workspace, environment });
    assert.equal(await readFile(join(created.path, 'top'), 'utf8'), `${created.path}\n`);
    const seen = await readFile(join(created.path, 'env.txt'), 'utf8');
    assert.doesNotMatch(seen, /^(GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|GIT_CONFIG_PARAMETERS|ELECTRON_RUN_AS_NODE)=/m);
    assert.match(seen, /^GIT_AUTHOR_NAME=Ada$/m);
  });

  it('that is cancelled ends every process that it has started, and leaves nothing behind', async () => {
    await at.configure('setup: ["sh -c \'echo $$; exec sleep 600\' & echo $$; wait"]\n');
    const before = await at.traces();
    const stop = new AbortController();
    let expectReply = '';
    const pids = (): number[] => expectReply.trim().split('\n').filter(Boolean).map(Number);
    const creating = at.create('x', {
      approveSetup: yes,
      signal: stop.signal,
      onSetupOutput: (text) => {
        expectReply += text;
        if (pids().length === 2) stop.abort();
      },
    });
    await assert.rejects(creating, { reason: 'cancelled' });
    assert.equal(pids().length, 2);
    for (const pid of pids()) await ended(pid);
    assert.deepEqual(await at.traces(), before);
  });

  it('can be run later, and its failure keeps the worktree', async () => {
    await at.configure('setup: ["touch ran"]\n');
    const created = await at.create('x');
    const place = { name: 'x', slug: 'x', path: created.path, main: false };
    assert.equal((await runSetup(at.workspace, place)).state, 'unapproved');
    assert.equal((await runSetup(at.workspace, place, { approve: true })).state, 'done');
    assert.equal(existsSync(join(created.path, 'ran')), true);
    await at.configure('setup: ["exit 1"]\n');
    await assert.rejects(runSetup(at.workspace, place, { approve: true }), {
      reason: 'setup-failed',
      next: 'correct what is wrong, then run `wt setup x` again',
    });
    assert.equal(existsSync(created.path), true);
  });

  it('does not wait for what a command leaves running in the background', async () => {
    await at.configure('setup: ["sleep 600 & echo $!"]\n');
    let pid = 0;
    const created = await at.create('x', { approveSetup: yes, onSetupOutput: (text) => (pid = Number(text)) });
    try {
      assert.equal(created.setup.state, 'done');
      assert.equal(processExists(pid), true);
    } finally {
      process.kill(pid);
    }
  });

  it('counts nothing as approved when the file of approvals is damaged', async () => {
    await at.configure('setup: ["touch ran"]\n');
    await at.repository.write(join(at.home.root, '.worktree-stacks/config/approvals.json'), '{ "approvals": \n');
    const created = await at.create('x');
    assert.equal(created.setup.state, 'unapproved');
    assert.match(texts(created.warnings).join(), /approvals\.json, line \d/);
  });
});
