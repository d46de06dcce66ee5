import { Problem } from '../../base/problem.ts';
import type { Git, GitOptions } from '../../git/git.ts';
import type { GitAnswer } from '../../git/gitError.ts';
import { mergePairs } from '../../git/mergePairs.ts';
import type { Repository } from '../../repository/identity.ts';

/**
 * How a branch's work came to be in another: `ancestor`: its last commit is in it, which is also so for a branch without commits
 * of its own; `patches`: each of its commits is in it by content (a rebase merge); `squash`: all of them together are one commit
 * of it; `content`: merging it would add nothing, now or at some commit since.
 */
export type Landing = 'ancestor' | 'patches' | 'squash' | 'content';

/** How many commits of the other branch merging is tried at, and how many files choose them, at most. */
const mostTrials = 300;
const mostPaths = 200;

/** Whoever makes the commit that stands for all of a branch's; the same each time, so that asking again makes no new object. */
const nobody: Readonly<Record<string, string>> = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role): [string, string][] => [
    [`GIT_${role}_NAME`, 'Worktree Stacks'],
    [`GIT_${role}_EMAIL`, 'worktree-stacks@localhost'],
    [`GIT_${role}_DATE`, '2000-01-01T00:00:00Z'],
  ]),
);

/**
 * Whether the work of a branch is in another branch already, judged from local data alone; `undefined` when it is not, or when
 * that cannot be told. Work that undid itself within the branch is in no other branch.
 *
 * @param question.branch the branch, or anything else that names a commit.
 * @param question.into likewise; a remote's branch is `origin/main`.
 * @param question.since the commit after which the branch's own commits begin, where it stands on another branch: what that one has
 *   need not be in the other.
 * @throws Problem `not-found` when one of the two does not exist.
 */
export async function landed(
  git: Git,
  repository: Repository,
  question: {
    readonly branch: string;
    readonly into: string;
    readonly since?: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Landing | undefined> {
  const look = new Look(git, repository, question.signal);
  const [tip, target] = await look.commits(question.branch, question.into);
  if (await look.isAncestor(tip, target)) return 'ancestor';
  const { since } = question;
  const [base, merges] = await Promise.all([since ?? look.mergeBase(tip, target), look.hasMerges(target, tip, since)]);
  if (base === undefined) return undefined;
  // A merge may hold the solution of a conflict, which comparing the other commits does not see.
  if (!merges && (await look.allPicked(target, tip, since))) return 'patches';
  if (await look.isSame(base, tip)) return merges ? 'content' : undefined;
  if (await look.allPicked(target, await look.squashed(base, tip))) return 'squash';
  const left = since === undefined ? base : await look.mergeBase(tip, target);
  return left !== undefined && (await look.addsNothing(left, tip, target)) ? 'content' : undefined;
}

/** Questions to git about commits, none of which depends on what the user has configured for diffs and merges. */
class Look {
  readonly #git: Git;
  readonly #options: GitOptions;
  readonly #gitDir: string;

  constructor(git: Git, { commonDir }: Repository, signal: AbortSignal | undefined) {
    this.#git = git;
    this.#options = { cwd: commonDir, signal };
    this.#gitDir = `--git-dir=${commonDir}`;
  }

  /** The commits that words name; a local branch beats a remote's, a branch beats a tag. */
  async commits(branch: string, into: string): Promise<[string, string]> {
    const namesOf = (word: string): string[] => [`refs/heads/${word}`, `refs/remotes/${word}`, word];
    const input = [branch, into].flatMap(namesOf).map((name) => `${name}^{commit}\n`);
    const answers = (await this.#text(['cat-file', '--batch-check'], { input: input.join('') })).split('\n');
    const oidOf = (word: string, some: readonly string[]): string => {
      const oid = some.map((line) => /^([0-9a-f]{40,64}) commit /.exec(line)?.[1]).find((found) => found !== undefined);
      if (oid !== undefined) return oid;
      throw new Problem('not-found', `There is no branch or commit named ${JSON.stringify(word)}.`);
    };
    return [oidOf(branch, answers.slice(0, 3)), oidOf(into, answers.slice(3, 6))];
  }

  async isAncestor(commit: string, of: string): Promise<boolean> {
    const { exitCode } = await this.#run(['merge-base', '--is-ancestor', commit, of]);
    return exitCode === 0;
  }

  async mergeBase(one: string, other: string): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#run(['merge-base', one, other]);
    return exitCode === 0 ? stdout.trim() : undefined;
  }

  async hasMerges(without: string, tip: string, since?: string): Promise<boolean> {
    const excluded = [without, since].filter((oid) => oid !== undefined).map((oid) => `^${oid}`);
    return (await this.#text(['rev-list', '--merges', '--max-count=1', tip, ...excluded])) !== '';
  }

  /** Whether each commit that is not in the target has one with the same change there. */
  async allPicked(target: string, tip: string, since?: string): Promise<boolean> {
    const marks = await this.#text(['cherry', target, tip, ...(since === undefined ? [] : [since])]);
    return marks !== '' && !/^\+/m.test(marks);
  }

  /** Whether two commits hold the same files. */
  async isSame(one: string, other: string): Promise<boolean> {
    const [first, second] = (await this.#text(['rev-parse', `${one}^{tree}`, `${other}^{tree}`])).trim().split('\n');
    return first === second;
  }

  /** All changes of a branch as one commit, as a squash merge would have made it; nothing refers to it. */
  async squashed(base: string, tip: string): Promise<string> {
    const args = [
      '-c',
      'commit.gpgSign=false',
      'commit-tree',
      `${tip}^{tree}`,
      '-p',
      base,
      '-m',
      'All changes of a branch',
    ];
    return (await this.#text(args, { variables: nobody })).trim();
  }

  /**
   * Whether there is a commit of the target, since the branch left it, that a merge of the branch would not have changed: the
   * target held all of the branch's work then, whatever was made of it later.
   */
  async addsNothing(base: string, tip: string, target: string): Promise<boolean> {
    const trials = await this.#trials(base, tip, target);
    const drivers = await this.#driversOff();
    const pairs = trials.map(({ commit }) => ({ one: commit, other: tip }));
    const { cwd, signal } = this.#options;
    const merges = await mergePairs(this.#git, cwd, pairs, { settings: drivers, signal });
    return merges.some((merge, index) => merge?.clean === true && merge.tree === trials[index]?.tree);
  }

  /** The target's tip, and the commits of its own line that touched a file of the branch. */
  async #trials(base: string, tip: string, target: string): Promise<{ commit: string; tree: string }[]> {
    const diff = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', base, tip];
    const paths = (await this.#text(diff)).split('\0').filter((path) => path !== '' && !path.includes('\n'));
    const format = ['--no-commit-header', '--format=%H %T'];
    const list = [
      '--literal-pathspecs',
      'rev-list',
      '--first-parent',
      `--max-count=${mostTrials}`,
      ...format,
      '--stdin',
    ];
    const input = `${[`^${base}`, target, '--', ...paths.slice(0, mostPaths)].join('\n')}\n`;
    const [first, touching] = await Promise.all([
      this.#text(['rev-list', '--max-count=1', ...format, target]),
      this.#text(list, { input }),
    ]);
    return `${first}${touching}`
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [commit = '', tree = ''] = line.split(' ');
        return { commit, tree };
      });
  }

  /** A merge driver of the user's could call a merge empty that is not; without it, its files count as conflicts. */
  async #driversOff(): Promise<string[]> {
    const { stdout } = await this.#run(['config', '-z', '--name-only', '--get-regexp', '^merge\\..*\\.driver$']);
    const names = new Set(stdout.split('\0').filter((name) => name !== ''));
    const off = [...names].flatMap((name) => ['-c', `${name}=false`]);
    return ['-c', 'merge.renames=true', '-c', 'merge.directoryRenames=false', '-c', 'merge.renormalize=false', ...off];
  }

  #run(args: readonly string[], options: Partial<GitOptions> = {}): Promise<GitAnswer> {
    return this.#git.run([this.#gitDir, ...args], { ...this.#options, ...options });
  }

  #text(args: readonly string[], options: Partial<GitOptions> = {}): Promise<string> {
    return this.#git.text([this.#gitDir, ...args], { ...this.#options, ...options });
  }
}
