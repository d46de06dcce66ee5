import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The files of one side, by their path. */
export type Side = Readonly<Record<string, string>>;

/** What the three sides of the usual conflict hold. */
export interface Sides {
  readonly base: Side;
  readonly ours: Side;
  readonly theirs: Side;
}

const session = (pending: readonly string[], worktree: readonly string[] = []): string =>
  [
    '# Session Handoff: 2026-05-04',
    '',
    '**Status:** the shop is open',
    '',
    '## Pending Tasks',
    '',
    ...pending,
    '',
    ...(worktree.length > 0 ? ['## Worktree Tasks', '', ...worktree, ''] : []),
    '## Next Steps',
    '',
    '- ask for a review',
    '',
  ].join('\n');

/** Notes of two branches that went on side by side: each kind of decision, one of which a person should look at. */
export const usualSides: Sides = {
  base: {
    'agents/session.md': session(
      ['- [ ] **Fix flaky test** — cart totals | sonnet', '- [ ] **Rename config keys** — in every service'],
      ['- [ ] **Build login** → `feat-auth` — form and session'],
    ),
    'agents/learnings.md': '# Learnings\n\n## When a test is flaky\n\n- Look for shared state first\n',
    'src/cart.js': 'export const total = 0;\n',
  },
  ours: {
    'agents/session.md': session(
      [
        '- [ ] **Fix flaky test** — cart totals | sonnet',
        '- [!] **Rename config keys** — in every service, after the release',
        '- [ ] **Order new labels** — for the boxes',
      ],
      ['- [ ] **Build login** → `feat-auth` — form and session'],
    ),
    'agents/learnings.md':
      '# Learnings\n\n## When a test is flaky\n\n- Look for shared state first\n- Run it a hundred times\n',
    'src/cart.js': 'export const total = 1;\n',
  },
  theirs: {
    'agents/session.md': session(
      [
        '- [x] **Fix flaky test** — cart totals | sonnet',
        '- [x] **Rename config keys** — in every service\n  - the old names still work',
        '- [ ] **Write login docs** — one page',
      ],
      ['- [x] **Build login** → `feat-auth` — form and session'],
    ),
    'agents/learnings.md':
      '# Learnings\n\n## When a test is flaky\n\n- Look for shared state first\n- Freeze the clock\n',
    'src/cart.js': 'export const total = 2;\n',
  },
};

const withNotes = (side: Side, task: string, next: string): Side => ({
  ...side,
  'agents/session.md': (side['agents/session.md'] ?? '')
    .replace('## Pending Tasks\n\n', `## Pending Tasks\n\n${task}`)
    .replace('- ask for a review\n', `- ask for a review\n${next}`),
});

/** The same, with a task that one side removed and the other changed, and a line that is left behind. */
export const sidesToReview: Sides = {
  base: withNotes(usualSides.base, '- [ ] **Search suggestions** — as you type\n', ''),
  ours: withNotes(usualSides.ours, '- [ ] **Search suggestions** — as you type, five of them\n', ''),
  theirs: withNotes(usualSides.theirs, '', '- tell Ann of the login\n'),
};

/** A repository whose main working tree is on `main`, with a worktree `feat-auth`: merging that conflicts. */
export interface ConflictedRepository {
  readonly root: string;
  git(...args: string[]): Promise<string>;
  /** Merges `feat-auth` into the main working tree, which conflicts. */
  merge(...options: string[]): Promise<void>;
}

/**
 * Makes it, with the merge not begun.
 *
 * @param env git's environment.
 */
export async function conflictedRepository(
  root: string,
  env: NodeJS.ProcessEnv,
  { base, ours, theirs }: Sides = usualSides,
): Promise<ConflictedRepository> {
  const run = async (cwd: string, args: readonly string[]): Promise<string> =>
    (await execute('git', args, { cwd, env, maxBuffer: 1 << 26 })).stdout.trimEnd();
  const commit = async (folder: string, files: Side, message: string): Promise<void> => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    await run(folder, ['add', '--all']);
    await run(folder, ['commit', '--quiet', '--message', message]);
  };
  await mkdir(root, { recursive: true });
  await run(root, ['init', '--quiet', '--initial-branch=main']);
  await commit(root, base, 'Open the shop');
  await writeFile(join(root, '.git/info/exclude'), '/.worktrees/\n');
  await run(root, ['worktree', 'add', '--quiet', '-b', 'feat-auth', '.worktrees/feat-auth']);
  await commit(join(root, '.worktrees/feat-auth'), theirs, 'Build the login');
  await commit(root, ours, 'Go on');
  return {
    root,
    git: (...args) => run(root, args),
    merge: async (...options) => {
      const failed = await run(root, [...options, 'merge', 'feat-auth']).then(
        () => false,
        () => true,
      );
      if (!failed) throw new Error('The merge did not conflict.');
    },
  };
}

/** Sides with many tasks, every one of which `theirs` has changed and every tenth `ours` as well. */
export function manyTasks(count: number): Sides {
  const text = (line: (number: number) => string): Side => ({
    'agents/session.md': session(Array.from({ length: count }, (_none, index) => line(index + 1))),
  });
  const name = (number: number): string => `**Task ${number}** — a description that is as long as they are`;
  return {
    base: text((number) => `- [ ] ${name(number)}`),
    ours: text((number) => (number % 10 === 0 ? `- [!] ${name(number)}, later` : `- [ ] ${name(number)}`)),
    theirs: text((number) => `- [x] ${name(number)}`),
  };
}
