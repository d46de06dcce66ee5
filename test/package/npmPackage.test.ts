import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { node24, root } from '../../scripts/lib/install.mjs';
import { must, run } from '../../scripts/lib/processes.mjs';
import { packNpm } from '../../scripts/npmPackage.mjs';
import { testHome, type TestHome, type TestRepository } from '../support/tempRepo.ts';

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };

describe('the npm package', () => {
  let home: TestHome;
  let folder: string;
  let repository: TestRepository;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    home = await testHome({ bundles: true });
    folder = home.root;
    repository = await home.repository();
    // A registry that is not there: everything has to be in the package.
    env = { ...home.variables, npm_config_cache: join(folder, 'cache'), npm_config_registry: 'http://[::1]:1' };
    const args = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, await packNpm()];
    await must('The package could not be installed.', 'npm', args, { cwd: folder, env, quiet: true });
  });
  after(() => home.dispose());

  const started = (command: string, args: readonly string[]) =>
    run(command, args, { cwd: repository.root, env, quiet: true });

  it('is wt, under both of its names', async () => {
    for (const name of ['wt', 'worktree-stacks']) {
      const { code, output } = await started(join(folder, 'node_modules/.bin', name), ['--version']);
      assert.deepEqual([code, output.trim()], [0, version], name);
    }
  });

  it('runs with npx', async () => {
    const words = ['--offline', '--no', '--prefix', folder, 'worktree-stacks', 'list', '--porcelain'];
    const { code, output } = await started('npx', words);
    assert.deepEqual([code, output], [0, '']);
  });

  it('does all that wt does: the parts that are files of their own too', async () => {
    const wt = (...words: string[]) => started(join(folder, 'node_modules/.bin/wt'), words);
    assert.equal((await wt('create', 'one', '--no-setup')).code, 0);
    assert.match((await wt('list', '--porcelain')).output, /^one\tone\t/m);
    // The library for YAML says what is wrong with it.
    await repository.write('.worktrees.yml', 'stack: [');
    assert.match((await wt('list')).output, /\.worktrees\.yml, line 1/);
    const octokit = join(folder, 'node_modules/worktree-stacks/dist/octokit.js');
    assert.equal((await started(node24, ['-e', `require(${JSON.stringify(octokit)})`])).code, 0);
  });

  it('says what it is, needs no other package and no later Node than wt does', async () => {
    const read = async (file: string): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    const [ours, project] = await Promise.all([
      read(join(folder, 'node_modules/worktree-stacks/package.json')),
      read(join(root, 'package.json')),
    ]);
    assert.equal(ours['dependencies'], undefined);
    assert.deepEqual(ours['engines'], { node: '>=20' });
    // The registry compares it with the repository whose workflow publishes.
    for (const key of ['version', 'license', 'repository', 'bugs'] as const) {
      assert.ok(ours[key], key);
      assert.deepEqual(ours[key], project[key], key);
    }
  });
});
