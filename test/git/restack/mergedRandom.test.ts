import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { PullRequestState } from '../../../src/core/stack/pullRequestLookup.ts';
import { randomNumbers } from '../../support/randomStacks.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

/** More are tried with `MERGED_SEEDS=from-to`; a share of these in the ordinary run. */
const [from = 1, to = 5] = (process.env['MERGED_SEEDS'] ?? '')
  .split('-')
  .map(Number)
  .filter((number) => number > 0);
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('restacking after merges of all kinds', function () {
  this.timeout(300_000);
  for (const seed of process.env['MERGED_SEEDS'] ? seeds : shareOf(seeds, 3))
    it(`takes no file from any branch, and gives it none of its commits twice (seed ${seed})`, async () => {
      const at = await Stacks.start();
      try {
        await check(at, randomNumbers(seed));
      } finally {
        await at.dispose();
      }
    });

  async function check(at: Stacks, random: (below: number) => number): Promise<void> {
    const names = ['a', 'b', 'c', 'd'].slice(0, 3 + random(2));
    for (const [index, name] of names.entries()) {
      const commits = Array.from({ length: 1 + random(2) }, (_, n) => ({ [`${name}${n}.txt`]: `${name} ${n}\n` }));
      await at.add(name, index === 0 || random(5) === 0 ? 'main' : (names[index - 1] ?? 'main'), ...commits);
    }
    const origin = join(at.home.root, 'origin.git');
    const server = join(at.home.root, 'server');
    await at.repository.git('clone', '--quiet', '--bare', at.repository.root, origin);
    await at.repository.git('remote', 'add', 'origin', origin);
    await at.repository.git('fetch', '--quiet', 'origin');
    await at.repository.git('clone', '--quiet', origin, server);
    const onServer = (...args: string[]): Promise<string> => at.repository.gitIn(server, ...args);
    const pulls = new Map<string, PullRequestState>();
    const log: string[] = [];
    for (const [index, name] of names.entries()) {
      const base = (await at.entry(name))?.base ?? 'main';
      const headCommit = await at.tip(name);
      const into = random(3) === 0 ? 'main' : base;
      const way = ['merge', 'squash', 'rebase', 'contained', 'reverted', 'none'][random(6)] ?? 'none';
      if (way === 'none') continue;
      log.push(`${name} ${way} into ${into}`);
      pulls.set(name, { number: index + 1, recorded: true, state: 'merged', headCommit, baseBranch: into });
      if (way === 'contained') continue;
      await onServer('checkout', '--quiet', '-B', into, `origin/${into}`);
      const kind = way === 'reverted' ? ['merge', 'squash'][random(2)] : way;
      if (kind === 'merge') await onServer('merge', '--quiet', '--no-ff', '--no-edit', `origin/${name}`);
      else if (kind === 'rebase') await onServer('cherry-pick', '--allow-empty', `origin/${base}..origin/${name}`);
      else {
        await onServer('merge', '--quiet', '--squash', `origin/${name}`);
        await onServer('commit', '--quiet', '--allow-empty', '-m', `${name} (#${index + 1})`);
      }
      if (way === 'reverted') {
        const files = (await onServer('diff', '--name-only', 'HEAD~1', 'HEAD')) !== '';
        if (files) await onServer('revert', '--no-edit', ...(kind === 'merge' ? ['-m', '1'] : []), 'HEAD');
      }
      await onServer('push', '--quiet', 'origin', into);
      await onServer('fetch', '--quiet', 'origin');
    }
    const before = await Promise.all(names.map((name) => at.repository.git('ls-tree', '-r', name)));
    const host = { pullRequestsOf: async () => pulls };
    const top = names.at(-1) ?? 'a';
    for (const name of new Set([names[0] ?? 'a', top])) {
      const { branches, notes } = await at.rebase(name, { wholeStack: true }, { host });
      log.push(
        ...branches.map(({ branch, outcome, base, why }) => `${branch}: ${outcome} ${base} ${textOf(why ?? '')}`),
        ...notes.map((note) => textOf(note)),
      );
    }
    for (const [index, name] of names.entries()) {
      const after = new Set((await at.repository.git('ls-tree', '-r', name)).split('\n'));
      const lost = (before[index] ?? '').split('\n').filter((line) => !after.has(line));
      assert.deepEqual(lost, [], `${name} lost files\n${log.join('\n')}`);
      const base = (await at.entry(name))?.base ?? 'main';
      const bases = [`^origin/main`, `^${base}`, ...(base === 'main' ? [] : [`^origin/${base}`])];
      const subjects = (await at.repository.git('log', '--no-merges', '--format=%s', name, ...bases)).split('\n');
      assert.equal(new Set(subjects).size, subjects.length, `${name} has a commit twice\n${log.join('\n')}`);
      assert.equal(await at.git(name, 'status', '--porcelain'), '', name);
    }
  }
});
