import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pollStateOf } from '../../src/core/claude/pollMarker.ts';
import { userConfigurationFile } from '../../src/core/repository/userHooks.ts';
import { appears } from '../support/appears.ts';
import { assertFailure, assertMatches } from '../cli/support/schema.ts';
import { wtHome, type WtHome } from '../cli/support/wt.ts';
import { programsOn } from './support/programs.ts';
import { makeStage, type Stage } from './support/stage.ts';

describe('wt push, pr, poll and rebase as programs', () => {
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
  });
  afterEach(() => stage.close());

  const { run: wt, done } = programsOn(() => ({ home, stage }));

  it('print addresses and nothing else, and JSON as their schemas say', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    const pushed = await done('push', 'one', '--json');
    assertMatches('push', pushed.json());
    const opened = await done('pr', 'two', '--stack');
    const url = 'https://github.example.com/octo/demo/pull/';
    assert.equal(opened.stdout, `${url}1\n${url}2\n`);
    assert.match(
      opened.stderr,
      /Opened draft pull request #1 of one into main\.\nOpened draft pull request #2 of two into one\./,
    );
    const again = await done('pr', 'two', '--stack', '--register', '--json');
    assertMatches('pr', again.json());
    assert.match((await done('info', 'two')).stdout, /#2 https:/);
    const polled = await done('poll', '--all', '--timeout', '0.01');
    assertMatches('poll', polled.json());
    assert.deepEqual([polled.json()['timed_out'], polled.json()['events']], [true, []]);
  }).timeout(300_000);

  it('say with exit code 1 what a person can change, and keep the token to themselves', async () => {
    await stage.worktree('one');
    const unwatched = await wt(['poll', 'one', '--json']);
    assert.equal(unwatched.code, 1);
    assertFailure(unwatched.json(), 'not-found');
    const without = await wt(['pr', 'one', '--json'], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    assert.equal(without.code, 1);
    assertFailure(without.json(), 'no-token');
    const wrong = await wt(['poll', '--all', 'one', '--json']);
    assert.equal(wrong.code, 2);
    const loud = await wt(['pr', 'one', '--verbose']);
    assert.equal(loud.code, 0, loud.stderr);
    assert.match(loud.stderr, /\[github\] POST .*\/repos\/octo\/demo\/pulls - 201/);
    assert.ok(!`${loud.stdout}${loud.stderr}`.includes(stage.variables['GH_ENTERPRISE_TOKEN'] ?? '-'));
  }).timeout(300_000);

  it('take the text of a pull request from a file or from standard input', async () => {
    await stage.worktree('one');
    const ran = await wt(['pr', 'one', '--title', 'A title', '--body-file', '-'], { input: 'From a pipe.\n' });
    assert.equal(ran.code, 0, ran.stderr);
    const pull = stage.hub.state.pulls.get(1);
    assert.deepEqual([pull?.title, pull?.body], ['A title', 'From a pipe.\n']);
    assert.equal((await wt(['pr', 'one', '--body-file', 'nothing.md'])).code, 2);
  }).timeout(300_000);

  it('have the text of a pull request written, look at it first, and open it with what was left', async () => {
    const path = await stage.worktree('one');
    await stage.repository.write(join(path, '.github/pull_request_template.md'), '## Why\n');
    const { environment } = await stage.workspace();
    const file = userConfigurationFile({ ...environment, variables: home.variables });
    const asked = join(home.root, 'asked');
    const writes = async (text: string): Promise<void> => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(join(home.root, 'text'), text);
      await writeFile(file, `generate: cat > '${asked}'; cat '${join(home.root, 'text')}'\n`);
    };
    const { pulls } = stage.hub.state;
    await writes('Title:\n\nLog in with a key\n\n## Why\n\nIt is safer.\n');
    const unseen = await wt(['pr', 'one', '--generate', '--json']);
    assert.equal(unseen.code, 1);
    assertFailure(unseen.json(), 'not-approved');
    assert.deepEqual([pulls.size, await stage.onServer('branch', '--list', 'one')], [0, '']);
    const opened = await done('pr', 'one', '--generate', '--yes', '--json');
    assertMatches('pr', opened.json());
    const words = (): unknown[] => [pulls.get(1)?.title, pulls.get(1)?.body, pulls.get(1)?.draft];
    assert.deepEqual(words(), ['Log in with a key', '## Why\n\nIt is safer.', true]);
    assert.match(await readFile(asked, 'utf8'), /<template>\n## Why\n<\/template>[^]*^\+one\.txt$/m);
    await writeFile(file, 'generate: exit 3\n');
    const failed = await wt(['pr', 'one', '--generate', '--yes', '--json']);
    assertFailure(failed.json(), 'text-failed');
    assert.deepEqual(words(), ['Log in with a key', '## Why\n\nIt is safer.', true]);
    await writes('Log in with any key\n');
    await done('pr', 'one', '--generate', '--yes');
    assert.deepEqual(words(), ['Log in with any key', '', true]);
    const both = await wt(['pr', 'one', '--generate', '--title', 'x', '--json']);
    assertFailure(both.json(), 'usage');
  }).timeout(300_000);

  it('go where git goes with a shortened address and several remotes', async () => {
    const { repository, hub } = stage;
    await repository.git('config', `url.${hub.url}/.insteadOf`, 'work:');
    await repository.git('remote', 'rename', 'origin', 'mirror');
    await repository.git('remote', 'set-url', 'mirror', 'http://127.0.0.1:9/octo/demo.git');
    await repository.git('remote', 'add', 'company', 'work:octo/demo.git');
    await repository.git('fetch', '--quiet', 'company');
    await repository.write('.worktrees.yml', 'stack: { remote: company }\n');
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    const opened = await done('pr', 'two', '--stack', '--json');
    assertMatches('pr', opened.json());
    assert.deepEqual(
      [...hub.state.pulls.values()].map(({ head, base, draft }) => [head, base, draft]),
      [
        ['one', 'main', true],
        ['two', 'one', true],
      ],
    );
    assert.equal(await stage.onServer('rev-parse', 'two'), await repository.git('rev-parse', 'two'));
    assert.equal(await repository.git('rev-parse', '--abbrev-ref', 'two@{upstream}'), 'company/two');
  }).timeout(300_000);

  it('leave no live marker, whether a poll is interrupted or killed', async () => {
    const path = await stage.worktree('one');
    await done('pr', 'one');
    const { environment } = await stage.workspace();
    for (const [signal, left] of [
      ['SIGTERM', 'none'],
      ['SIGKILL', 'dead'],
    ] as const) {
      let child: ChildProcess | undefined;
      const polling = wt(['poll', 'one'], { onStart: (started) => (child = started) });
      await appears(join(path, '.poll-active'));
      assert.equal(await pollStateOf(environment, path), 'live');
      child?.kill(signal);
      const ran = await polling;
      assert.equal(ran.stdout, '');
      assert.equal(await pollStateOf(environment, path), left);
    }
    await done('poll', 'one', '--timeout', '0.01');
    assert.ok(!existsSync(join(path, '.poll-active')));
  }).timeout(300_000);

  const planned = async (...args: string[]): Promise<unknown[]> => {
    const ran = await wt(['rebase', 'q', '--json', ...args]);
    assert.equal(ran.code, 0, ran.stderr);
    const branches = ran.json()['branches'] as { name: string; outcome: string; base: string }[];
    return branches.map(({ name, outcome, base }) => [name, outcome, base]);
  };

  /** Only GitHub knows which commit p was merged as: one of its files is another on the trunk. */
  const mergeOtherwise = async (): Promise<void> => {
    const { repository, hub } = stage;
    await stage.commit(await stage.worktree('p'), 'notes.txt', 'draft\n');
    await stage.worktree('q', 'p');
    assert.equal((await wt(['pr', 'q', '--stack'])).code, 0);
    const clone = join(home.root, 'maintainer');
    await repository.git('clone', '--quiet', stage.bare, clone);
    const text = await repository.git('show', 'p:p.txt');
    await repository.commit('p, with better notes (#1)', { 'p.txt': `${text}\n`, 'notes.txt': 'final\n' }, clone);
    await repository.gitIn(clone, 'push', '--quiet', 'origin', 'main');
    const pull = [...hub.state.pulls.values()].find(({ head }) => head === 'p');
    assert.ok(pull);
    const mergeCommit = await stage.onServer('rev-parse', 'main');
    Object.assign(pull, { state: 'closed', draft: false, mergedAt: '2030-01-01T00:00:00Z', mergeCommit });
  };

  it('a base that was merged with other files is left behind: GitHub names the commit that decided so', async () => {
    await mergeOtherwise();
    assert.deepEqual(await planned(), [['q', 'moves', 'main']]);
    assert.equal(await stage.repository.git('log', '--format=%s', 'origin/main..q'), 'Add q.txt');
    assert.equal(await stage.repository.git('show', 'q:notes.txt'), 'final');
    // What GitHub said is known from now on.
    assert.match((await done('stack')).stdout, /\+-- p \(#1 merged\)/);
  });

  it('a merge is news for one poll only, and the next one ends at once', async () => {
    await mergeOtherwise();
    const polled = await done('poll', 'p', '--json');
    assertMatches('poll', polled.json());
    assert.deepEqual(
      (polled.json()['events'] as { type: string; next: string[] }[]).map(({ type, next }) => [type, next]),
      [['merged', ['wt cleanup p']]],
    );
    const again = await done('poll', 'p', '--json');
    assertMatches('poll', again.json());
    assert.deepEqual([again.json()['events'], again.json()['timed_out']], [[], false]);
    assert.equal((again.json()['pull_requests'] as { state: string }[])[0]?.state, 'merged');
    assert.match(again.stderr, /Pull request #1 of p is merged already/);
    assert.match((await done('list')).stdout, /#1 merged/);
  }).timeout(300_000);

  it('GitHub is not asked about a base offline, and what stands on it stays', async () => {
    await mergeOtherwise();
    const before = stage.hub.requests.length;
    assert.deepEqual(await planned('--offline', '--dry-run'), [['q', 'current', 'p']]);
    assert.equal(stage.hub.requests.length, before);
  });

  it('it is said when GitHub cannot be asked what was merged', async () => {
    await mergeOtherwise();
    const ran = await wt(['rebase', 'q', '--dry-run', '--json'], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(JSON.stringify(ran.json()['notes']), /Merges are detected from local data only: There is no token/);
  });
});

describe('the start of wt', () => {
  it("does not even read GitHub's library", async () => {
    const dist = resolve(import.meta.dirname, '../../dist');
    const [program, library] = await Promise.all(
      ['wtProgram.js', 'octokit.js'].map((file) => readFile(join(dist, file), 'utf8')),
    );
    const mark = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge';
    assert.deepEqual([program?.includes(mark), library?.includes(mark)], [false, true]);
  });
});
