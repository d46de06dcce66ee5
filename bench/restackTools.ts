import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePlace, type Place } from './place.ts';

/** A stack in the making: branches on one another, each in a worktree of its own unless told otherwise. */
class Stack {
  readonly place: Place;
  /** In the order in which they were made; the first stands on trunk. */
  readonly branches: { readonly name: string; readonly base: string }[] = [];
  /** Where each branch's base was when it last stood on it: what a rebase must not carry along. */
  readonly boundaries = new Map<string, string>();

  constructor(place: Place) {
    this.place = place;
  }

  path(name: string): string {
    return name === 'main' ? this.place.root : join(this.place.root, '.worktrees', name);
  }

  git(name: string, ...args: string[]): Promise<string> {
    return this.place.git(args, this.path(name)).then((output) => output.trim());
  }

  tip(name: string): Promise<string> {
    return this.git('main', 'rev-parse', `refs/heads/${name}`);
  }

  async add(name: string, base: string, files: Record<string, string> = { [`${name}.txt`]: name }): Promise<void> {
    await this.place.wt(['create', name, '--base', base]);
    this.branches.push({ name, base });
    this.boundaries.set(name, await this.tip(base));
    await this.commit(name, files);
  }

  async commit(name: string, files: Record<string, string>, ...options: string[]): Promise<void> {
    for (const [file, text] of Object.entries(files)) await writeFile(join(this.path(name), file), `${text}\n`);
    await this.git(name, 'add', ...Object.keys(files));
    await this.git(name, 'commit', '--quiet', '-m', `${name}: ${Object.keys(files).join(' ')}`, ...options);
  }
}

/** A situation that stacks get into. */
interface Situation {
  readonly title: string;
  build(stack: Stack): Promise<void>;
  /** Uncommitted work that must be there afterwards: a file of a worktree and its text. */
  readonly uncommitted?: readonly [branch: string, file: string, text: string];
  /** It cannot go through; right is that after the tool's own way back everything is as before. */
  readonly conflicts?: boolean;
  /** Bases that have landed on trunk: the branches above stand on trunk then. */
  readonly landed?: readonly string[];
}

/** A way to bring a stack up to date; a rejection is its refusal or its stop. */
interface Tool {
  readonly name: string;
  restack(stack: Stack, situation: Situation): Promise<void>;
  giveUp(stack: Stack): Promise<void>;
}

const three = async (stack: Stack): Promise<void> => {
  await stack.add('one', 'main');
  await stack.add('two', 'one');
  await stack.add('three', 'two');
};
const trunkMoves = (stack: Stack): Promise<void> => stack.commit('main', { 'news.txt': 'news' });

const situations: readonly Situation[] = [
  {
    title: 'trunk has moved; every branch in its own worktree',
    async build(stack) {
      await three(stack);
      await trunkMoves(stack);
    },
  },
  {
    title: 'trunk has moved; only the highest is checked out',
    async build(stack) {
      await three(stack);
      for (const name of ['one', 'two']) await stack.git('main', 'worktree', 'remove', stack.path(name));
      await trunkMoves(stack);
    },
  },
  {
    title: 'two branches on one base',
    async build(stack) {
      await three(stack);
      await stack.add('beside', 'one');
      await trunkMoves(stack);
    },
  },
  {
    title: 'the lowest was amended',
    async build(stack) {
      await three(stack);
      await stack.commit('one', { 'one.txt': 'amended' }, '--amend');
    },
  },
  {
    title: 'the lowest was squash-merged',
    landed: ['one'],
    async build(stack) {
      await stack.add('one', 'main', { 'one.txt': 'first' });
      await stack.commit('one', { 'one.txt': 'second' });
      await stack.add('two', 'one');
      await stack.add('three', 'two');
      await stack.git('main', 'merge', '--quiet', '--squash', 'one');
      await stack.git('main', 'commit', '--quiet', '-m', 'one (#1)');
      await stack.commit('main', { 'one.txt': 'third' });
    },
  },
  {
    title: 'uncommitted work in the middle one',
    uncommitted: ['two', 'two.txt', 'not committed yet'],
    async build(stack) {
      await three(stack);
      await writeFile(join(stack.path('two'), 'two.txt'), 'not committed yet\n');
      await trunkMoves(stack);
    },
  },
  {
    title: 'a merge within a branch',
    async build(stack) {
      await three(stack);
      await stack.git('main', 'branch', 'side', 'two');
      await stack.git('two', 'checkout', '--quiet', '-b', 'aside');
      await stack.commit('two', { 'aside.txt': 'aside' });
      await stack.git('two', 'checkout', '--quiet', 'two');
      await stack.commit('two', { 'more.txt': 'more' });
      await stack.git('two', 'merge', '--quiet', '--no-ff', '-m', 'Merge aside', 'aside');
      await stack.git('two', 'branch', '--quiet', '-D', 'aside', 'side');
      await stack.git('three', 'rebase', '--quiet', 'two');
      stack.boundaries.set('three', await stack.tip('two'));
      await trunkMoves(stack);
    },
  },
  {
    title: 'a conflict in the middle one, then given up',
    conflicts: true,
    async build(stack) {
      await stack.add('one', 'main');
      await stack.add('two', 'one', { 'news.txt': 'other news' });
      await stack.add('three', 'two');
      await trunkMoves(stack);
    },
  },
];

const tools: readonly Tool[] = [
  {
    name: '`wt rebase --stack`',
    restack: async ({ place }) => void (await place.wt(['rebase', 'three', '--stack', '--offline'])),
    giveUp: async ({ place }) => void (await place.wt(['rebase', '--abort']).catch(() => undefined)),
  },
  {
    name: '`git rebase --update-refs` in the highest worktree',
    restack: async (stack) => void (await stack.git('three', 'rebase', '--quiet', '--update-refs', 'main')),
    giveUp: async (stack) => void (await stack.git('three', 'rebase', '--abort').catch(() => undefined)),
  },
  {
    name: '`git rebase <base>` in each worktree, lowest first',
    async restack(stack) {
      for (const { name, base } of stack.branches) {
        // A branch without a worktree is checked out where there is one.
        const where = existsSync(stack.path(name)) ? name : 'three';
        await stack.git(where, 'checkout', '--quiet', name);
        await stack.git(where, 'rebase', '--quiet', base);
      }
    },
    async giveUp(stack) {
      for (const { name } of stack.branches) await stack.git(name, 'rebase', '--abort').catch(() => undefined);
    },
  },
];

/** What came of it: right, or what is wrong. */
async function judge(situation: Situation, tool: Tool): Promise<string> {
  const place = await makePlace(50);
  try {
    const stack = new Stack(place);
    await situation.build(stack);
    const wanted = situation.conflicts ? await shapes(stack) : await byHand(stack, situation);
    let refusal: string | undefined;
    try {
      await tool.restack(stack, situation);
    } catch (thrown) {
      refusal = /(?:fatal|error|wt): (.*)/.exec(String((thrown as { stderr?: string }).stderr))?.[1] ?? 'it stopped';
      await tool.giveUp(stack);
    }
    const got = await shapes(stack);
    const off = [...wanted].filter(([name, shape]) => got.get(name) !== shape).map(([name]) => name);
    const lost = await lostWork(stack, situation);
    if (lost !== undefined) return `**${lost}**`;
    if (situation.conflicts)
      return off.length === 0 ? 'right: all as before' : `half: ${off.join(', ')} moved and stays so`;
    if (refusal !== undefined) return `refused${off.length < wanted.size ? ', half done' : ''}: ${refusal}`;
    return off.length === 0 ? 'right' : `wrong: ${off.join(', ')}`;
  } finally {
    await place.dispose();
  }
}

/** For each branch its tree and the subjects above trunk, as one text. */
async function shapes(stack: Stack): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const { name } of stack.branches) all.set(name, await shape(stack, name));
  return all;
}

async function shape(stack: Stack, commit: string): Promise<string> {
  const tree = await stack.git('main', 'rev-parse', `${commit}^{tree}`);
  return `${tree}\n${await stack.git('main', 'log', '--topo-order', '--format=%s', `main..${commit}`)}`;
}

/** What `git rebase --onto` with the right boundary gives, one branch after the other, beside the real ones. */
async function byHand(stack: Stack, { landed = [] }: Situation): Promise<Map<string, string>> {
  const { place } = stack;
  const aside = join(place.root, '..', 'by-hand');
  await place.git(['worktree', 'add', '--quiet', '--detach', aside, 'main']);
  const tips = new Map([['main', await stack.tip('main')]]);
  const all = new Map<string, string>();
  for (const { name, base } of stack.branches) {
    if (landed.includes(name)) {
      tips.set(name, await stack.tip('main'));
      continue;
    }
    const onto = tips.get(base) ?? '';
    const boundary = stack.boundaries.get(name) ?? '';
    await place.git(['rebase', '--quiet', '--rebase-merges', '--onto', onto, boundary, await stack.tip(name)], aside);
    tips.set(name, (await place.git(['rev-parse', 'HEAD'], aside)).trim());
    all.set(name, await shape(stack, tips.get(name) ?? ''));
  }
  await place.git(['worktree', 'remove', '--force', aside]);
  return all;
}

/** What a worktree shows that nobody did, or lacks that somebody did. */
async function lostWork(stack: Stack, { uncommitted }: Situation): Promise<string | undefined> {
  for (const { name } of stack.branches) {
    if (!existsSync(stack.path(name))) continue;
    const status = await stack.git(name, 'status', '--porcelain', '--untracked-files=no');
    const wanted = uncommitted?.[0] === name ? `M ${uncommitted[1]}` : '';
    if (status !== wanted) return `the worktree ${name} shows changes that nobody made`;
  }
  return undefined;
}

/**
 * Prints the table of docs/stacks.md: who brings which stack up to date rightly. Each verdict comes from a real run, held against what
 * `git rebase --onto` with the right boundaries gives.
 */
process.stdout.write(`| ${['situation', ...tools.map(({ name }) => name)].join(' | ')} |\n`);
process.stdout.write(`|${' --- |'.repeat(tools.length + 1)}\n`);
for (const situation of situations) {
  const verdicts: string[] = [];
  for (const tool of tools) verdicts.push(await judge(situation, tool));
  process.stdout.write(`| ${[situation.title, ...verdicts].join(' | ')} |\n`);
}
process.stdout.write(`\n${execFileSync('git', ['--version'], { encoding: 'utf8' })}`);
