import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * A repository as far as a command may change it: a text for each branch, file, index and record. What differs from run to run (times,
 * ids, names made by chance) is replaced, commits by what they are made of; so two pictures of the same situation are equal.
 */
export interface Picture {
  readonly parts: ReadonlyMap<string, string>;
  /** What is in nobody's way as long as the next command copes with it: locks of the dead, half-written copies, trash. */
  readonly leftovers: readonly string[];
}

/** Takes a picture of the repository with this main root. */
export async function takePicture(root: string, variables: Readonly<Record<string, string>>): Promise<Picture> {
  const parts = new Map<string, string>();
  const leftovers: string[] = [];
  const git = async (cwd: string, ...args: string[]): Promise<string> =>
    (await execute('git', args, { cwd, env: variables, maxBuffer: 64 * 1024 * 1024 })).stdout;
  // Not `--all`: that also means the heads of worktrees, and one that is only half made may have none.
  const history = ['log', '--glob=refs/*', '--topo-order', '--reverse', '--format=%H %T %P'];
  const commits = readCommits(await git(root, ...history));
  const plain = (text: string): string =>
    text
      .replace(/\b[0-9a-f]{40}\b/g, (id) => commits.get(id) ?? '<object>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\d{8}T\d{6}-\d{3}|\d{8}-\d{6}-\d{3}-\d+/g, '<id>')
      .replace(/"(revision|pid|born|bin|host|size|id|rest)":.*/g, '"$1": …');
  const refs = await git(root, 'for-each-ref', '--format=%(refname) %(objectname) %(objecttype)');
  for (const line of refs.split('\n').filter(Boolean)) {
    const [name = '', id = '', type] = line.split(' ');
    parts.set(plain(name), (type === 'commit' && commits.get(id)) || `${type}`);
  }
  for (const file of filesBelow(root)) {
    const path = relative(root, file);
    if (isLeftover(path)) leftovers.push(plain(path));
    else if (!isUnimportant(path)) parts.set(plain(path), plain(contentOf(file)));
  }
  for (const path of [...parts.keys()].filter((each) => /(^|\/)\.git$/.test(each)).concat('.git')) {
    const tree = join(root, path, '..');
    parts.set(`index of ${relative(root, tree) || '.'}`, await git(tree, 'ls-files', '--stage', '-v').catch(String));
  }
  return { parts, leftovers };
}

/** Each commit by what it is made of: its tree, and the same of its parents. Parents come first. */
function readCommits(log: string): Map<string, string> {
  const commits = new Map<string, string>();
  for (const line of log.split('\n').filter(Boolean)) {
    const [id = '', tree = '', ...parents] = line.split(' ');
    const made = [tree, ...parents.map((parent) => commits.get(parent) ?? parent)].join(' ');
    commits.set(id, `commit ${createHash('sha256').update(made).digest('hex').slice(0, 16)}`);
  }
  return commits;
}

/** One call after the other: hundreds of promises take far more work than what they wait for. */
function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) yield path;
    else if (/\.git\/(objects|refs|logs|worktrees\/[^/]+\/(logs|refs))$/.test(path)) continue;
    else if (entry.name.startsWith('.trash-') || entry.name.endsWith('.lock')) yield path;
    else yield* filesBelow(path);
  }
}

function contentOf(file: string): string {
  const found = lstatSync(file);
  if (found.isSymbolicLink()) return `-> ${readlinkSync(file)}`;
  const mode = found.isDirectory() ? 'folder' : (found.mode & 0o111) === 0 ? 'file' : 'program';
  return `${mode} ${found.isDirectory() ? '' : readFileSync(file, 'utf8')}`;
}

/** What a killed or hindered process leaves without harm, provided that the next one is not hindered by it. */
function isLeftover(path: string): boolean {
  return (
    /\.lock$|(^|\/)\.trash-|\/tmp_obj_|\.git\/worktree-stacks\/(trash|operations\/|commits-|follow-|before\/)/.test(
      path,
    ) ||
    /\.(json|md)(\.new)?\.\d+$|\.git\/index\.stash|\.git\/worktree-stacks\/register|(^|\/)wt-merge-files\//.test(
      path,
    ) ||
    /^\.git\/worktrees\/[^/]+\/wt-restore$|^\.git\/(worktrees\/[^/]+\/)?wt-merge(\.\d+)?$/.test(path)
  );
}

/**
 * What git keeps for convenience, indexes, which are read in another way, room on the disk, which another command keeps again, and where
 * somebody went last, which is noted only where it can be.
 */
function isUnimportant(path: string): boolean {
  if (/^\.git\/worktree-stacks\/(spare-room|switched\.json)/.test(path)) return true;
  return /^\.git\/(worktrees\/[^/]+\/)?(index|COMMIT_EDITMSG|ORIG_HEAD|FETCH_HEAD|AUTO_MERGE|packed-refs|gc\.pid)$/.test(
    path,
  );
}

/** In what two pictures differ, for people; empty when they are equal. Backups in `now` are nothing that differs. */
export function differences(was: Picture, now: Picture): string[] {
  const names = [...new Set([...was.parts.keys(), ...now.parts.keys()])].sort();
  return names.flatMap((name) => {
    const [before, after] = [was.parts.get(name), now.parts.get(name)];
    if (before === after) return [];
    if (before === undefined) return name.startsWith('refs/wt-backup/') ? [] : [`${name} is there`];
    return [after === undefined ? `${name} is missing` : `${name} differs`];
  });
}
