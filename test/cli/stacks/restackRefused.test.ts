import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { wtHome, type WtHome } from '../support/wt.ts';

describe('a rebase that cannot be carried out, or not all of it', () => {
  let home: WtHome;
  let repository: TestRepository;
  const at = (name: string): string => join(repository.root, '.worktrees', name);

  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository();
  });
  afterEach(() => home.dispose());

  async function worktree(name: string): Promise<void> {
    await home.done(repository.root, 'create', name, '--base', 'main');
    await repository.commit(name, { [`${name}.txt`]: 'x\n' }, at(name));
  }

  it('ends with 1 and one sentence for an index that is locked', async () => {
    await worktree('x');
    await repository.commit('News', { 'news.txt': 'news\n' });
    const lock = join(repository.root, '.git/worktrees/x/index.lock');
    await writeFile(lock, '');
    const ran = await home.wt(repository.root, ['rebase', 'x', '--offline']);
    assert.deepEqual([ran.code, ran.stdout], [1, '']);
    const [first = '', next = '', ...rest] = ran.stderr.trimEnd().split('\n');
    assert.match(
      first,
      /^wt: x was not rebased, and nothing was moved: its index is locked by .*index\.lock \(\d+ seconds? old/,
    );
    assert.match(
      next,
      /^next: if no git command is running in .*, remove it with `rm .*index\.lock`, then run the same again$/,
    );
    assert.deepEqual(rest, []);
    const json = await home.wt(repository.root, ['rebase', 'x', '--offline', '--json']);
    assert.equal(json.code, 1);
    assertFailure(json.json(), 'locked-by-another');
  });

  it('ends with 1, names file and cause, and says nothing of success for a file that git cannot write', async () => {
    for (const name of ['clean', 'smudge']) await repository.git('config', `filter.x.${name}`, 'cat');
    await repository.git('config', 'filter.x.required', 'true');
    await repository.commit('Data', { '.gitattributes': '*.bin filter=x\n', 'data.bin': 'v1\n' });
    await worktree('x');
    await repository.commit('News', { 'data.bin': 'v2\n' });
    await repository.git('config', 'filter.x.smudge', 'no-such-program');
    for (const args of [
      ['rebase', 'x', '--offline'],
      ['rebase', '--stack', 'x', '--offline'],
    ]) {
      const ran = await home.wt(repository.root, args);
      assert.deepEqual([ran.code, ran.stdout], [1, ''], ran.stderr);
      assert.match(
        ran.stderr,
        /^wt: .*x could not follow x: git could not write data\.bin \(.*filter.*\)\. Nothing was moved\.$/m,
      );
      assert.match(ran.stderr, /^next: see that the program of this filter is installed/m);
      assert.equal(await readFile(join(at('x'), 'data.bin'), 'utf8'), 'v1\n');
      assert.equal(await repository.gitIn(at('x'), 'status', '--porcelain'), '');
    }
  });

  it('names a submodule that could not follow, with the command that helps', async () => {
    const lib = join(home.root, 'lib');
    await repository.write(join(lib, 'f'), '1\n');
    await repository.gitIn(lib, 'init', '--quiet');
    await repository.commit('One', {}, lib);
    await repository.git('submodule', '--quiet', 'add', lib, 'lib');
    await repository.commit('Submodule', {});
    await worktree('x');
    await repository.commit('Two', { f: '2\n' }, join(repository.root, 'lib'));
    await repository.commit('Bump', {});
    await repository.write(join(at('x'), 'lib/f'), 'mine\n');
    const ran = await home.wt(repository.root, ['rebase', 'x', '--offline', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches('rebase', ran.json());
    const [note = ''] = ran.json()['notes'] as string[];
    const command =
      /because it has uncommitted changes; `(git -C .* submodule update --init -- lib)` brings it to/.exec(note)?.[1];
    assert.ok(command, note);
    assert.equal(await readFile(join(at('x'), 'lib/f'), 'utf8'), 'mine\n');
    await repository.gitIn(join(at('x'), 'lib'), 'restore', 'f');
    await repository.git(...command.split(' ').slice(1));
    assert.equal(await repository.gitIn(at('x'), 'status', '--porcelain'), '');
  });
});
