import { readTree, type Blob } from '../git/blobs.ts';
import type { Git } from '../git/git.ts';
import type { GitOptions } from '../git/gitProcess.ts';
import { gitlink } from '../git/indexEntries.ts';
import { parseTreeChanges } from '../git/treeDiff.ts';
import { fieldsOf } from '../git/repositoryGit.ts';

/** A submodule that two commits record differently. */
export interface Gitlink {
  /** Relative to the repository that records it. */
  readonly path: string;
  readonly ours: string;
  readonly theirs: string;
  /** What their common ancestor records; `undefined` where that is no submodule. */
  readonly base: string | undefined;
  /** Its name in theirs' `.gitmodules`. */
  readonly name: string | undefined;
}

/** The submodules that both of two commits have, at different commits; and the paths of those that only the second one has. */
export async function readGitlinks(
  git: Git,
  options: GitOptions,
  sides: { readonly ours: string; readonly theirs: string; readonly base: string | undefined },
): Promise<{ readonly differing: readonly Gitlink[]; readonly added: readonly string[] }> {
  const { ours, theirs, base } = sides;
  const found: Pick<Gitlink, 'path' | 'ours' | 'theirs'>[] = [];
  const added: string[] = [];
  const raw = await git.text(['diff-tree', '-r', '-z', '--raw', '--no-renames', ours, theirs], options);
  for (const { path, before, after } of parseTreeChanges(raw)) {
    if (after?.mode !== gitlink) continue;
    if (before?.mode === gitlink) found.push({ path, ours: before.oid, theirs: after.oid });
    else added.push(path);
  }
  if (found.length === 0) return { differing: [], added };
  const paths = found.map(({ path }) => path);
  const before = await readTree(git, base, paths, options);
  const names = await readNames(git, options, theirs);
  const differing = found.map((each) => ({ ...each, base: linkIn(before.get(each.path)), name: names.get(each.path) }));
  return { differing, added };
}

/** The commit of an entry, where it is a submodule. */
const linkIn = (entry: Blob | undefined): string | undefined => (entry?.mode === gitlink ? entry.oid : undefined);

/** The names of a commit's submodules, by path. */
async function readNames(git: Git, options: GitOptions, commit: string): Promise<Map<string, string>> {
  const args = ['config', '-z', '--blob', `${commit}:.gitmodules`, '--get-regexp', '^submodule\\..*\\.path$'];
  const output = (await git.line(args, options)) ?? '';
  return new Map(
    fieldsOf(output).flatMap((record) => {
      const [key = '', path = ''] = record.split(/\n([^]*)/);
      const name = key.slice('submodule.'.length, -'.path'.length);
      return name && path ? [[path, name] as const] : [];
    }),
  );
}
