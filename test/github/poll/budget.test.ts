import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GitHub } from '../../../src/core/github/client.ts';
import { watchPullRequests } from '../../../src/core/github/poll/loop.ts';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import type { Worktree } from '../../../src/core/worktree/model.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startHub } from '../support/hub.ts';
import { HubState } from '../support/hubState.ts';
import { refsInMemory } from '../support/refs.ts';
import { shareOf } from '../../support/share.ts';

/** GitHub's limits for a person, each hour. */
const limit = 5_000;

describe('what an hour of watching asks of GitHub', () => {
  let home: TestHome;
  const rows: string[] = [];
  before(async () => (home = await testHome()));
  after(async () => {
    await home.dispose();
    process.stdout.write(`\n${rows.join('\n')}\n\n`);
  });

  for (const count of shareOf([1, 50, 500], 3)) {
    for (const busy of [true, false]) {
      it(`${count} pull requests, checks ${busy ? 'under way' : 'at rest'}`, async () => {
        const repository = await home.repository(`budget-${count}-${busy}`);
        const tips: Record<string, string> = { main: await repository.git('rev-parse', 'main') };
        const names = Array.from({ length: count }, (_, index) => `b${index}`);
        for (const name of names) tips[name] = tips['main'] ?? '';
        const state = new HubState(refsInMemory(tips));
        const hub = await startHub(state);
        const checks = [
          { name: 'build', status: busy ? 'in_progress' : 'completed', conclusion: busy ? null : 'success' },
        ];
        const workspace = await testWorkspace(home, repository.root);
        const [main] = (await readSnapshot(workspace, { withChanges: false })).worktrees;
        assert.ok(main);
        const worktrees: Worktree[] = [];
        await updateRegistry(workspace.environment, workspace.repository, (draft) => {
          for (const [index, name] of names.entries()) {
            const base = index % 10 === 0 ? 'main' : `b${index - 1}`;
            const pull = state.add(name, base, { checks });
            const path = join(repository.root, 'trees', name);
            const entry = { path, branch: name, base, pr: { number: pull.number, url: '' } };
            draft.worktrees.set(name, entry);
            worktrees.push({ ...main, main: false, name, slug: name, path, branch: name, entry });
          }
        });
        await repository.git('fetch', '--quiet', '.', ...names.map((name) => `main:refs/heads/${name}`));
        const github = new GitHub({
          environment: workspace.environment,
          repository: { host: hub.url.replace('http://', ''), protocol: 'http', owner: 'octo', repo: 'demo' },
          token: { value: 'x', from: 'a test' },
          clock: fakeClock(),
          spacing: false,
        });
        // What was passed at the first look is told once; the hour begins after that. Of the largest a part is watched.
        if (!busy) await watchPullRequests(workspace, github, worktrees, { timeout: 60 });
        hub.requests.length = 0;
        const part = count > 50 ? 6 : 1;
        const { timedOut } = await watchPullRequests(workspace, github, worktrees, { timeout: 60 / part });
        assert.ok(timedOut);
        const queries = hub.count(/^POST \/graphql$/) * part;
        const rest = (hub.count(/^GET /) - hub.count(/^GET /, 304)) * part;
        const free = hub.count(/^GET /, 304) * part;
        const row = `| ${count} | ${busy ? 'under way' : 'at rest'} | ${queries} | ${rest} | ${free} |`;
        rows.push(row);
        await hub.close();
        assert.deepEqual(hub.faults, []);
        assert.ok(queries <= limit / 4 && rest <= limit / 4, row);
        const text = await readFile(resolve(import.meta.dirname, '../../../docs/pull-requests.md'), 'utf8');
        assert.ok(text.replace(/ +/g, ' ').includes(row), `docs/pull-requests.md does not have the row ${row}`);
      }).timeout(300_000);
    }
  }
});
