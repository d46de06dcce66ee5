import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

interface Json {
  readonly bytes: number;
  readonly worktrees: readonly {
    readonly name: string;
    readonly state: string;
    readonly why: string | null;
    readonly folders: readonly { readonly path: string }[];
    readonly kept: readonly { readonly path: string; readonly why: string }[];
  }[];
}

describe('the room that worktrees take', () => {
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));
  const at = (...names: string[]): string => join(repository.root, '.worktrees', ...names);
  beforeEach(async () => {
    await repository.commit('Rules', { '.gitignore': 'dist/\nnode_modules/\ndata/\n', 'package.json': '{}\n' });
    await home.done(repository.root, 'create', 'one');
    // Active is the last one that was made.
    await home.done(repository.root, 'create', 'two');
    for (const name of ['one', 'two']) {
      await repository.write(at(name, 'dist/app.js'), 'app\n');
      await writeFile(at(name, 'dist/big.bin'), Buffer.alloc(2_000_000, 'x'));
    }
    await repository.write(at('one', 'data/mine.txt'), 'mine\n');
  });

  it('is a column of wt list, a line of wt info, and in their JSON', async () => {
    const list = await home.done(repository.root, 'list', '--size');
    assert.match(list, /^ {2}NAME +BASE +STATE +SIZE$/m);
    assert.match(list, /^ {2}one +main +clean +2\.\d MB$/m);
    assert.match(
      await home.done(repository.root, 'info', 'one', '--size'),
      /^size +2\.\d MB, of which git ignores 2\.\d MB$/m,
    );
    const json = await home.wt(repository.root, ['list', '--size', '--json']);
    assertMatches('list', json.json());
    const [, one] = json.json()['worktrees'] as { size: { bytes: number; ignored_bytes: number; whole: boolean } }[];
    assert.ok(one && one.size.bytes > one.size.ignored_bytes && one.size.ignored_bytes > 2_000_000 && one.size.whole);
    const without = await home.wt(repository.root, ['info', 'one', '--json']);
    assertMatches('info', without.json());
    assert.equal(without.json()['size'], null);
    const porcelain = await home.wt(repository.root, ['list', '--size', '--porcelain']);
    assert.deepEqual([porcelain.code, porcelain.stdout], [2, '']);
  });

  it('is shown by wt reclaim before anything is deleted, and what stays is said with why', async () => {
    const shown = await home.wt(repository.root, ['reclaim', '--idle', '0']);
    assert.equal(shown.code, 1, 'nobody is here to be asked');
    assert.match(
      shown.stderr,
      /^one: 2\.\d MB\n {2}dist\/ +2\.\d MB\ntwo stays as it is: it is the active worktree\.$/m,
    );
    assert.match(shown.stderr, /next: run it again with --yes, and names or --all/);
    const lately = await home.wt(repository.root, ['reclaim', '--dry-run']);
    assert.equal(lately.code, 0);
    assert.match(
      lately.stderr,
      /^one stays as it is: it was changed on \d{4}-\d\d-\d\d\. 2\.\d MB of build output is there\.$/m,
    );
    const dry = await home.wt(repository.root, ['reclaim', 'one', '--idle', '0', '--dry-run', '--json']);
    assertMatches('reclaim', dry.json());
    const { worktrees, bytes } = dry.json() as unknown as Json;
    assert.ok(bytes > 2_000_000);
    assert.deepEqual(
      worktrees.map(({ name, state, folders, kept }) => [
        name,
        state,
        folders.map(({ path }) => path),
        kept.map(({ path, why }) => [path, why]),
      ]),
      [['one', 'reclaimable', ['dist/'], [['data/', 'not known to be build output']]]],
    );
    assert.ok(existsSync(at('one', 'dist/app.js')));
  });

  it('is freed by wt reclaim --yes, in the background, for the worktrees that are named', async () => {
    await repository.commit('Configure', { '.worktrees.yml': 'setup: ["npm ci"]\n' });
    const done = await home.wt(repository.root, ['reclaim', 'one', '--idle', '0', '--yes']);
    assert.deepEqual([done.code, done.stdout], [0, '']);
    assert.match(
      done.stderr,
      /Deleting 2\.\d MB of build output in 1 worktree, in the background\.\n`wt setup <name>` makes it again: npm ci\n$/,
    );
    assert.ok(
      !existsSync(at('one', 'dist')) && existsSync(at('one', 'data/mine.txt')) && existsSync(at('two', 'dist')),
    );
    const again = await home.wt(repository.root, ['reclaim', 'one', '--idle', '0', '--yes', '--json']);
    assertMatches('reclaim', again.json());
    assert.equal((again.json() as unknown as Json).worktrees[0]?.state, 'nothing');
  });

  it('is left alone by a command that does not say what it means', async () => {
    for (const args of [['--yes'], ['one', '--all'], ['--idle', 'soon'], ['nowhere']]) {
      const ran = await home.wt(repository.root, ['reclaim', ...args, '--json']);
      assertFailure(ran.json(), args[0] === 'nowhere' ? 'not-found' : 'usage');
    }
    assert.ok(existsSync(at('one', 'dist/app.js')));
  });
});
