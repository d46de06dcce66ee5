import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Git } from '../../../src/core/git/git.ts';
import { GitHub } from '../../../src/core/github/client.ts';
import { openSession, type HostSession } from '../../../src/core/github/connect.ts';
import { Pace } from '../../../src/core/github/pace.ts';
import { openPullRequests, type OpenedAll } from '../../../src/core/github/pr/openPullRequests.ts';
import { withStackTable } from '../../../src/core/github/pr/stackTable.ts';
import { findToken } from '../../../src/core/github/tokens.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import type { Snapshot, Worktree, Progress } from '../../../src/core/worktree/model.ts';
import { testHome } from '../../support/tempRepo.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { heard } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

/** Git that counts its processes. */
class CountedGit extends Git {
  processes = 0;
  override run(...how: Parameters<Git['run']>): ReturnType<Git['run']> {
    this.processes++;
    return super.run(...how);
  }
}

describe('what the pull requests of a high stack ask of GitHub', function () {
  this.timeout(300_000);
  let stage: Stage;
  afterEach(() => stage.close());
  const rows: string[] = [];
  /** When the last run began; its time is printed, and depends on the machine. */
  let began = 0;
  /** How many git processes it has started. */
  let processes = 0;
  after(() => void process.stdout.write(`\n${rows.join('\n')}\n\n`));

  /** A stack of so many branches, each with a commit; no folders. */
  const build = async (count: number, graphql = true): Promise<Snapshot> => {
    stage = await makeStage(await testHome(), { graphql });
    const { repository, hub } = stage;
    // As on GitHub the address of a pull request names its repository.
    hub.state.web = hub.url;
    const names = Array.from({ length: count }, (_, index) => `b${index}`);
    const stream = names.map((name, index) => {
      const from = index === 0 ? 'refs/heads/main^0' : `:${index}`;
      const subject = `Add ${name}`;
      const who = `committer Ada Example <ada@example.com> ${1_700_000_000 + index} +0000`;
      return `commit refs/heads/${name}\nmark :${index + 1}\n${who}\ndata ${subject.length}\n${subject}\nfrom ${from}\nM 100644 inline ${name}.txt\ndata 1\nx\n`;
    });
    await new Promise<void>((done, failed) => {
      const importing = execFile(
        'git',
        ['fast-import', '--quiet'],
        { cwd: repository.root, env: stage.variables },
        (error) => (error ? failed(new Error(error.message)) : done()),
      );
      importing.stdin?.end(stream.join(''));
    });
    const { snapshot, workspace } = await stage.look('main');
    const [main] = snapshot.worktrees;
    assert.ok(main);
    const tips = (await repository.git('rev-parse', 'main', ...names)).split('\n');
    const worktrees: Worktree[] = [];
    await updateRegistry(workspace.environment, workspace.repository, (draft) => {
      for (const [index, name] of names.entries()) {
        const base = index === 0 ? 'main' : (names[index - 1] ?? '');
        const path = join(repository.root, '.worktrees', name);
        const entry = { path, branch: name, base, pr: null, baseCommit: tips[index] ?? '' };
        draft.worktrees.set(name, entry);
        const standing = { branch: base, exists: true, recorded: true, distance: undefined };
        // Their folders are never looked into here; git runs in the main one.
        worktrees.push({ ...main, main: false, name, slug: name, branch: name, entry, base: standing });
      }
    });
    return { ...snapshot, worktrees: [main, ...worktrees] };
  };

  /** The registry as it is now, as a snapshot of the next run has it. */
  const recorded = async (snapshot: Snapshot): Promise<Snapshot> => {
    const { repository } = await stage.workspace();
    const { worktrees: entries } = await readRegistry(repository);
    const worktrees = snapshot.worktrees.map((worktree) => ({ ...worktree, entry: entries.get(worktree.name) }));
    return { ...snapshot, worktrees };
  };

  const run = async (
    snapshot: Snapshot,
    how: { readonly session?: HostSession; readonly progress?: Progress } = {},
  ): Promise<OpenedAll> => {
    const opened = await stage.workspace();
    const git = new CountedGit(opened.environment);
    const workspace = { ...opened, git };
    const [, lowest] = snapshot.worktrees;
    assert.ok(lowest);
    began = Date.now();
    const session = how.session ?? (await openSession(workspace, { spacing: false }));
    const done = await openPullRequests(workspace, snapshot, lowest, session, { stack: true, progress: how.progress });
    processes = git.processes;
    return done;
  };

  const asked = (from: number): Record<'queries' | 'reads' | 'writes', number> => {
    const requests = stage.hub.requests.slice(from);
    const queries = requests.filter(({ path }) => path === '/graphql').length;
    const reads = requests.filter(({ method }) => method === 'GET').length;
    const pushes = requests.filter(({ method }) => method === 'PUSH').length;
    return { queries, reads, writes: requests.length - queries - reads - pushes };
  };

  const row = async (
    count: number,
    what: string,
    { queries, reads, writes }: ReturnType<typeof asked>,
  ): Promise<void> => {
    const text = `| ${count} | ${what} | ${queries} | ${reads} | ${writes} | ${processes} |`;
    rows.push(`${text} ${Math.round((Date.now() - began) / 1000)} s |`);
    const page = await readFile(resolve(import.meta.dirname, '../../../docs/pull-requests.md'), 'utf8');
    assert.ok(page.replace(/ +/g, ' ').includes(text), `docs/pull-requests.md does not have the row ${text}`);
  };

  it('60 new ones tell how long it takes, at the pace that GitHub asks for, and again there is nothing to do', async () => {
    const snapshot = await build(60);
    const workspace = await stage.workspace();
    const { remotes, github } = await openSession(workspace);
    const { repository } = github;
    const token = await findToken(workspace.environment, workspace.git, repository, workspace.repository.mainRoot);
    assert.ok(token);
    const told: string[] = [];
    const { pulls } = stage.hub.state;
    // While it waits for its turn to write a text, a person writes into the same one.
    const clock = fakeClock(() => {
      const number = /^Updating the table of the stack in #(\d+)/.exec(told.at(-1) ?? '')?.[1];
      const pull = pulls.get(Number(number));
      if (pull) pull.body = `${pull.body}\n\nA person wrote this into #${number}.`;
    });
    const start = clock.now();
    const pace = new Pace(clock);
    const paced = new GitHub({ environment: workspace.environment, repository, token, clock, spacing: false, pace });
    const session = { github: paced, remotes, chosen: false };
    const { pullRequests, left } = await run(snapshot, { session, progress: heard((text) => told.push(text)) });
    assert.deepEqual([pullRequests.length, left], [60, []]);
    const first = asked(0);
    assert.ok(first.writes <= 120 && clock.now() - start >= (first.writes - 1) * 1000, JSON.stringify(first));
    assert.ok(told.includes('Pull request of b0 (1 of 60, about 2 min left)'), told.slice(0, 9).join('\n'));
    assert.ok(
      told.some((text) => /^Updating the table of the stack in #1, about 60 s left|, about 1 min left/.test(text)),
    );
    for (const { number, body } of pulls.values())
      assert.ok(body.includes(`A person wrote this into #${number}.`) && body.includes(`#${number} ← this one`), body);
    await row(60, 'all new', first);
    const before = stage.hub.requests.length;
    const again = await run(await recorded(snapshot));
    assert.ok(again.pullRequests.every(({ action }) => action === 'unchanged'));
    await row(60, 'nothing to change', asked(before));
  });

  for (const [count, graphql] of shareOf(
    [
      [500, true],
      [60, false],
    ] as const,
    2,
  ))
    it(`${count} that there are${graphql ? '' : ', without GraphQL,'} are read in few requests, and nothing is written`, async () => {
      const snapshot = await build(count, graphql);
      const names = snapshot.worktrees.slice(1).map(({ name }) => name);
      await stage.repository.git('push', '--quiet', 'origin', ...names);
      const numbers = names.map((_, index) => index + 1);
      for (const [index, name] of names.entries()) {
        const body = withStackTable('', numbers, index + 1, 'main');
        stage.hub.state.add(name, names[index - 1] ?? 'main', { body });
      }
      const { environment, repository } = await stage.workspace();
      await updateRegistry(environment, repository, ({ worktrees }) => {
        for (const { number, head, base } of stage.hub.state.pulls.values()) {
          const url = `${stage.hub.url}/octo/demo/pull/${number}`;
          const entry = worktrees.get(head);
          const pr = { number, url, nodeId: `PR_${number}`, state: 'open' };
          if (entry) worktrees.set(head, { ...entry, pr, prBase: base });
        }
      });
      const before = stage.hub.requests.length;
      const { pullRequests } = await run(await recorded(snapshot));
      assert.deepEqual(
        pullRequests.filter(({ action }) => action !== 'unchanged').map(({ name, note }) => [name, note]),
        [],
      );
      await row(count, graphql ? 'nothing to change' : 'nothing to change, no GraphQL', asked(before));
    });
});
