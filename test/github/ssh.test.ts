import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertFailure } from '../cli/support/schema.ts';
import { wtHome, type Ran, type WtHome } from '../cli/support/wt.ts';
import { makeSshServer, type SshServer } from './support/sshServer.ts';
import { makeStage, type Stage } from './support/stage.ts';
import { shareOf } from '../support/share.ts';

/** How git is told what to connect with. */
type Way = 'core.sshCommand' | 'GIT_SSH_COMMAND' | 'GIT_SSH';

describe('wt with remotes over ssh', () => {
  let home: WtHome;
  let stage: Stage;
  let ssh: SshServer;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    ssh = await makeSshServer(home.root, join(home.root, 'server'), {
      'work-github': 'GitHub.com',
      'behind-a-wall': 'ssh.github.com',
      'company-wall': 'ssh.acme.ghe.com',
      company: 'git.example.com',
    });
  });
  afterEach(() => stage.close());

  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  /** Only the host that is meant has a token, so one that was not found out shows. */
  const variablesFor = async (way: Way, tokenIn: string): Promise<Record<string, string>> => {
    // As people write it: for a shell.
    const command = `WHO=ada '${ssh.program}'`;
    if (way === 'core.sshCommand') await stage.repository.git('config', 'core.sshCommand', command);
    return {
      ...stage.variables,
      GH_ENTERPRISE_TOKEN: '',
      [tokenIn]: token,
      WORKTREE_STACKS_GITHUB_API: `${stage.hub.url}/api/v3`,
      ...(way === 'GIT_SSH_COMMAND' ? { GIT_SSH_COMMAND: command } : {}),
      ...(way === 'GIT_SSH' ? { GIT_SSH: ssh.program } : {}),
    };
  };

  const addresses = [
    ['git@work-github:octo/demo.git', 'core.sshCommand', 'git@work-github', 'GH_TOKEN'],
    ['git@work-github:octo/demo.git', 'GIT_SSH_COMMAND', 'git@work-github', 'GH_TOKEN'],
    ['git@work-github:octo/demo.git', 'GIT_SSH', 'git@work-github', 'GH_TOKEN'],
    ['behind-a-wall:octo/demo', 'core.sshCommand', 'behind-a-wall', 'GH_TOKEN'],
    ['ssh://git@work-github/octo/demo.git', 'core.sshCommand', 'git@work-github', 'GH_TOKEN'],
    ['ssh://git@github.com/octo/demo.git', 'GIT_SSH', 'git@github.com', 'GH_TOKEN'],
    ['ssh://git@ssh.github.com:443/octo/demo.git', 'core.sshCommand', 'git@ssh.github.com', 'GH_TOKEN'],
    ['ssh://git@company-wall:443/octo/demo.git', 'core.sshCommand', 'git@company-wall', 'GH_TOKEN'],
    ['ssh://git@company:2222/octo/demo.git', 'core.sshCommand', 'git@company', 'GH_ENTERPRISE_TOKEN'],
    ['job:demo.git', 'core.sshCommand', 'git@work-github', 'GH_TOKEN'],
  ] as const;
  for (const [address, way, host, tokenIn] of shareOf(addresses, 3)) {
    it(`pushes to ${address}, which ${way} leads to, and finds its pull requests by the host that it means`, async () => {
      const { repository, hub } = stage;
      const variables = await variablesFor(way, tokenIn);
      const done = async (...args: string[]): Promise<Ran> => {
        const ran = await home.wt(repository.root, args, { variables });
        assert.equal(ran.code, 0, `wt ${args.join(' ')} ended with ${ran.code}:\n${ran.stderr}\n${ran.stdout}`);
        return ran;
      };
      await repository.git('config', 'url.git@work-github:octo/.insteadOf', 'job:');
      await repository.git('remote', 'set-url', 'origin', address);
      const path = await stage.worktree('one');
      await done('push', 'one');
      assert.equal(await stage.onServer('rev-parse', 'one'), await repository.git('rev-parse', 'one'));
      await done('pr', 'one');
      const pull = hub.state.pulls.get(1);
      assert.deepEqual([hub.state.pulls.size, pull?.head, pull?.base, pull?.draft], [1, 'one', 'main', true]);
      await stage.commit(path, 'more.txt');
      await done('pr', 'one');
      assert.equal(hub.state.pulls.size, 1);
      pull?.checks.push({ name: 'build', status: 'completed', conclusion: 'success' });
      const [event] = (await done('poll', 'one', '--timeout', '1')).json()['events'] as { type: string }[];
      assert.equal(event?.type, 'ci_passed');
      const connections = await ssh.connections();
      assert.ok(connections.includes(`${host} receive-pack`), connections.join('\n'));
      assert.deepEqual([...new Set(connections.map((line) => line.split(' ')[0]))], [host]);
    }).timeout(300_000);
  }

  it('names the host that an address means when there is no token for it', async () => {
    const variables = { ...(await variablesFor('core.sshCommand', 'GH_ENTERPRISE_TOKEN')) };
    await stage.repository.git('remote', 'set-url', 'origin', 'git@work-github:octo/demo.git');
    await stage.worktree('one');
    const ran = await home.wt(stage.repository.root, ['pr', 'one', '--json'], { variables });
    assert.equal(ran.code, 1);
    assertFailure(ran.json(), 'no-token');
    assert.match(JSON.stringify(ran.json()), /There is no token for github\.com/);
  }).timeout(300_000);

  it('opens the pull request of a fork whose owner has a name of their own in the settings', async () => {
    await stage.close();
    home = await wtHome();
    stage = await makeStage(home, { forkOwner: 'ada' });
    ssh = await makeSshServer(home.root, join(home.root, 'server'), {
      'work-github': 'github.com',
      mine: 'github.com',
    });
    const variables = await variablesFor('core.sshCommand', 'GH_TOKEN');
    await stage.repository.git('remote', 'set-url', 'origin', 'git@mine:ada/demo.git');
    await stage.repository.git('remote', 'set-url', 'upstream', 'git@work-github:octo/demo.git');
    await stage.worktree('fix');
    const ran = await home.wt(stage.repository.root, ['pr', 'fix'], { variables });
    assert.equal(ran.code, 0, ran.stderr);
    const pull = stage.hub.state.pulls.get(1);
    assert.deepEqual([pull?.headOwner, pull?.head, pull?.base], ['ada', 'fix', 'main']);
    assert.ok((await ssh.connections()).includes('git@mine receive-pack'));
  }).timeout(300_000);
});
