import type { Git } from '../git/git.ts';
import { mergePairs } from '../git/mergePairs.ts';

/** A branch here, and the remote's of the same name. */
export interface RemoteQuestion {
  readonly branch: string;
  /** Its last commit here, and on the remote; both are here. */
  readonly local: string;
  readonly remote: string;
  /** What was pushed of it last, where that is recorded. */
  readonly lastPushed: string | undefined;
  /** Commits of the trunk and of bases, whose history is not work on this branch. */
  readonly bases: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Commits of others on the remote's branch. */
export interface CommitsOfOthers {
  /**
   * `known`: these are all. `merges`: there are merges among them that are more than the trunk. `unknown`: nothing that was here is in the
   * remote's branch, so the authorship of these commits is unknown.
   */
  readonly state: 'known' | 'merges' | 'unknown';
  /** Those that are not here in any form, oldest first. */
  readonly commits: readonly string[];
}

/**
 * Finds the commits of others on a remote's branch: those after the commits that were here once by the record of the last push and the
 * reflog, unless they are here in another form: with the same change, or picked by hand with `git cherry-pick -x`.
 */
export async function commitsOfOthers(
  git: Git,
  commonDir: string,
  { branch, local, remote, lastPushed, bases, signal }: RemoteQuestion,
): Promise<CommitsOfOthers> {
  const at = { signal };
  const lines = async (args: readonly string[], some: Iterable<string>): Promise<string[]> => {
    const answer = await git.in(commonDir).text([...args, '--stdin'], { ...at, input: [...some, ''].join('\n') });
    return answer.split('\n').filter((line) => line !== '');
  };
  const without = bases.map((oid) => `^${oid}`);
  const [there, reflog] = await Promise.all([
    lines(['rev-list'], [remote, ...without]),
    git.in(commonDir).run(['log', '-g', '--format=%H', `refs/heads/${branch}`, '--'], at),
  ]);
  const onRemote = new Set(there);
  const once = new Set([lastPushed, ...(reflog.exitCode === 0 ? reflog.stdout.split('\n') : [])]);
  if (once.has(remote)) return { state: 'known', commits: [] };
  const ours = [...once].filter((oid) => oid !== undefined && oid !== '' && onRemote.has(oid));
  const known = [...without, `^${local}`, ...ours.map((oid) => `^${oid}`)];
  const [news, marked, words] = await Promise.all([
    lines(['rev-list', '--topo-order', '--reverse', '--parents'], [remote, ...known]),
    lines(['rev-list', '--no-merges', '--cherry-mark', '--left-right'], [`${local}...${remote}`, ...without]),
    lines(['log', '--no-show-signature', '--format=%b'], [local, ...without]),
  ]);
  const here = new Set(marked.flatMap((line) => (line.startsWith('=') ? [line.slice(1)] : [])));
  for (const line of words) {
    const [, picked] = /^\(cherry picked from commit ([0-9a-f]{40,64})\)$/.exec(line) ?? [];
    if (picked !== undefined) here.add(picked);
  }
  const commits: string[] = [];
  const merges: { readonly oid: string; readonly parents: readonly string[] }[] = [];
  for (const line of news) {
    const [oid = '', ...parents] = line.split(' ');
    if (parents.length > 1) merges.push({ oid, parents });
    else if (!here.has(oid)) commits.push(oid);
  }
  if (ours.length === 0 && commits.length + merges.length > 0) return { state: 'unknown', commits };
  const plain = merges.filter(({ parents }) => parents.length === 2 && !onRemote.has(parents[1] ?? ''));
  const tried = await mergePairs(
    git.in(commonDir),
    plain.map(({ parents: [one = '', other = ''] }) => ({ one, other })),
    { signal },
  );
  const trees = await treesOf(plain.map(({ oid }) => oid));
  // The trunk was merged there; a rebase has the same effect.
  const harmless = plain.every((_, index) => tried[index]?.clean === true && tried[index].tree === trees[index]);
  return { state: harmless && plain.length === merges.length ? 'known' : 'merges', commits };

  async function treesOf(oids: readonly string[]): Promise<string[]> {
    if (oids.length === 0) return [];
    const args = ['rev-parse', ...oids.map((oid) => `${oid}^{tree}`)];
    return (await git.in(commonDir).text(args, at)).trim().split('\n');
  }
}
