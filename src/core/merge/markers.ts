import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { againCommand } from './merging.ts';
import type { MergeSource } from './model.ts';
import { mergeMessages } from '../messages/merge.ts';

/** What a conflict leaves in a file: a line of seven or more signs, with a label or without. */
const markers = '^(<{7,}|\\|{7,}|>{7,})( |\r?$)|^={7}\r?$';
/** So many paths are named to git at once; of more, all files are searched. */
const mostPaths = 500;

/** A working tree in which a merge is about to be committed. */
export interface MergedTree {
  /** Absolute. */
  readonly tree: string;
  /** What reported paths begin with. */
  readonly prefix: string;
  /** The commit that is merged. */
  readonly theirs: string;
}

/**
 * Refuses to go on while what is staged holds conflict markers. Only files that are like neither side are read, and
 * only lines that neither side has: a file may be about conflicts.
 *
 * @throws Problem `conflicts` (outcome incomplete) with the file and the line.
 */
export async function requireNoMarkers(
  git: Git,
  { tree, prefix, theirs }: MergedTree,
  source: MergeSource,
): Promise<void> {
  const at = { cwd: tree };
  const differing = async (commit: string): Promise<string[]> => {
    const args = [
      'diff-index',
      '--cached',
      '-z',
      '--name-only',
      '--no-renames',
      '--diff-filter=AMT',
      '--ignore-submodules',
    ];
    return await git.nul([...args, commit], at);
  };
  const [fromOurs, fromTheirs] = await Promise.all([differing('HEAD'), differing(theirs)]);
  const also = new Set(fromTheirs);
  const paths = fromOurs.filter((path) => also.has(path));
  if (paths.length === 0) return;
  const found = await grep(undefined, paths);
  if (found.length === 0) return;
  const named = [...new Set(found.map(({ path }) => path))];
  const before = await Promise.all(['HEAD', theirs].map((commit) => grep(commit, named)));
  const known = new Set(before.flat().map(({ path, text }) => `${path}\0${text}`));
  const left = found.filter(({ path, text }) => also.has(path) && !known.has(`${path}\0${text}`));
  const [first] = left;
  if (!first) return;
  throw new Problem(
    'conflicts',
    mergeMessages.lineConflictMarkerLeft({ prefix, firstPath: first.path, line: first.line }),
    {
      file: join(tree, first.path),
      line: first.line,
      next: mergeMessages.resolveGitAdd({ tree, againCommand: againCommand(source) }),
      items: left.slice(0, 20).map(({ path, line, text }) => `${prefix}${path}:${line}: ${text}`),
      outcome: 'incomplete',
    },
  );

  /** In the index, or in a commit. */
  async function grep(commit: string | undefined, files: readonly string[]): Promise<Found[]> {
    const how = ['-I', '--line-number', '--no-column', '--null', '--no-recurse-submodules', '-E', '-e', markers];
    const args = ['--literal-pathspecs', 'grep', ...how, commit ?? '--cached'];
    const answer = await git.run([...args, ...(files.length > mostPaths ? [] : ['--', ...files])], at);
    return answer.stdout.split('\n').flatMap((record) => toFound(record, commit));
  }
}

interface Found {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Reads `path NUL line NUL text`; searched in a commit, the path has the commit and a colon in front. */
function toFound(record: string, commit: string | undefined): Found[] {
  const [path, line, ...text] = record.split('\0');
  if (path === undefined || line === undefined) return [];
  return [
    { path: commit === undefined ? path : path.slice(commit.length + 1), line: Number(line), text: text.join('\0') },
  ];
}
