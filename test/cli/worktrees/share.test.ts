import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appears } from '../../support/appears.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

describe('wt create with shared folders', () => {
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));

  const at = (name: string): string => join(repository.root, '.worktrees', name);

  beforeEach(async () => {
    await repository.commit('Share', {
      '.gitignore': 'node_modules/\n/data/\n',
      '.worktrees.yml': 'worktree:\n  share:\n    - node_modules\n    - { path: /data, how: link }\n',
    });
    await repository.write('node_modules/x/index.js', 'x'.repeat(1500));
    await repository.write('data/large.bin', 'x'.repeat(2500));
  });

  it('says how each came, and what that saves', async () => {
    const ran = await home.wt(repository.root, ['create', 'x']);
    assert.equal(ran.stdout, '.worktrees/x\n');
    assert.match(ran.stderr, /^Linked data to that of the main working tree, which saves 2\.5 kB\.$/m);
    assert.match(
      ran.stderr,
      /^(Copied node_modules: 1 file, 1\.5 kB|Shared node_modules by copy on write: 1 file, which saves 1\.5 kB)\.$/m,
    );
    const answer = (await home.wt(repository.root, ['create', 'y', '--json'])).json();
    assertMatches('create', answer);
    const [data, modules] = answer['shared'] as Record<string, unknown>[];
    assert.deepEqual(data, { path: 'data', how: 'link', files: 1, bytes: 2500, saved_bytes: 2500 });
    assert.deepEqual([modules?.['path'], modules?.['files'], modules?.['bytes']], ['node_modules', 1, 1500]);
  });

  it('keeps what is shared when a worktree goes, and gives the link back with `wt undo`', async () => {
    await home.done(repository.root, 'create', 'x');
    await home.done(repository.root, 'cleanup', 'x');
    assert.equal(existsSync(at('x')), false);
    assert.equal((await readFile(join(repository.root, 'data/large.bin'))).length, 2500);
    await home.done(repository.root, 'undo');
    assert.equal((await readFile(join(at('x'), 'data/large.bin'))).length, 2500);
    assert.equal(await repository.gitIn(at('x'), 'status', '--porcelain'), '');
  });

  it('names the line of what is wrong in the configuration', async () => {
    await repository.write('.worktrees.yml', 'worktree:\n  share:\n    - { path: data, how: magic }\n');
    const ran = await home.wt(repository.root, ['create', 'x']);
    assert.equal(ran.code, 2);
    assert.match(
      ran.stderr,
      /\.worktrees\.yml, line 3: `worktree\.share\.0\.how` must be one of reflink, copy, hardlink, link\./,
    );
  });

  it('is taken back by Ctrl-C, and leaves nothing', async () => {
    const write = (n: number): Promise<void> => repository.write(`node_modules/p${n % 50}/${n}.js`, 'x'.repeat(1000));
    for (let n = 0; n < 6000; n += 50) await Promise.all(Array.from({ length: 50 }, (_, more) => write(n + more)));
    await mkdir(join(repository.root, '.worktrees'));
    let ended: Promise<unknown> | undefined;
    const ran = await home.wt(repository.root, ['create', 'x', '--json'], {
      onStart: (child) => {
        ended = appears(at('x'))
          .then(() => appears(join(at('x'), 'node_modules')))
          .then(() => child.kill('SIGINT'));
      },
    });
    await ended;
    assert.equal(ran.code, 130, ran.stderr);
    assertFailure(ran.json(), 'cancelled');
    assert.equal(existsSync(at('x')), false);
    assert.equal(await repository.git('branch', '--list', 'x'), '');
    assert.equal(existsSync(join(repository.root, '.git/worktrees/x')), false);
    assert.ok(existsSync(join(repository.root, 'node_modules/p0/0.js')));
  });
});
