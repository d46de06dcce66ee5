import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Problem } from '../../src/core/base/problem.ts';
import { Git } from '../../src/core/git/git.ts';
import { GitHub } from '../../src/core/github/client.ts';
import { repositoryOf } from '../../src/core/github/connect.ts';
import { apiOf, apiVariable, kindOf } from '../../src/core/github/hosts.ts';
import { nameOf, parseRemoteUrl } from '../../src/core/github/remoteUrl.ts';
import {
  baseRemoteOf,
  nameOn,
  pushRemoteOf,
  readRemotes,
  resolvedByGh,
  type Remotes,
} from '../../src/core/github/remotes.ts';
import { readSharing } from '../../src/core/github/sharing.ts';
import { findToken } from '../../src/core/github/tokens.ts';
import { testHome, type TestHome, type TestRepository } from '../support/tempRepo.ts';
import { testEnvironment, testWorkspace } from '../support/workspace.ts';

describe('the addresses of remotes', () => {
  for (const [url, expected] of [
    ['git@github.com:octo/demo.git', 'ssh github.com octo/demo'],
    ['github.com:octo/demo', 'ssh github.com octo/demo'],
    ['git@github.com:/octo/demo.git/', 'ssh github.com octo/demo'],
    ['ssh://git@github.com/octo/demo.git', 'ssh github.com octo/demo'],
    ['ssh://git@ssh.github.com:443/octo/demo.git', 'ssh github.com octo/demo'],
    ['ssh://git@git.example.com:2222/octo/demo', 'ssh git.example.com octo/demo'],
    ['https://github.com/octo/demo', 'https github.com octo/demo'],
    ['https://GitHub.com/octo/demo.git/', 'https github.com octo/demo'],
    ['https://ada:secret@github.com/octo/demo.git', 'https github.com octo/demo'],
    ['https://github.com:443/octo/demo', 'https github.com octo/demo'],
    ['https://git.example.com:8443/octo/demo', 'https git.example.com:8443 octo/demo'],
    ['https://git.example.com/git/octo/demo.git', 'https git.example.com octo/demo'],
    ['git://github.com/octo/demo.git', 'git github.com octo/demo'],
    ['git+ssh://git@github.com/octo/demo.git', 'ssh github.com octo/demo'],
    ['https://github.com/octo/demo.js.git', 'https github.com octo/demo.js'],
    ['work:octo/demo.git', 'ssh work octo/demo'],
    ['org-1234@github.com:octo/demo.git', 'ssh github.com octo/demo'],
    ['https://example.ghe.com/octo/demo', 'https example.ghe.com octo/demo'],
    ['https://notgithub.com/octo/demo', 'https notgithub.com octo/demo'],
    ['/srv/git/demo.git', undefined],
    ['../demo', undefined],
    ['C:/code/demo', undefined],
    ['C:\\code\\demo', undefined],
    ['file:///srv/git/demo.git', undefined],
    ['https://github.com/octo', undefined],
    ['', undefined],
  ] as const) {
    it(`${url || 'nothing'} is ${expected ?? 'on no host'}`, () => {
      const found = parseRemoteUrl(url);
      assert.equal(found && `${found.protocol} ${found.host} ${found.owner}/${found.repo}`, expected);
    });
  }
});

describe('the interfaces of hosts', () => {
  const environment = { variables: {} } as Parameters<typeof apiOf>[0];
  for (const [host, kind, address] of [
    ['github.com', 'github.com', 'https://api.github.com'],
    ['example.ghe.com', 'ghe.com', 'https://api.example.ghe.com'],
    ['git.example.com', 'server', 'https://git.example.com/api/v3'],
    ['git.example.com:8443', 'server', 'https://git.example.com:8443/api/v3'],
    ['github.com.example.org', 'server', 'https://github.com.example.org/api/v3'],
  ] as const) {
    it(`of ${host} is ${address}`, () => {
      assert.deepEqual([kindOf(host), apiOf(environment, { host, protocol: 'ssh' })], [kind, address]);
    });
  }

  it('can be replaced by a variable, and not by nonsense', () => {
    const given = (value: string) => ({ ...environment, variables: { WORKTREE_STACKS_GITHUB_API: value } });
    assert.equal(
      apiOf(given('http://127.0.0.1:9/api/v3/'), { host: 'github.com', protocol: 'https' }),
      'http://127.0.0.1:9/api/v3',
    );
    assert.throws(
      () => apiOf(given('localhost'), { host: 'github.com', protocol: 'https' }),
      (thrown) => Problem.is(thrown, 'usage'),
    );
  });
});

describe('remotes and tokens', () => {
  let home: TestHome;
  let repository: TestRepository;
  let bin: string;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    bin = join(home.root, 'bin');
    await mkdir(bin);
  });
  afterEach(() => home.dispose());

  const program = async (name: string, script: string): Promise<void> => {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  };
  const path = (): string => `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
  const read = async (): Promise<Remotes> => {
    const workspace = await testWorkspace({ ...home, variables: { ...home.variables, PATH: path() } }, repository.root);
    return readRemotes(workspace, { hosts: true });
  };
  const add = (name: string, url: string): Promise<string> => repository.git('remote', 'add', name, url);

  it('reads addresses as git rewrites them, and ssh names as ssh does', async () => {
    await program('ssh', 'test "$1 $2 $3" = "-G -- work" && echo "user git" && echo "hostname GitHub.com"');
    await add('origin', 'gh:octo/demo');
    await add('mine', 'work:ada/demo.git');
    await repository.git('config', 'url.https://github.com/.insteadOf', 'gh:');
    await repository.git('config', 'url.git@github.com:.pushInsteadOf', 'https://github.com/');
    await repository.git('remote', 'set-url', '--push', 'mine', 'git@github.com:ada/fork.git');
    const { byName } = await read();
    assert.equal(byName.get('origin')?.fetchUrl, 'https://github.com/octo/demo');
    assert.equal(byName.get('mine')?.fetchedFrom?.host, 'github.com');
    assert.equal(byName.get('mine')?.pushedTo?.repo, 'fork');
  });

  for (const [told, settings, variables, host] of [
    ['by a setting with options', 'ssh -F "a file"', {}, 'github.com'],
    ['by a variable, before the setting', 'ssh -F other', { GIT_SSH_COMMAND: 'ssh -F "a file"' }, 'github.com'],
    ['by a setting, before the program', 'ssh -F "a file"', { GIT_SSH: 'nothing' }, 'github.com'],
    ['to take a program that has sessions instead of names', '"C:/Program Files/PuTTY/plink.exe" -batch', {}, 'work'],
    ['to take one that fails', 'false', {}, 'work'],
    ['to take one that is not there', undefined, { GIT_SSH: 'nothing' }, 'work'],
  ] as const) {
    it(`asks the ssh that git is told to use for the host of a name: ${told}`, async () => {
      await program('ssh', 'test "$1 $2 $3 $4" = "-F a file -G work" && echo "hostname github.com"');
      await add('origin', 'git@work:octo/demo.git');
      if (settings !== undefined) await repository.git('config', 'core.sshCommand', settings);
      const at = { ...home, variables: { ...home.variables, PATH: path(), ...variables } };
      const { byName } = await readRemotes(await testWorkspace(at, repository.root), { hosts: true });
      assert.equal(byName.get('origin')?.fetchedFrom?.host, host);
    });
  }

  it('chooses the remote to push to as git does', async () => {
    await add('origin', 'git@github.com:octo/demo.git');
    await add('fork', 'git@github.com:ada/demo.git');
    const chosen = async (branch = 'login'): Promise<string> => pushRemoteOf(await read(), branch, 'origin').name;
    assert.equal(await chosen(), 'origin');
    await repository.git('config', 'branch.login.remote', '.');
    assert.equal(await chosen(), 'origin');
    await repository.git('config', 'branch.login.remote', 'fork');
    assert.equal(await chosen(), 'fork');
    await repository.git('config', 'remote.pushDefault', 'origin');
    assert.equal(await chosen(), 'origin');
    await repository.git('config', 'branch.login.pushRemote', 'fork');
    assert.deepEqual([await chosen(), await chosen('other')], ['fork', 'origin']);
    await repository.git('config', 'branch.login.pushRemote', 'nothing');
    await assert.rejects(chosen(), (thrown) => Problem.is(thrown, 'not-found'));
    // An address stands for itself. What the branch follows is its name only where no remote of ours leads.
    await repository.git('config', 'branch.login.merge', 'refs/heads/main');
    for (const [address, named] of [
      ['git@github.com:ada/demo.git', 'login'],
      ['git@github.com:eve/demo.git', 'main'],
    ] as const) {
      await repository.git('config', 'branch.login.pushRemote', address);
      const remote = pushRemoteOf(await read(), 'login', 'origin');
      assert.deepEqual([remote.name, nameOn(remote, 'login')], [address, named]);
    }
  });

  it('finds where pull requests go: what gh has marked, upstream, the configured remote', async () => {
    await add('origin', 'git@github.com:ada/demo.git');
    assert.equal(baseRemoteOf(await read(), 'origin')?.name, 'origin');
    await add('upstream', 'git@github.com:octo/demo.git');
    assert.equal(baseRemoteOf(await read(), 'origin')?.name, 'upstream');
    await repository.git('config', 'remote.origin.gh-resolved', 'octo/other');
    const remotes = await read();
    const base = baseRemoteOf(remotes, 'origin');
    assert.equal(base?.name, 'origin');
    assert.equal(base && resolvedByGh(remotes, base)?.repo, 'other');
  });

  const token = async (host: string, variables: Record<string, string> = {}): Promise<string | undefined> => {
    const environment = testEnvironment(home, repository.root, { PATH: path(), ...variables });
    const found = await findToken(environment, new Git(environment), { host, protocol: 'https' }, repository.root);
    return found && `${found.value} from ${found.from}`;
  };

  it('takes the token of a host from its own variables first', async () => {
    const variables = {
      GH_TOKEN: 'one',
      GITHUB_TOKEN: 'two',
      GH_ENTERPRISE_TOKEN: 'three',
      GITHUB_ENTERPRISE_TOKEN: 'four',
    };
    assert.equal(await token('github.com', variables), 'one from the variable GH_TOKEN');
    assert.equal(await token('example.ghe.com', { ...variables, GH_TOKEN: '' }), 'two from the variable GITHUB_TOKEN');
    assert.equal(await token('git.example.com', variables), 'three from the variable GH_ENTERPRISE_TOKEN');
  });

  it('asks gh for the token of that very host, then the credential helper, and never a person', async () => {
    await program('gh', 'test "$*" = "auth token --hostname git.example.com" && echo from-gh');
    const helper = '!f() { grep -q host=helped.example.com && echo username=ada && echo password=from-helper; }; f';
    await repository.git('config', 'credential.helper', helper);
    assert.equal(await token('git.example.com'), 'from-gh from gh');
    assert.equal(await token('helped.example.com'), "from-helper from git's credential helper");
    assert.equal(await token('github.com', { GIT_ASKPASS: join(bin, 'gh'), SSH_ASKPASS: join(bin, 'gh') }), undefined);
  });

  it('finds the repository of a pull request by its recorded address, on the same host only', async () => {
    const github = new GitHub({
      environment: testEnvironment(home, home.root),
      repository: { host: 'github.com', protocol: 'ssh', owner: 'ada', repo: 'demo' },
      token: { value: 'ghp_0', from: 'a test' },
    });
    const at = (url: string | undefined): string => nameOf(repositoryOf(github, url).repository);
    assert.equal(at('https://github.com/octo/demo/pull/7'), 'octo/demo');
    assert.equal(repositoryOf(github, 'https://github.com/Ada/Demo/pull/7'), github);
    for (const other of [undefined, '', 'https://evil.example/octo/demo/pull/7', 'https://github.com/octo/demo'])
      assert.equal(at(other), 'ada/demo');
  });
});

describe('where branches can be shared', () => {
  let home: TestHome;
  let repository: TestRepository;
  before(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  after(() => home.dispose());

  it('is told by the address of the remote, by what is known of its host, and by no request', async () => {
    const sharing = async (url?: string, enterprises: readonly string[] = [], api?: string): Promise<string> => {
      await repository.git('config', '--remove-section', 'remote.origin').catch(() => undefined);
      if (url !== undefined) await repository.git('remote', 'add', 'origin', url);
      const { environment, ...workspace } = await testWorkspace(home, repository.root);
      const variables = api === undefined ? environment.variables : { ...environment.variables, [apiVariable]: api };
      return readSharing({ ...workspace, environment: { ...environment, variables } }, new Set(enterprises));
    };
    assert.equal(await sharing(), 'nowhere');
    for (const url of ['git@github.com:octo/demo.git', 'https://octo.ghe.com/octo/demo', 'git@github.example.com:o/r'])
      assert.equal(await sharing(url), 'pullRequests', url);
    for (const url of ['https://gitlab.com/octo/demo', 'https://notgithub.com/octo/demo', '/srv/git/demo.git'])
      assert.equal(await sharing(url), 'push', url);
    assert.equal(await sharing('https://git.example.com/octo/demo'), 'push', 'it may be anything');
    assert.equal(await sharing('https://git.example.com/octo/demo', ['git.example.com']), 'pullRequests');
    assert.equal(await sharing('http://127.0.0.1:9/octo/demo', [], 'http://127.0.0.1:9'), 'pullRequests');
  });
});
