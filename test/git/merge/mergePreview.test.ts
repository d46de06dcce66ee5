import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { previewMerge, type MergePreview } from '../../../src/core/merge/preview.ts';
import { previewHeadline, previewRows } from '../../../src/core/merge/previewMessages.ts';
import { addSubmodules, commitInSubmodule, lines } from '../../support/mergeSubmodules.ts';
import { Merges } from '../../support/merges.ts';

const session = 'agents/session.md';
const tasks = (...all: string[]): string => `# S\n\n## Pending Tasks\n\n${all.map((each) => `${each}\n`).join('')}`;

describe('a preview of a merge', () => {
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
  });
  afterEach(() => merges.dispose());

  /** Everything that a preview could have touched. */
  const traces = async (): Promise<string> =>
    [
      await merges.git('.', 'status', '--porcelain', '--ignore-submodules=none'),
      await merges.git('.', 'for-each-ref', '--format=%(refname) %(objectname)'),
      await merges.git('.', 'ls-files', '--stage'),
    ].join('\n');

  async function preview(name = 'x'): Promise<MergePreview> {
    const before = await traces();
    const found = await previewMerge(merges.at.workspace, { source: await merges.source(name), into: merges.root });
    assert.equal(await traces(), before);
    return found;
  }
  const told = (found: MergePreview): string[] => [
    textOf(previewHeadline(found)),
    ...previewRows(found).map(({ label, detail }) => `${textOf(label)}${detail ? ` (${textOf(detail)})` : ''}`),
  ];
  /** What the merge itself names, without what happened to it. */
  const conflictsOf = async (): Promise<string[]> =>
    (await merges.refusal('x')).items.map((item) => item.replace(/ \([^(]*\)$/, ''));

  it('names the conflicts that the merge stops with, of each kind, and goes on with those that are left', async () => {
    await merges.commit('', {
      'a.txt': lines('2'),
      'gone.txt': 'gone\n',
      'kept.txt': 'kept\n',
      'same.txt': lines('2'),
    });
    await merges.at.create('x');
    await rm(join(merges.at.path('x'), 'kept.txt'));
    const theirs = { 'a.txt': lines('x'), 'gone.txt': 'changed\n', 'new.txt': 'x\n', 'same.txt': lines('2', 'x') };
    await merges.commit('x', theirs, 'Change all');
    await rm(join(merges.root, 'gone.txt'));
    const ours = { 'a.txt': lines('main'), 'kept.txt': 'changed\n', 'new.txt': 'main\n', 'same.txt': lines('main') };
    await merges.commit('', ours);
    const found = await preview();
    assert.deepEqual(told(found), [
      'Merging x into main: 4 conflicts',
      'Merges 1 commit into main. (4 files: Change all)',
      'Will conflict: a.txt (changed in main and x)',
      'Will conflict: gone.txt (removed in main, changed in x)',
      'Will conflict: kept.txt (removed in x, changed in main)',
      'Will conflict: new.txt (added in main and x)',
    ]);
    assert.deepEqual(
      await conflictsOf(),
      found.conflicts.map(({ path }) => path),
    );
    await merges.git('.', 'checkout', '-q', '--ours', 'a.txt', 'new.txt');
    await merges.git('.', 'add', 'a.txt', 'new.txt');
    const left = await preview();
    assert.equal(left.state, 'underWay');
    assert.deepEqual(told(left).slice(0, 3), [
      'Merging x into main: 2 conflicts',
      'Merging 1 commit into main. (Change all)',
      'In conflict: gone.txt (removed in main, changed in x)',
    ]);
    await merges.git('.', 'rm', '-q', 'gone.txt');
    await merges.git('.', 'add', 'kept.txt');
    await merges.merge('x');
    assert.deepEqual(told(await preview()), [
      'Merging x into main: nothing to merge',
      'Merging x into main: nothing to merge',
    ]);
  });

  it('knows the rules for session files: what git alone would stop at is no conflict, and each entry to review has its reason', async () => {
    await merges.commit('', { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b', '- [ ] **C** — c') });
    await merges.at.create('x');
    const theirs = `${tasks('- [x] **A** — a', '- [ ] **B** — by x')}\n## Next Steps\n\n- ask\n`;
    await merges.commit('x', { [session]: theirs });
    await merges.commit('', { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — by main', '- [ ] **C** — changed') });
    await merges.approve('just precommit');
    await merges.at.repository.write('justfile', 'precommit:\n  true\n');
    await merges.git('.', 'add', 'justfile');
    await merges.git('.', 'commit', '-qm', 'Checks');
    const found = await preview();
    assert.deepEqual(told(found), [
      'Merging x into main: no conflicts',
      'Merges 1 commit into main. (1 file: Change in x)',
      'agents/session.md: 2 entries to review (B (changed in main and x), C (removed in x, changed in main, kept))',
      'Then the checks run: just precommit',
    ]);
    const merged = await merges
      .merge('x', { approve: false, approveChecks: () => Promise.resolve(false) })
      .catch((thrown: unknown) => thrown);
    // The checks need a program that may not be here; the merge itself is made.
    if (!Problem.is(merged)) assert.deepEqual((merged as { sessionFiles: unknown }).sessionFiles, found.sessionFiles);
    assert.equal(await merges.git('.', 'log', '-1', '--format=%s'), '🔀 Merge wt/x');
  });

  it('merges submodules in memory too, where their commits are here', async () => {
    await addSubmodules(merges);
    await merges.at.create('x');
    const first = 'libs/first one';
    await commitInSubmodule(merges, merges.at.path('x'), [first], { 'first.txt': lines('theirs') });
    await commitInSubmodule(merges, merges.at.path('x'), ['agent-core', 'nested'], { 'new.txt': 'n\n' });
    await commitInSubmodule(merges, merges.root, [first], { 'first.txt': lines('ours') });
    const found = await preview();
    assert.deepEqual(
      found.submodules.map(({ path, fate, conflicts }) => [path, fate, ...conflicts]),
      [
        ['agent-core', 'forwarded'],
        [first, 'merged', 'first.txt'],
      ],
    );
    assert.deepEqual(told(found), [
      'Merging x into main: 1 conflict',
      'Merges 2 commits into main. (Record agent-core, Record libs/first one)',
      'Submodule agent-core: moved on first',
      `Submodule ${first}: will conflict: first.txt`,
    ]);
    assert.deepEqual(await conflictsOf(), [`${first}/first.txt`]);
  });

  it('says what stands in the way, with the words of the merge, and refuses what the merge refuses', async () => {
    await merges.commit('', { 'a.txt': 'a\n' });
    await merges.at.create('x');
    await merges.commit('x', { 'a.txt': 'x\n', 'b.txt': 'b\n' });
    await merges.at.repository.write('a.txt', 'mine\n');
    const found = await preview();
    const refused = await merges.refusal('x');
    assert.deepEqual([found.obstacle?.message, found.obstacle?.items], [refused.message, refused.items]);
    assert.match(told(found)[1] ?? '', /has changes that are not committed\. \(in the way: +M a\.txt/);
    await merges.git('.', 'checkout', '-q', '--', 'a.txt');
    await merges.git('.', 'checkout', '-q', '--detach');
    await assert.rejects(preview(), { reason: 'unsupported' });
    await merges.git('.', 'checkout', '-q', 'main');
    const source = await merges.source('x');
    const signal = AbortSignal.abort();
    await assert.rejects(previewMerge(merges.at.workspace, { source, into: merges.root }, { signal }), {
      reason: 'cancelled',
    });
  });
});
