import type { CommitQueries } from './commitQueries.ts';

/**
 * The first of some reported merge commits that brought a branch into a target with conflicts resolved: it has all changes of the branch
 * except for lines that both changed, and it changed each file with such lines itself.
 *
 * @param base the commit after which the branch's work begins.
 * @returns `undefined` when there is none.
 */
export async function resolvedAt(
  queries: CommitQueries,
  base: string,
  tip: string,
  target: string,
  hints: readonly (string | undefined)[],
): Promise<string | undefined> {
  for (const commit of await queries.existing(hints.filter((oid) => oid !== undefined)))
    if ((await queries.isAncestor(commit, target)) && (await hasDecided(queries, base, tip, commit))) return commit;
  return undefined;
}

async function hasDecided(queries: CommitQueries, base: string, tip: string, commit: string): Promise<boolean> {
  const trees = await queries.objects([`${commit}^{tree}`, `${tip}^{tree}`, `${commit}^1^{tree}`]);
  const [own = '', theirs = '', before = ''] = trees ?? [];
  const merge = trees && (await queries.mergeTrees(base, own, theirs));
  if (!merge) return false;
  const [missing, decided] = await Promise.all([queries.changed(own, merge.tree), queries.changed(before, own)]);
  if (!missing.every((path) => merge.files.includes(path)) || !merge.files.every((path) => decided.includes(path)))
    return false;
  const same = await Promise.all(
    missing.map(async (path) => {
      const [mixed, now] = await Promise.all([queries.text(merge.tree, path), queries.text(own, path)]);
      return mixed !== undefined && now !== undefined && oursOf(mixed) === now.replace(/([^\n])$/, '$1\n');
    }),
  );
  return same.every(Boolean);
}

/** A text that git has merged, with our version where there are conflict markers in it. */
function oursOf(merged: string): string {
  let side: 'both' | 'ours' | 'theirs' = 'both';
  const kept: string[] = [];
  for (const line of merged.split('\n')) {
    if (side === 'both' && line.startsWith('<<<<<<< ')) side = 'ours';
    else if (side === 'ours' && /^={7}\r?$/.test(line)) side = 'theirs';
    else if (side === 'theirs' && line.startsWith('>>>>>>> ')) side = 'both';
    else if (side !== 'theirs') kept.push(line);
  }
  return kept.join('\n').replace(/([^\n])$/, '$1\n');
}
