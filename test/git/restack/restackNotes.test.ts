import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { predict } from '../../../src/core/restack/predict.ts';
import { readStack } from '../../../src/core/stack/readStack.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { Stacks } from '../../support/stacks.ts';
import { isThorough } from '../../support/share.ts';

const names = Array.from({ length: 20 }, (_, index) => `Task ${String.fromCharCode(65 + index)}`);
const session = (...tasks: string[]): string =>
  `# Session\n\n## Pending Tasks\n\n${tasks.map((t) => `- [ ] **${t}** — do ${t}\n`).join('')}`;
const file = 'agents/session.md';

describe('notes in a rebase', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Notes', { [file]: session(...names), 'code.txt': '1\n2\n3\n' });
  });
  afterEach(() => at.dispose());

  const makeFor = async (task: string, base?: string): Promise<string> =>
    (await createWorktree(at.workspace, { task, createdBy: 'test', ...(base === undefined ? {} : { base }) })).name;
  const notesOf = (name: string): Promise<string> => readFile(join(at.path(name), file), 'utf8');
  const predicted = async (): Promise<string[]> => {
    const snapshot = await readSnapshot(at.workspace);
    const { conflicts } = await predict(at.workspace, await readStack(at.workspace, { snapshot }));
    return conflicts.map(({ worktree, with: other, files }) => `${worktree} ${other}: ${files.join()}`);
  };
  const focusedOn = (...tasks: string[]): string =>
    `# Session: Worktree — ${tasks[0]}\n\n## Pending Tasks\n\n${tasks.map((t) => `- [ ] **${t}** — do ${t}\n`).join('')}`;

  const some = names.slice(0, isThorough ? 20 : 7);
  it(`${some.length} worktrees of a task each over a base that has moved: no stop, no false alarm`, async () => {
    const made: string[] = [];
    for (const task of some) made.push(await makeFor(task));
    await at.repository.git('commit', '-qam', 'Tasks handed out');
    assert.deepEqual(await predicted(), []);
    for (const name of made) {
      const { stop, branches } = await at.rebase(name);
      assert.deepEqual([stop, branches.map(({ outcome }) => outcome)], [undefined, ['moves']]);
    }
    for (const [index, name] of made.entries()) assert.equal(await notesOf(name), focusedOn(names[index] ?? ''));
    const [, handed = ''] = (await readFile(join(at.repository.root, file), 'utf8')).split('## Worktree Tasks\n\n');
    assert.equal(handed.match(/^- \[ \] \*\*Task /gm)?.length, some.length);
  });

  it('entries that the worktree added since follow, over several commits and a stack of two', async () => {
    const parent = await makeFor('Task A');
    const child = await makeFor('Task B', parent);
    await at.commit(parent, 'More', { [file]: focusedOn('Task A', 'Found here') });
    await at.commit(child, 'More', { [file]: focusedOn('Task B', 'Also this'), 'child.txt': 'c\n' });
    await at.repository.git('commit', '-qam', 'Tasks handed out');
    const { stop } = await at.rebase(parent, { wholeStack: true });
    assert.equal(stop, undefined);
    assert.equal(await notesOf(parent), focusedOn('Task A', 'Found here'));
    assert.equal(await notesOf(child), focusedOn('Task B', 'Also this'));
  });

  it('a base that has finished the task, or dropped it', async () => {
    const [done, gone] = [await makeFor('Task A'), await makeFor('Task B')];
    const rest = names
      .slice(2)
      .map((t) => `- [ ] **${t}** — do ${t}\n`)
      .join('');
    await at.commit('main', 'Done', {
      [file]: `# Session\n\n## Pending Tasks\n\n- [x] **Task A** — do Task A\n${rest}`,
    });
    await at.rebase(done);
    await at.rebase(gone);
    assert.equal(await notesOf(done), focusedOn('Task A').replace('[ ]', '[x]'));
    assert.doesNotMatch(await notesOf(gone), /Task B\*\*/);
  });

  it('clean merges of git that would lose or duplicate entries are done by entries too', async () => {
    await at.add('x', 'main', { [file]: session(...names, 'From x') });
    await at.commit('main', 'New', { [file]: session('First of all', ...names) });
    await at.rebase('x');
    assert.equal(await notesOf('x'), session(...names, 'From x', 'First of all'));
  });

  it('a conflict in the code stops, with the notes resolved and staged', async () => {
    const name = await makeFor('Task A');
    await at.commit(name, 'Code', { 'code.txt': '1\nmine\n3\n', [file]: focusedOn('Task A', 'Found here') });
    await at.repository.git('commit', '-qam', 'Tasks handed out');
    await at.commit('main', 'Code', { 'code.txt': '1\ntheirs\n3\n' });
    assert.deepEqual(await predicted(), [`${name} main: code.txt`]);
    const { stop } = await at.rebase(name);
    assert.deepEqual(stop?.files, ['code.txt']);
    await at.repository.write(join(at.path(name), 'code.txt'), '1\nboth\n3\n');
    await at.git(name, 'add', 'code.txt');
    assert.equal((await at.resume(name)).stop, undefined);
    assert.equal(await notesOf(name), focusedOn('Task A', 'Found here'));
    assert.equal(await at.git(name, 'status', '--short'), '');
  });

  it('a conflict in the code stops, with what git merged by lines done by entries', async () => {
    await at.add('x', 'main', { [file]: session(...names, 'From x'), 'code.txt': '1\nmine\n3\n' });
    await at.commit('main', 'New', { [file]: session('First of all', ...names), 'code.txt': '1\ntheirs\n3\n' });
    assert.deepEqual((await at.rebase('x')).stop?.files, ['code.txt']);
    assert.equal(await notesOf('x'), session(...names, 'From x', 'First of all'));
    assert.equal(await at.git('x', 'status', '--short'), `M  ${file}\nUU code.txt`);
    await at.repository.write(join(at.path('x'), file), session(...names, 'By hand'));
    await at.git('x', 'checkout', '--theirs', 'code.txt');
    await at.git('x', 'add', '.');
    assert.equal((await at.resume('x')).stop, undefined);
    assert.equal(await notesOf('x'), session(...names, 'By hand'));
  });

  for (const others of [undefined, '*.md -text\n'])
    it(`commits after a stop are done by entries too${others === undefined ? '' : ', beside attributes of the person'}`, async () => {
      if (others !== undefined) {
        await at.repository.write(join(at.home.root, 'attributes'), others);
        await at.repository.git('config', 'core.attributesFile', join(at.home.root, 'attributes'));
      }
      await at.add('x', 'main', { 'code.txt': '1\nmine\n3\n' });
      await at.commit('x', 'Found', { [file]: session(...names, 'From x'), 'x.txt': 'x\n' });
      await at.commit('x', 'Found more', { [file]: session(...names, 'From x', 'More from x') });
      await at.commit('main', 'New', { [file]: session('First of all', ...names), 'code.txt': '1\ntheirs\n3\n' });
      assert.deepEqual((await at.rebase('x')).stop?.files, ['code.txt']);
      await at.git('x', 'checkout', '--theirs', 'code.txt');
      await at.git('x', 'add', '.');
      assert.equal((await at.resume('x')).stop, undefined);
      assert.equal(await notesOf('x'), session(...names, 'From x', 'More from x', 'First of all'));
      assert.equal(await at.git('x', 'log', '-3', '--format=%s'), 'Found more\nFound\nx 1');
      assert.equal(await at.git('x', 'status', '--short'), '');
    });

  it('a commit after a stop whose notes have no known shape is merged by lines where git can, and stops where it cannot', async () => {
    const odd = (...lines: string[]): string => `# Notes\n\n${lines.map((line) => `${line}\n\n`).join('')}\`\`\`\n`;
    await at.commit('main', 'Odd', { [file]: odd('a', 'b', 'c', 'd') });
    await at.add('x', 'main', { 'code.txt': '1\nmine\n3\n' });
    await at.commit('x', 'Last', { [file]: odd('a', 'b', 'c', 'mine') });
    await at.commit('x', 'First', { [file]: odd('mine', 'b', 'c', 'mine') });
    await at.commit('main', 'New', { [file]: odd('theirs', 'b', 'c', 'd'), 'code.txt': '1\ntheirs\n3\n' });
    assert.deepEqual((await at.rebase('x')).stop?.files, ['code.txt']);
    await at.git('x', 'checkout', '--theirs', 'code.txt');
    await at.git('x', 'add', '.');
    assert.deepEqual((await at.resume('x')).stop?.files, [file]);
    assert.equal(await at.git('x', 'show', `HEAD:${file}`), odd('theirs', 'b', 'c', 'mine').trimEnd());
    assert.match(await notesOf('x'), /^<{7} .*\nmine|theirs/m);
  });

  it('merges among the commits: git itself rebases, and goes on where only notes conflict', async () => {
    const name = await makeFor('Task A');
    await at.repository.git('branch', 'side', 'main');
    await at.git(name, 'merge', '-q', '--no-ff', '-m', 'Side', await sideCommit());
    await at.repository.git('commit', '-qam', 'Tasks handed out');
    const { stop } = await at.rebase(name);
    assert.equal(stop, undefined);
    assert.equal(await notesOf(name), focusedOn('Task A'));
    assert.equal(await at.git(name, 'log', '-1', '--format=%s'), 'Side');
  });

  it('notes of an unknown shape stop for a person', async () => {
    const name = await makeFor('Task A');
    await at.commit('main', 'Broken', { [file]: `${session('Task A')}\`\`\`\nnever closed\n` });
    assert.deepEqual(await predicted(), [`${name} main: ${file}`]);
    assert.deepEqual((await at.rebase(name)).stop?.files, [file]);
  });

  describe('what is no task', () => {
    const [waits, gateway] = ['- Task B waits for a review', '- The gateway is down'];
    const blockers = (...lines: string[]): string => `\n## Blockers\n\n${lines.map((line) => `${line}\n`).join('')}`;
    const whole = (...lines: string[]): string => session(...names) + blockers(...lines);
    beforeEach(() => at.commit('main', 'Blockers', { [file]: whole(gateway, waits) }));

    it('follows the worktree, over a base that was pulled meanwhile, in a stack of two, to another base and back', async () => {
      const origin = join(at.home.root, 'origin.git');
      await at.repository.git('clone', '-q', '--bare', '.', origin);
      await at.repository.git('remote', 'add', 'origin', origin);
      const parent = await makeFor('Task A');
      const child = await makeFor('Task C', parent);
      const own = focusedOn('Task A') + blockers(gateway, '- Mails bounce');
      await at.commit(parent, 'Found', { [file]: own });
      await at.repository.git('commit', '-qam', 'Tasks handed out');
      // Somebody else has pushed.
      const other = join(at.home.root, 'other');
      await at.repository.gitIn(at.home.root, 'clone', '-q', origin, other);
      await at.repository.commit('Theirs', { [file]: whole(`${gateway} until Monday`, waits) }, other);
      await at.repository.gitIn(other, 'push', '-q');
      await at.repository.git('pull', '-q', '--no-rebase', 'origin', 'main');
      assert.deepEqual(await predicted(), []);
      const before = await at.tip(parent);
      const { stop } = await at.rebase(parent, { wholeStack: true });
      assert.equal(stop, undefined);
      const now = own.replace(gateway, `${gateway} until Monday`);
      assert.equal(await notesOf(parent), now);
      assert.equal(await notesOf(child), focusedOn('Task C') + blockers(`${gateway} until Monday`));
      assert.notEqual(await at.tip(parent), before);
      await at.add('next', 'main', { 'next.txt': 'n\n' });
      assert.equal((await at.rebase(parent, { onto: 'next' })).stop, undefined);
      assert.equal(await notesOf(parent), now);
      assert.match(await readFile(join(at.repository.root, file), 'utf8'), /- \[ \] \*\*Task T\*\*/);
    });

    for (const driver of [false, true]) {
      it(`that both changed stops for a person, as predicted, ${driver ? 'with' : 'without'} the merge driver`, async () => {
        if (driver) {
          // Of this driver git believes that it has merged all there is.
          await at.repository.git('config', 'merge.wt-session.driver', 'true');
          await at.repository.write('.git/info/attributes', `/${file} merge=wt-session\n`);
        }
        const name = await makeFor('Task A');
        const fine = await makeFor('Task D');
        await at.commit(name, 'Mine', { [file]: focusedOn('Task A') + blockers(`${gateway} until Monday`) });
        await at.commit('main', 'Theirs', { [file]: whole(`${gateway}, ask Ann`, waits) });
        assert.deepEqual(await predicted(), [`${name} main: ${file}`]);
        assert.equal((await at.rebase(fine)).stop, undefined);
        const { branches } = await at.plan(name);
        assert.deepEqual(
          branches.map(({ outcome, files }) => [outcome, files]),
          [['conflict', [file]]],
        );
        if (driver) return;
        for (const [step, left] of [
          ['continue', `${gateway} until Monday, ask Ann`],
          ['skip', `${gateway}, ask Ann`],
        ] as const) {
          const before = await at.tip(name);
          assert.deepEqual((await at.rebase(name)).stop?.files, [file]);
          if (step === 'continue') {
            await at.abort(name);
            assert.equal(await at.tip(name), before);
            assert.deepEqual((await at.rebase(name)).stop?.files, [file]);
            await at.repository.write(join(at.path(name), file), focusedOn('Task A') + blockers(left));
            await at.git(name, 'add', file);
          }
          assert.equal((await at.resume(name, step)).stop, undefined);
          assert.equal(await notesOf(name), focusedOn('Task A') + blockers(left));
          if (step === 'continue') await at.git(name, 'reset', '-q', '--hard', before);
        }
      });
    }
  });

  async function sideCommit(): Promise<string> {
    await at.repository.git('worktree', 'add', '-q', '.worktrees/side', 'side');
    return at.repository.commit('On the side', { 'side.txt': 's\n' }, at.path('side'));
  }
});
