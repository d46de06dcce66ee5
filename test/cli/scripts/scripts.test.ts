import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

describe('commands for scripts', () => {
  let home: WtHome;
  let repository: TestRepository;
  let count: number;
  repositoryForEach((at) => ({ home, repository, count } = at));

  describe('wt clean-tree', () => {
    it('is silent and exits 0 when all is committed', async () => {
      const ran = await home.wt(repository.root, ['clean-tree']);
      assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
      const json = await home.wt(repository.root, ['clean-tree', '--json']);
      assertMatches('clean-tree', json.json());
      assert.deepEqual(json.json(), { success: true, clean: true, dirty: [] });
    });

    it('prints what is not, and exits 1', async () => {
      await repository.write('README.md', 'changed\n');
      await repository.write('new', 'x\n');
      const ran = await home.wt(repository.root, ['clean-tree']);
      assert.deepEqual([ran.code, ran.stdout], [1, ' M README.md\n?? new\n']);
      const json = await home.wt(repository.root, ['clean-tree', '--json']);
      assert.equal(json.code, 1);
      assertMatches('clean-tree', json.json());
    });

    it('does not count the session files', async () => {
      for (const file of ['session', 'jobs', 'learnings']) await repository.write(`agents/${file}.md`, 'x\n');
      const ran = await home.wt(repository.root, ['clean-tree']);
      assert.deepEqual([ran.code, ran.stdout], [0, '']);
    });

    it('names changes that git is told to overlook, and calls the tree clean', async () => {
      for (const mark of ['assume-unchanged', 'skip-worktree']) {
        await repository.git('update-index', `--${mark}`, 'README.md');
        await repository.write('README.md', `my own, ${mark}\n`);
        const ran = await home.wt(repository.root, ['clean-tree']);
        assert.deepEqual([ran.code, ran.stdout], [0, '']);
        assert.match(ran.stderr, new RegExp(`overlook the changes in README\\.md \\(${mark}\\)`));
        const json = await home.wt(repository.root, ['clean-tree', '--json']);
        assertMatches('clean-tree', json.json());
        assert.deepEqual(json.json(), { success: true, clean: true, dirty: [], hidden: [`README.md (${mark})`] });
        const refused = await home.wt(repository.root, ['add-commit', 'README.md'], { input: 'Mine\n' });
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, new RegExp(`git update-index --no-${mark} README\\.md`));
        await repository.git('update-index', `--no-${mark}`, 'README.md');
      }
    });

    it('counts what is not committed in a submodule', async () => {
      const library = await home.repository(`library-${count}`);
      await repository.git('submodule', '--quiet', 'add', library.root, 'lib');
      await repository.git('commit', '--quiet', '-m', 'Add lib');
      assert.equal((await home.wt(repository.root, ['clean-tree'])).code, 0);
      await repository.write('lib/README.md', 'changed\n');
      const ran = await home.wt(repository.root, ['clean-tree']);
      assert.equal(ran.code, 1);
      assert.match(ran.stdout, /lib/);
    });
  });

  describe('wt add-commit', () => {
    it('stages files, commits them with the message from standard input, and prints the commit', async () => {
      await repository.write('a b', 'x\n');
      await repository.write('left', 'x\n');
      const ran = await home.wt(repository.root, ['add-commit', 'a b'], { input: 'Add a b\n\nBecause.\n' });
      assert.equal(ran.code, 0, ran.stderr);
      assert.equal(ran.stdout, `${await repository.git('rev-parse', 'HEAD')}\n`);
      assert.equal(await repository.git('log', '-1', '--format=%B'), 'Add a b\n\nBecause.');
      assert.equal(await repository.git('status', '--porcelain'), '?? left');
    });

    it('prints nothing and exits 0 when there is nothing to commit', async () => {
      const ran = await home.wt(repository.root, ['add-commit', 'README.md'], { input: 'Again\n' });
      assert.deepEqual([ran.code, ran.stdout], [0, '']);
      const json = await home.wt(repository.root, ['add-commit', 'README.md', '--json'], { input: 'Again\n' });
      assertMatches('add-commit', json.json());
      assert.equal(json.json()['commit'], null);
    });

    it('takes files that look like options behind --', async () => {
      await repository.write('-x', 'x\n');
      const ran = await home.wt(repository.root, ['add-commit', '--', '-x'], { input: 'Add -x\n' });
      assert.equal(ran.code, 0, ran.stderr);
    });

    for (const [what, args, input] of [
      ['a file that does not exist', ['nowhere'], 'x\n'],
      ['an empty message', ['changed'], '  \n'],
      ['a file outside of the worktree', ['../x'], 'x\n'],
    ] as const) {
      it(`exits 1 at ${what}, and commits nothing`, async () => {
        await repository.write('changed', 'x\n');
        const before = await repository.git('rev-parse', 'HEAD');
        const ran = await home.wt(repository.root, ['add-commit', ...args], { input });
        assert.deepEqual([ran.code, ran.stdout], [1, '']);
        assert.match(ran.stderr, /^wt: /);
        assert.equal(await repository.git('rev-parse', 'HEAD'), before);
      });
    }

    it('gives the words of a hook that refuses', async () => {
      await repository.write('.git/hooks/pre-commit', '#!/bin/sh\necho "no tabs, please" >&2\nexit 1\n');
      await chmod(join(repository.root, '.git/hooks/pre-commit'), 0o755);
      await repository.write('a', 'x\n');
      const ran = await home.wt(repository.root, ['add-commit', 'a', '--json'], { input: 'Add a\n' });
      assert.equal(ran.code, 1);
      assertFailure(ran.json(), 'git-failed');
      assert.match(ran.stderr, /no tabs, please/);
    });
  });

  describe('wt check-ignore', () => {
    it('says what to do, exits 1, and with --fix does it without making the tree dirty', async () => {
      const ran = await home.wt(repository.root, ['check-ignore', '--json']);
      assert.equal(ran.code, 1);
      assertFailure(ran.json(), 'not-ignored');
      assert.match(ran.stderr, /wt check-ignore --fix/);
      const fixed = await home.wt(repository.root, ['check-ignore', '--fix', '--json']);
      assertMatches('check-ignore', fixed.json());
      assert.equal(fixed.json()['file'], join(repository.root, '.git/info/exclude'));
      const checked = await home.wt(repository.root, ['check-ignore']);
      assert.deepEqual([checked.code, checked.stdout], [0, '']);
      assert.equal(await repository.git('status', '--porcelain'), '');
    });

    it('names the rule that takes a file back in', async () => {
      await repository.write('.gitignore', '!.claude/agents/wt-*.md\n');
      const ran = await home.wt(repository.root, ['check-ignore', '--fix']);
      assert.equal(ran.code, 1);
      assert.match(ran.stderr, /\.gitignore:1: !\.claude\/agents\/wt-\*\.md/);
      assert.equal(await readFile(join(repository.root, '.gitignore'), 'utf8'), '!.claude/agents/wt-*.md\n');
    });
  });
});
