import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { InRepository, RepositoryGit } from '../git/repositoryGit.ts';
import type { GitAnswer } from '../git/gitError.ts';
import { mergePairs, type TriedMerge } from '../git/mergePairs.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { integrationMessages } from '../messages/integration.ts';

/** The most commits of the base at which merging is tried, and the most files to choose them by. */
const mostTrials = 300;
const mostPaths = 200;

/** The identity of helper commits; constant, so that repeating a query makes no new object. */
const placeholderIdentity: Readonly<Record<string, string>> = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role): [string, string][] => [
    [`GIT_${role}_NAME`, 'Worktree Stacks'],
    [`GIT_${role}_EMAIL`, 'worktree-stacks@localhost'],
  ]),
);

/** Queries about commits; the user's settings for diffs and merges do not affect them. */
export class CommitQueries {
  readonly #git: RepositoryGit;
  readonly #signal: AbortSignal | undefined;
  #drivers: Promise<string[]> | undefined;

  constructor(git: Git, commonDir: string, signal: AbortSignal | undefined) {
    this.#git = git.in(commonDir);
    this.#signal = signal;
  }

  /**
   * The commits of two names; a local branch beats a remote's, a branch beats a tag.
   *
   * @throws Problem `not-found`.
   */
  async commits(branch: string, into: string): Promise<[string, string]> {
    const namesOf = (word: string): string[] => [`refs/heads/${word}`, `refs/remotes/${word}`, word];
    const input = [branch, into].flatMap(namesOf).map((name) => `${name}^{commit}\n`);
    const answers = (await this.#text(['cat-file', '--batch-check'], { input: input.join('') })).split('\n');
    const oidOf = (word: string, some: readonly string[]): string => {
      const oid = some.map((line) => /^([0-9a-f]{40,64}) commit /.exec(line)?.[1]).find((found) => found !== undefined);
      if (oid !== undefined) return oid;
      throw new Problem('not-found', integrationMessages.noBranchCommit({ word: JSON.stringify(word) }));
    };
    return [oidOf(branch, answers.slice(0, 3)), oidOf(into, answers.slice(3, 6))];
  }

  /** Those of some commits that are here. */
  async existing(oids: Iterable<string>): Promise<string[]> {
    const asked = [...oids].filter((oid) => /^[0-9a-f]{40,64}$/.test(oid));
    if (asked.length === 0) return [];
    const answers = await this.#text(['cat-file', '--batch-check'], { input: `${asked.join('\n')}\n` });
    return [...answers.matchAll(/^([0-9a-f]{40,64}) commit /gm)].map(([, oid = '']) => oid);
  }

  /** Whether a commit is another, or in its history. */
  async isAncestor(commit: string, of: string): Promise<boolean> {
    return this.#git.isAncestor(commit, of, { signal: this.#signal });
  }

  /** The last commit that two have in common; `undefined` when there is none. */
  async mergeBase(one: string, other: string): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#run(['merge-base', one, other]);
    return exitCode === 0 ? stdout.trim() : undefined;
  }

  /** Whether the history here ends before its beginning. */
  async isShallow(): Promise<boolean> {
    return (await this.#text(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  }

  /** Whether there are merges among the commits that only `tip` has. */
  async hasMerges(without: string, tip: string, since?: string): Promise<boolean> {
    const excluded = [without, since].filter((oid) => oid !== undefined).map((oid) => `^${oid}`);
    return (await this.#text(['rev-list', '--merges', '--max-count=1', tip, ...excluded])) !== '';
  }

  /**
   * Where each commit that is not in the target has one with the same change there, the latest such commit of the target; `undefined` where
   * one has none, and where there are no commits.
   */
  async picked(target: string, tip: string, since?: string): Promise<string | undefined> {
    const range = [`${target}...${tip}`, ...(since === undefined ? [] : [`^${since}`])];
    const marks = await this.#text(['rev-list', '--no-merges', '--cherry-mark', '--left-right', ...range]);
    if (!/^=/m.test(marks) || /^>/m.test(marks)) return undefined;
    const there = await this.#text(['rev-list', '--no-merges', '--cherry-mark', '--left-only', ...range]);
    return /^=([0-9a-f]+)$/m.exec(there)?.[1];
  }

  /** The tree of a commit, and whether another one holds the same files. */
  async describe(one: string, tip: string): Promise<{ readonly tree: string; readonly same: boolean }> {
    const [first, second = ''] = (await this.#text(['rev-parse', `${one}^{tree}`, `${tip}^{tree}`])).trim().split('\n');
    return { tree: second, same: first === second };
  }

  /** All changes of a branch as one commit, as a squash merge would have made it; nothing refers to it. */
  async squashed(base: string, tree: string): Promise<string> {
    // One that is dated long before its parent would make git walk all of the history to compare it.
    const date = (await this.#text(['log', '-1', '--no-show-signature', '--format=%ct', base])).trim();
    const variables = { ...placeholderIdentity, GIT_AUTHOR_DATE: `${date} +0000`, GIT_COMMITTER_DATE: `${date} +0000` };
    const what = ['commit-tree', tree, '-p', base, '-m', 'All changes of a branch'];
    return (await this.#text(['-c', 'commit.gpgSign=false', ...what], { variables })).trim();
  }

  /**
   * The commit that a branch left its base at, before a merge commit on the base's own line brought it there; `undefined` when it came in
   * another way, so the start of its work is unknown.
   */
  async mergedFrom(tip: string, target: string): Promise<string | undefined> {
    const range = ['--first-parent', '--ancestry-path', '--parents', `${tip}..${target}`];
    const merge = (await this.#text(['rev-list', ...range])).trimEnd().split('\n').at(-1)?.split(' ');
    const [, first, ...others] = merge ?? [];
    return first === undefined || others.length === 0 ? undefined : this.mergeBase(first, tip);
  }

  /**
   * The files in which the work of a branch is missing from a base without a conflict: it was reverted there. Where the base has changed
   * the same lines, that is later work.
   *
   * @param base the commit after which the branch's work begins.
   */
  async missingFrom(base: string, tip: string, target: string): Promise<string[]> {
    const [theirs = '', ours = ''] = (await this.objects([`${tip}^{tree}`, `${target}^{tree}`])) ?? [];
    const merge = await this.mergeTrees(base, ours, theirs);
    if (!merge || merge.tree === ours) return [];
    const changed = await this.changed(ours, merge.tree);
    const conflicts = new Set(merge.files);
    return changed.filter((path) => !conflicts.has(path));
  }

  /** The ids of objects by any names; `undefined` when one of them is not here. */
  async objects(names: readonly string[]): Promise<string[] | undefined> {
    const { exitCode, stdout } = await this.#run(['rev-parse', ...names]);
    return exitCode === 0 ? stdout.trim().split('\n') : undefined;
  }

  /** What is in a file of a tree; `undefined` where it has no such file. */
  async text(tree: string, path: string): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#run(['cat-file', 'blob', `${tree}:${path}`]);
    return exitCode === 0 ? stdout : undefined;
  }

  /** The files in which two trees or commits differ. */
  async changed(one: string, other: string): Promise<string[]> {
    const diff = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', one, other];
    return this.#git.nul(diff, { signal: this.#signal });
  }

  /** Merges two trees as if both were made from one commit. */
  async mergeTrees(base: string, ours: string, theirs: string): Promise<TriedMerge | undefined> {
    // Both on top of the same commit, so that it is what git compares them with.
    const [one = '', other = ''] = await Promise.all([ours, theirs].map((tree) => this.squashed(base, tree)));
    const [merge] = await this.#merge([{ one, other }]);
    return merge;
  }

  /**
   * A commit of the target, since the branch left it, that a merge of the branch would not have changed: the target held all of the
   * branch's work then, whatever was made of it later. `undefined` when there is none.
   *
   * @param hints commits to check first.
   */
  async heldAt(
    base: string,
    tip: string,
    target: string,
    hints: readonly (string | undefined)[],
  ): Promise<string | undefined> {
    const trials = await this.#trials(base, tip, target, hints);
    const merges = await this.#merge(trials.map(({ commit }) => ({ one: commit, other: tip })));
    return trials.find(({ tree }, index) => merges[index]?.clean === true && merges[index].tree === tree)?.commit;
  }

  /** The target's tip, and the commits of its own line that touched a file of the branch. */
  async #trials(
    base: string,
    tip: string,
    target: string,
    hints: readonly (string | undefined)[],
  ): Promise<{ commit: string; tree: string }[]> {
    const paths = (await this.changed(base, tip)).filter((path) => !path.includes('\n'));
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
    const first = [target];
    for (const hint of await this.existing(hints.filter((oid) => oid !== undefined)))
      if (await this.isAncestor(hint, target)) first.push(hint);
    const [named, touching] = await Promise.all([
      this.#text(['rev-list', '--no-walk=unsorted', ...format, ...first]),
      this.#text(list, { input }),
    ]);
    return `${named}${touching}`
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [commit = '', tree = ''] = line.split(' ');
        return { commit, tree };
      });
  }

  async #merge(pairs: readonly { one: string; other: string }[]): ReturnType<typeof mergePairs> {
    this.#drivers ??= this.#driversOff();
    return mergePairs(this.#git, pairs, { settings: await this.#drivers, signal: this.#signal });
  }

  /** The user's merge drivers could hide a change; without them their files count as conflicts. */
  async #driversOff(): Promise<string[]> {
    const { stdout } = await this.#run(['config', '-z', '--name-only', '--get-regexp', '^merge\\..*\\.driver$']);
    const off = [...new Set(fieldsOf(stdout))].flatMap((name) => ['-c', `${name}=false`]);
    const own = ['conflictStyle=merge', 'renames=true', 'directoryRenames=false', 'renormalize=false'];
    return [...own.flatMap((setting) => ['-c', `merge.${setting}`]), ...off];
  }

  #run(args: readonly string[]): Promise<GitAnswer> {
    return this.#git.run(args, { signal: this.#signal });
  }

  #text(args: readonly string[], options: InRepository = {}): Promise<string> {
    return this.#git.text(args, { signal: this.#signal, ...options });
  }
}
