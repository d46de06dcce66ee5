import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { assertMatches } from '../support/schema.ts';
import { skipBecause } from '../../support/skip.ts';
import { hookProgram, wtHome, type WtHome } from '../support/wt.ts';

describe('wt on the oldest Node that it promises to run on', () => {
  let home: WtHome;
  before(async () => {
    home = await wtHome();
  });
  after(() => home.dispose());

  it('creates, lists, shows and removes a worktree, and answers a hook', async function () {
    const node = findNode20();
    if (node === undefined) return skipBecause(this, 'no Node 20 on the path');
    const repository = await home.repository();
    const run = (args: readonly string[]) => home.wt(repository.root, args, { node });
    const created = await run(['create', 'x', '--work-id', '258', '--json']);
    assert.equal(created.code, 0, created.stderr);
    assertMatches('create', created.json());
    for (const [schema, args] of [
      ['list', ['list']],
      ['info', ['info', 'x']],
      ['diff', ['diff', 'x']],
      ['here', []],
    ] as const) {
      const ran = await run([...args, '--json']);
      assert.equal(ran.code, 0, ran.stderr);
      assertMatches(schema, ran.json());
    }
    for (const [name, more] of [
      ['sync', ['--all-worktrees']],
      ['query', ['--all-worktrees', 'SELECT count(*) AS n FROM agent_synchronizations']],
    ] as const) {
      const ran = await run(['state', 'db', name, ...more, '--json']);
      assert.equal(ran.code, 0, ran.stderr);
      assertMatches(`state-db-${name}`, ran.json());
    }
    const hook = await home.wt(repository.root, ['session-start'], { node, program: hookProgram, input: '{}' });
    assert.match(String(hook.json()['systemMessage']), /^ACTIVE WORKTREE: /);
    assert.equal((await run(['cleanup', 'x'])).code, 0);
    assert.deepEqual([(await run(['nonsense'])).code, (await run(['--version'])).stderr], [2, '']);
  });
});

/** The one of the system: npm puts this project's own Node first on the path. */
function findNode20(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file) && execFileSync(file, ['--version'], { encoding: 'utf8' }).startsWith('v20.'));
}
