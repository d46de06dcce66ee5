import assert from 'node:assert/strict';
import fc from 'fast-check';
import { distancesIn, parseGraph } from '../../../src/core/snapshot/commitGraph.ts';

/** Commits are numbered; each names parents with smaller numbers. */
type History = readonly (readonly number[])[];

/** A random history with merges, several roots and criss-crosses. */
const histories: fc.Arbitrary<History> = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 40 })
  .map((all) =>
    all.map((parents, commit) =>
      [...new Set(parents.map((parent) => parent % (commit + 1)))].filter((parent) => parent < commit),
    ),
  );

const name = (commit: number): string => `c${commit}`;

function write(history: History, commits: readonly number[]): string {
  return commits.map((commit) => `${[commit, ...(history[commit] ?? [])].map(name).join(' ')}\n`).join('');
}

function reachable(history: History, from: number): Set<number> {
  const found = new Set<number>();
  const open = [from];
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    if (found.has(commit)) continue;
    found.add(commit);
    open.push(...(history[commit] ?? []));
  }
  return found;
}

function distance(history: History, one: number, other: number): { ahead: number; behind: number } {
  const [mine, its] = [reachable(history, one), reachable(history, other)];
  return {
    ahead: [...mine].filter((commit) => !its.has(commit)).length,
    behind: [...its].filter((commit) => !mine.has(commit)).length,
  };
}

const allPairs = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, one) =>
    Array.from({ length: count }, (_unused, other): [number, number] => [one, other]),
  ).flat();

suite('distances in a history', () => {
  test('are what counting by hand gives, in whatever order the commits come', () => {
    const cases = histories.chain((history) =>
      fc.record({
        history: fc.constant(history),
        order: fc.shuffledSubarray([...history.keys()], { minLength: history.length }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ history, order }) => {
        const pairs = allPairs(history.length);
        const found = distancesIn(
          parseGraph(write(history, order)),
          pairs.map(([one, other]) => ({ one: name(one), other: name(other) })),
        );
        assert.deepEqual(
          found,
          pairs.map(([one, other]) => distance(history, one, other)),
        );
      }),
    );
  });

  test('are right or not told when only the newest commits are known', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, cut) => {
        const newest = [...history.keys()].reverse().slice(0, 1 + (cut % history.length));
        const pairs = allPairs(history.length);
        const found = distancesIn(
          parseGraph(write(history, newest)),
          pairs.map(([one, other]) => ({ one: name(one), other: name(other) })),
        );
        for (const [index, [one, other]] of pairs.entries()) {
          if (found[index]) assert.deepEqual(found[index], distance(history, one, other));
        }
      }),
    );
  });

  test('are told as soon as what is left is on both sides', () => {
    // 4 and 5 both stand on 3, whose parents were not read.
    const graph = parseGraph('c5 c3\nc4 c3\nc3 c2\n');
    assert.deepEqual(distancesIn(graph, [{ one: 'c5', other: 'c4' }]), [{ ahead: 1, behind: 1 }]);
  });

  test('are not told when one side goes on beyond what was read', () => {
    const graph = parseGraph('c5 c4 c1\nc4 c3\nc3 c2\n');
    assert.deepEqual(distancesIn(graph, [{ one: 'c5', other: 'c4' }]), [undefined]);
  });
});
