import type { RepositoryGit } from './repositoryGit.ts';
import { gitProblem, type GitAnswer } from './gitError.ts';

/** What came of a merge in memory. */
export interface TriedMerge {
  readonly clean: boolean;
  /** The merged tree; with conflict markers in its files where there are conflicts. */
  readonly tree: string;
  /** The files in conflict, each once. */
  readonly files: readonly string[];
  /** Of the files in conflict the versions that there are: 1 the merge base's, 2 of `one`, 3 of `other`. */
  readonly versions: ReadonlyMap<string, ConflictVersions>;
}

/** The ids of the versions of a file in conflict, by git's stage. */
export interface ConflictVersions {
  readonly 1?: string;
  readonly 2?: string;
  readonly 3?: string;
}

/**
 * Merges pairs of commits in memory, all of them in one process; git before 2.39 can be asked for one pair at a time only.
 *
 * @param options.settings arguments for git itself, such as `-c` and a setting.
 * @returns for each pair what came of it; `undefined` for two without a common commit.
 * @throws Problem when git fails at something else.
 */
export async function mergePairs(
  repo: RepositoryGit,
  pairs: readonly { readonly one: string; readonly other: string }[],
  options: { readonly settings?: readonly string[]; readonly signal?: AbortSignal | undefined } = {},
): Promise<(TriedMerge | undefined)[]> {
  if (pairs.length === 0) return [];
  const at = { signal: options.signal, silenceLimit: 0 };
  const settings = options.settings ?? [];
  const how = ['--no-messages'];
  const input = pairs.map(({ one, other }) => `${one} ${other}\n`).join('');
  const all = await repo.run([...settings, 'merge-tree', '--stdin', ...how], { ...at, input });
  if (all.exitCode <= 1) return parseMerges(all.stdout);
  // It is an old git, or one pair without a common commit has made all of them fail.
  return Promise.all(
    pairs.map(async ({ one, other }) => {
      const args = ['merge-tree', '--write-tree', '-z', ...how, one, other];
      const answer = await repo.run([...settings, ...args], at);
      if (answer.exitCode > 1) {
        if (/unrelated histories/.test(answer.stderr)) return undefined;
        throw gitProblem(args, answer);
      }
      return parseMerge(answer);
    }),
  );
}

/** Reads the answer of `git merge-tree --write-tree -z --no-messages`. */
export function parseMerge({ exitCode, stdout }: Pick<GitAnswer, 'exitCode' | 'stdout'>): TriedMerge {
  const [tree = '', ...words] = stdout.split('\0').map((word) => word.replace(/\n$/, ''));
  return triedMerge(exitCode === 0, tree, words);
}

/**
 * Reads the output of `git merge-tree --stdin --no-messages`: for each merge a status, a tree, the versions of files in conflict as
 * `<mode> <id> <stage>\\t<path>`, an empty word.
 */
export function parseMerges(output: string): TriedMerge[] {
  const merges: TriedMerge[] = [];
  const words = output.split('\0');
  for (let at = 0; at + 1 < words.length;) {
    const end = words.indexOf('', at + 2);
    if (end < 0) break;
    const clean = words[at]?.trim() === '1';
    merges.push(triedMerge(clean, words[at + 1] ?? '', words.slice(at + 2, end)));
    at = end + 1;
  }
  return merges;
}

function triedMerge(clean: boolean, tree: string, words: readonly string[]): TriedMerge {
  const versions = new Map<string, ConflictVersions>();
  for (const word of clean ? [] : words) {
    const [, oid, stage, path] = /^\d+ ([0-9a-f]+) ([123])\t([^]*)$/.exec(word) ?? [];
    if (oid !== undefined && stage !== undefined && path !== undefined)
      versions.set(path, { ...versions.get(path), [stage]: oid });
  }
  return { clean, tree, files: [...versions.keys()], versions };
}
