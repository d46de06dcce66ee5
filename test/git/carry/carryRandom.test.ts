import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/base/problem.ts';
import { CarryPair } from '../../support/carryPair.ts';
import { RandomWork, wordsAt, wordsIn } from '../../support/randomWork.ts';
import { shareOf } from '../../support/share.ts';

/** Others are tried with `CARRY_SEEDS=from-to`; a share of these in the ordinary run. */
const [from = 1, to = 48] = (process.env['CARRY_SEEDS'] ?? '')
  .split('-')
  .map(Number)
  .filter((number) => number > 0);
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('carrying uncommitted work of all kinds', function () {
  this.timeout(300_000);
  for (const seed of process.env['CARRY_SEEDS'] ? seeds : shareOf(seeds, 8)) {
    it(`brings all of it and undoes it to the byte, or touches nothing (seed ${seed})`, async () => {
      const pair = await CarryPair.start({ '.gitignore': '*.log\n' });
      try {
        await check(pair, new RandomWork(seed), seed);
      } finally {
        await pair.dispose();
      }
    });
  }

  async function check(pair: CarryPair, work: RandomWork, seed: number): Promise<void> {
    const git =
      (name: string) =>
      (...args: string[]): Promise<string> =>
        pair.git(name, ...args);
    await work.commit(pair.path('main'), git('main'), 6);
    for (const name of ['a', 'b']) await pair.git(name, 'reset', '--quiet', '--hard', 'main');
    await work.commit(pair.path('a'), git('a'), seed % 3);
    await work.commit(pair.path('b'), git('b'), seed % 4);
    const committed = new Set(await stagedWords(pair, 'a'));
    await work.leaveUncommitted(pair.path('a'), git('a'), 1 + (seed % 5));
    if (work.oneIn(3)) await work.leaveUncommitted(pair.path('b'), git('b'), 1);
    const mode = work.oneIn(3) ? 'copy' : 'move';

    const before = await pair.both();
    const isNew = (word: string): boolean => !committed.has(word);
    const onDisk = (await wordsOnDisk(pair, 'a', '--exclude-standard')).filter(isNew);
    const staged = (await stagedWords(pair, 'a')).filter(isNew);
    let carried;
    try {
      carried = await pair.carry(mode);
    } catch (thrown) {
      assert.ok(Problem.is(thrown), String(thrown));
      assert.ok(['conflicts', 'dirty', 'not-found', 'unsupported'].includes(thrown.reason), thrown.stack);
      return pair.untouched(before);
    }
    const there = new Set(await wordsOnDisk(pair, 'b'));
    assert.deepEqual(
      onDisk.filter((word) => !there.has(word)),
      [],
      'what is on the disk has come along',
    );
    const stagedThere = new Set(await stagedWords(pair, 'b'));
    assert.deepEqual(
      staged.filter((word) => !stagedThere.has(word)),
      [],
      'what is staged has come along',
    );
    if (mode === 'move') assert.equal(await pair.status('a'), '');
    else assert.deepEqual((await pair.both())[0], before[0]);
    assert.ok(carried.files.length > 0);
    await pair.thereAndBack(before);
  }

  async function stagedWords(pair: CarryPair, name: string): Promise<string[]> {
    const entries = (await pair.git(name, 'ls-files', '--stage')).split('\n').filter((each) => each !== '');
    const oids = entries.map((each) => each.split(' ')[1] ?? '');
    const texts = await Promise.all([...new Set(oids)].map((oid) => pair.git(name, 'cat-file', 'blob', oid)));
    return texts.flatMap(wordsIn);
  }

  async function wordsOnDisk(pair: CarryPair, name: string, ...which: string[]): Promise<string[]> {
    const listed = await pair.git(name, 'ls-files', '-z', '--cached', '--others', ...which);
    const files = listed.split('\0').filter((file) => file !== '');
    return files.flatMap((file) => wordsAt(pair.path(name), file));
  }
});
