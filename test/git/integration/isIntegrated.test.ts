import { textOf } from '../../../src/core/messages/message.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import {
  isIntegrated,
  type Integration,
  type IntegrationQuestion,
  type IntegrationKind,
} from '../../../src/core/integration/isIntegrated.ts';
import { oldGit } from '../../support/oldGit.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { shareOf } from '../../support/share.ts';

const lines = (...changed: [line: number, text: string][]): string => {
  const all = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  for (const [line, text] of changed) all[line - 1] = text;
  return `${all.join('\n')}\n`;
};

describe('whether a branch has landed', () => {
  let home: TestHome;
  let repository: TestRepository;

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.commit('Lines', { 'a.txt': lines() });
    await repository.git('switch', '-q', '-c', 'x');
    await repository.commit('One', { 'a.txt': lines([10, 'mine']) });
    await repository.commit('Two', { 'a.txt': lines([10, 'mine'], [20, 'mine too']), 'b.txt': 'b\n' });
    await repository.git('switch', '-q', 'main');
  });
  afterEach(() => home.dispose());

  const answer = async (question: Partial<IntegrationQuestion> = {}): Promise<Integration> => {
    const { git, repository: found } = await testWorkspace(home, repository.root);
    return isIntegrated(git, found.commonDir, { branch: 'x', into: 'main', ...question });
  };
  const ask = async (branch = 'x', into = 'main'): Promise<IntegrationKind | undefined> => {
    const found = await answer({ branch, into });
    if (found.state !== 'yes') return undefined;
    // What proves it is in the base.
    await repository.git('merge-base', '--is-ancestor', found.commit, into);
    return found.how;
  };
  const squash = async (): Promise<void> => {
    await repository.git('merge', '-q', '--squash', 'x');
    await repository.git('commit', '-q', '-m', 'Squashed (#12)');
  };

  it('not at first', async () => {
    assert.equal(await ask(), undefined);
    await repository.commit('On trunk', { 'a.txt': lines([1, 'theirs']) });
    assert.equal(await ask(), undefined);
  });

  it('by a merge', async () => {
    await repository.git('merge', '-q', '--no-ff', '--no-edit', 'x');
    assert.equal(await ask(), 'ancestor');
  });

  it('by a fast-forward', async () => {
    await repository.git('merge', '-q', '--ff-only', 'x');
    assert.equal(await ask(), 'ancestor');
  });

  it('a branch without commits of its own has nothing that could be lost', async () => {
    await repository.git('branch', 'new');
    assert.equal(await ask('new'), 'ancestor');
  });

  it('by a rebase merge', async () => {
    await repository.commit('On trunk', { 'c.txt': 'c\n' });
    await repository.git('cherry-pick', 'x~1', 'x');
    assert.equal(await ask(), 'patches');
  });

  it('by a rebase merge of only its first commit not', async () => {
    await repository.git('cherry-pick', 'x~1');
    assert.equal(await ask(), undefined);
  });

  it('by a squash merge', async () => {
    await squash();
    assert.equal(await ask(), 'squash');
  });

  it('by a squash merge whose lines trunk has changed since', async () => {
    await squash();
    await repository.commit('Later', { 'a.txt': lines([10, 'changed later'], [20, 'mine too']) });
    assert.equal(await ask(), 'squash');
  });

  for (const [way, merge, reverts] of shareOf(
    [
      ['a squash merge', squash, [['HEAD~1']]],
      ['a rebase merge', () => repository.git('cherry-pick', 'x~1', 'x'), [['HEAD~1'], ['HEAD~3']]],
      ['a merge commit', () => repository.git('merge', '-q', '--no-ff', '--no-edit', 'x'), [['-m', '1', 'HEAD~1']]],
    ] as [string, () => Promise<unknown>, string[][]][],
    2,
  ))
    it(`not by ${way} that trunk has taken back since, but when that is taken back as well`, async () => {
      await repository.commit('On trunk', { 'a.txt': lines([1, 'theirs']), 'c.txt': 'c\n' });
      await merge();
      assert.notEqual(await ask(), undefined);
      await repository.commit('Later', { 'a.txt': lines([1, 'more'], [10, 'mine'], [20, 'mine too']) });
      for (const revert of reverts) await repository.git('revert', '--no-edit', ...revert);
      const found = await answer();
      assert.deepEqual(found.state === 'no' && found.reverted?.files, ['a.txt', 'b.txt']);
      for (const [index] of reverts.entries()) await repository.git('revert', '--no-edit', `HEAD~${2 * index}`);
      assert.notEqual(await ask(), undefined);
    });

  it('not where trunk has deleted a file of it since', async () => {
    await squash();
    await repository.git('rm', '-q', 'b.txt');
    await repository.commit('Without it', {});
    const found = await answer();
    assert.deepEqual(found.state === 'no' && found.reverted?.files, ['b.txt']);
  });

  it('by a squash merge onto changed surroundings', async () => {
    await repository.commit('Around', { 'a.txt': lines([8, 'theirs'], [12, 'theirs']) });
    const mine = lines([8, 'theirs'], [10, 'mine'], [12, 'theirs'], [20, 'mine too']);
    await repository.commit('Squashed', { 'a.txt': mine, 'b.txt': 'b\n' });
    assert.equal(await ask(), 'content');
  });

  it('by a squash merge onto changed surroundings, as git 2.38 tells it', async () => {
    await repository.commit('Around', { 'a.txt': lines([8, 'theirs'], [12, 'theirs']) });
    const mine = lines([8, 'theirs'], [10, 'mine'], [12, 'theirs'], [20, 'mine too']);
    await repository.commit('Squashed', { 'a.txt': mine, 'b.txt': 'b\n' });
    await repository.commit('Later', { 'a.txt': lines([10, 'changed later']) });
    const { environment, repository: found } = await testWorkspace(home, repository.root);
    const git = new Git(environment, { binary: oldGit });
    assert.match(await git.text(['version'], { cwd: repository.root }), /2\.38/);
    const asked = await isIntegrated(git, found.commonDir, { branch: 'x', into: 'main' });
    assert.deepEqual(asked.state === 'yes' && asked.how, 'content');
  });

  it('by a squash merge onto changed surroundings, whose lines trunk has changed since', async () => {
    await repository.commit('Around', { 'a.txt': lines([8, 'theirs'], [12, 'theirs']) });
    const mine = lines([8, 'theirs'], [10, 'mine'], [12, 'theirs'], [20, 'mine too']);
    await repository.commit('Squashed', { 'a.txt': mine, 'b.txt': 'b\n' });
    await repository.commit('Later', { 'a.txt': lines([10, 'changed later']) });
    assert.equal(await ask(), 'content');
  });

  it('not when the branch went on after its squash merge', async () => {
    await squash();
    await repository.git('switch', '-q', 'x');
    await repository.commit('Three', { 'c.txt': 'c\n' });
    assert.equal(await ask(), undefined);
  });

  it('by a squash merge after trunk was merged into the branch', async () => {
    await repository.commit('On trunk', { 'c.txt': 'c\n' });
    await repository.git('switch', '-q', 'x');
    await repository.git('merge', '-q', '--no-edit', 'main');
    await repository.git('switch', '-q', 'main');
    await squash();
    assert.equal(await ask(), 'squash');
  });

  it('after its squash merge was merged back into the branch', async () => {
    await squash();
    await repository.git('switch', '-q', 'x');
    await repository.git('merge', '-q', '--no-edit', 'main');
    await repository.git('switch', '-q', 'main');
    assert.equal(await ask(), 'content');
  });

  it('not when a merge on the branch solved a conflict in a way that is nowhere else', async () => {
    await repository.commit('On trunk', { 'a.txt': lines([10, 'theirs']) });
    await repository.git('switch', '-q', 'x');
    await assert.rejects(repository.git('merge', '-q', 'main'));
    await repository.write('a.txt', lines([10, 'a third way'], [20, 'mine too']));
    await repository.git('commit', '-q', '--all', '-m', 'Merge main');
    await repository.git('switch', '-q', 'main');
    await repository.git('revert', '--no-edit', 'HEAD');
    await repository.git('cherry-pick', 'x^1~1', 'x^1');
    assert.equal(await ask(), undefined);
  });

  it('not when the work undid itself: it is in no other branch', async () => {
    await repository.git('switch', '-q', '-c', 'undone');
    await repository.commit('Add', { 'idea.txt': 'idea\n' });
    await repository.git('revert', '--no-edit', 'HEAD');
    assert.equal(await ask('undone'), undefined);
  });

  it('not into an unrelated history', async () => {
    await repository.git('switch', '-q', '--orphan', 'pages');
    await repository.commit('Pages', { 'index.html': '' });
    assert.equal(await ask('x', 'pages'), undefined);
  });

  it('into a branch of the remote', async () => {
    await squash();
    await repository.git('clone', '-q', '--bare', repository.root, join(home.root, 'origin.git'));
    await repository.git('remote', 'add', 'origin', join(home.root, 'origin.git'));
    await repository.git('fetch', '-q');
    assert.equal(await ask('x', 'origin/main'), 'squash');
  });

  it('by what another commit brought in that has all of it, only when that commit is named and here', async () => {
    await repository.git('switch', '-q', '-c', 'reviewed', 'x');
    await repository.commit('Suggestion', { 'a.txt': lines([10, 'better'], [20, 'mine too']) });
    const head = await repository.git('rev-parse', 'HEAD');
    await repository.git('switch', '-q', 'main');
    await repository.git('merge', '-q', '--squash', 'reviewed');
    await repository.git('commit', '-q', '-m', 'Squashed (#12)');
    assert.equal(await ask(), undefined);
    assert.equal((await answer({ hints: { heads: ['1'.repeat(40)], commits: ['2'.repeat(40)] } })).state, 'no');
    assert.equal((await answer({ hints: { heads: [await repository.git('rev-parse', 'main')] } })).state, 'no');
    assert.equal((await answer({ hints: { heads: [head] } })).state, 'yes');
  });

  it('by a merge that decided where both had changed the same lines, only when that commit is named', async () => {
    await repository.commit('On trunk', { 'a.txt': lines([10, 'theirs'], [1, 'theirs']) });
    const trunk = lines([10, 'ours and theirs'], [20, 'mine too'], [1, 'theirs']);
    const merge = await repository.commit('x, solved (#12)', { 'a.txt': trunk, 'b.txt': 'b\n' });
    assert.equal((await answer()).state, 'no');
    const hints = { commits: ['0'.repeat(40), merge] };
    const found = await answer({ hints });
    assert.deepEqual([found.state, found.state === 'yes' && [found.how, found.commit]], ['yes', ['content', merge]]);
    // What another commit decided, nobody vouches for.
    await repository.commit('Later', { 'c.txt': 'c\n' });
    assert.equal((await answer({ hints: { commits: [await repository.git('rev-parse', 'main')] } })).state, 'no');
    assert.equal((await answer({ hints })).state, 'yes');
    await repository.git('revert', '--no-edit', merge);
    assert.equal((await answer({ hints })).state, 'no');
  });

  for (const [what, files] of shareOf(
    [
      ['left out a file', { 'a.txt': lines([10, 'both'], [20, 'mine too']) }],
      ['left out other lines of such a file', { 'a.txt': lines([10, 'both']), 'b.txt': 'b\n' }],
      ['left such a file as it was', { 'b.txt': 'b\n' }],
    ] as const,
    2,
  ))
    it(`not by a merge that ${what}, though it is named`, async () => {
      await repository.commit('On trunk', { 'a.txt': lines([10, 'theirs']) });
      const merge = await repository.commit('x, solved (#12)', files);
      assert.equal((await answer({ hints: { commits: [merge] } })).state, 'no');
    });

  it('cannot be told where the history is cut off before the two meet', async () => {
    await repository.commit('On trunk', { 'c.txt': 'c\n' });
    const shallow = join(home.root, 'shallow');
    const from = `file://${repository.root}`;
    await repository.git('clone', '-q', '--depth=1', '--no-single-branch', from, shallow);
    const { git, repository: found } = await testWorkspace(home, shallow);
    const asked = await isIntegrated(git, found.commonDir, { branch: 'origin/x', into: 'origin/main' });
    assert.equal(asked.state, 'unknown');
    assert.match(asked.state === 'unknown' ? textOf(asked.why) : '', /shallow clone/);
  });

  it('a branch is meant, where a tag is called the same', async () => {
    await repository.git('tag', 'x', 'main');
    assert.equal(await ask(), undefined);
  });

  it('whatever the user has configured for diffs and merges', async () => {
    await squash();
    await repository.commit('Later', { 'a.txt': lines([10, 'changed later']) });
    const config: [string, string][] = [
      ['diff.external', 'false'],
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.renames', 'copies'],
      ['diff.algorithm', 'patience'],
      ['diff.context', '0'],
      ['diff.interHunkContext', '20'],
      ['diff.orderFile', '/nowhere'],
      ['diff.suppressBlankEmpty', 'true'],
      ['diff.colorMoved', 'zebra'],
      ['color.ui', 'always'],
      ['core.attributesFile', join(home.root, 'attributes')],
      ['diff.upper.textconv', 'false'],
      ['log.showSignature', 'true'],
      ['commit.gpgSign', 'true'],
    ];
    await repository.write(join(home.root, 'attributes'), '*.txt diff=upper\n');
    for (const [key, value] of config) await repository.git('config', key, value);
    assert.equal(await ask(), 'squash');
  });

  it('a merge driver that keeps one side does not make work landed', async () => {
    await repository.commit('On trunk', { 'a.txt': lines([10, 'theirs']), 'b.txt': 'b\n' });
    await repository.write('.git/info/attributes', '*.txt merge=keep\n');
    await repository.git('config', 'merge.keep.driver', 'true');
    assert.equal(await ask(), undefined);
  });

  it('without a name and address of the user', async () => {
    await squash();
    await repository.git('config', '--global', '--remove-section', 'user');
    await repository.git('config', '--global', 'user.useConfigOnly', 'true');
    assert.equal(await ask(), 'squash');
  });

  it('files with odd names and renamed files count as well', async () => {
    await repository.git('switch', '-q', '-c', 'odd');
    await repository.git('mv', 'a.txt', 'a [b] "c".txt');
    await repository.commit('Odd', { 'line\nbreak.txt': 'x\n', ':(top)x': 'x\n' });
    await repository.git('switch', '-q', 'main');
    assert.equal(await ask('odd'), undefined);
    await repository.git('merge', '-q', '--squash', 'odd');
    await repository.commit('Squashed, and more', { 'more.txt': 'more\n' });
    assert.equal(await ask('odd'), 'content');
  });

  it('asking changes no ref and no working tree', async () => {
    await squash();
    const before = [await repository.git('for-each-ref'), await repository.git('status', '--porcelain')];
    await ask();
    assert.deepEqual([await repository.git('for-each-ref'), await repository.git('status', '--porcelain')], before);
  });

  it('a branch that does not exist is named', async () => {
    await assert.rejects(
      ask('nothing-here'),
      (thrown) => Problem.is(thrown, 'not-found') && /nothing-here/.test(thrown.message),
    );
  });
});
