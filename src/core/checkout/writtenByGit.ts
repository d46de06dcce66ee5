import { createReadStream } from 'node:fs';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { objectId } from '../git/objectId.ts';
import type { RawTreeChange, TreeFile } from '../git/treeDiff.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from './checkout.ts';

/** The mode of a symbolic link. */
const linkMode = '120000';

/**
 * Whether a file is byte for byte what a commit has. A file that a filter, a line ending or an encoding changes is not.
 *
 * @param modes whether the disk knows which files can be executed.
 */
export async function isExactly(file: TreeFile, path: Buffer, modes: boolean): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return false;
  if (file.mode === linkMode) {
    if (!found.isSymbolicLink()) return false;
    return objectId('blob', await readlink(path, { encoding: 'buffer' }), file.oid) === file.oid;
  }
  if (!found.isFile() || (modes && (found.mode & 0o100) !== (Number.parseInt(file.mode, 8) & 0o100))) return false;
  const hash = createHash(file.oid.length === 64 ? 'sha256' : 'sha1').update(`blob ${found.size}\0`);
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  } catch {
    return false;
  }
  return hash.digest('hex') === file.oid;
}

/**
 * Whether a file is what git has made of the second commit's, or the beginning of it: what a full disk or a kill leaves. It may be
 * deleted then.
 */
export async function isWrittenByGit(
  { git }: Workspace,
  checkout: Checkout,
  { path, after }: RawTreeChange,
  absolute: Buffer,
): Promise<boolean> {
  if (!after) return false;
  if (await isExactly(after, absolute, false)) return true;
  const found = await lstat(absolute);
  if (!found.isFile()) return false;
  if (found.size === 0) return true;
  const here = { cwd: checkout.path };
  if ((await git.line(['hash-object', '--', path], here)) === after.oid) return true;
  const bytes = await readFile(absolute);
  for (const args of [
    ['cat-file', 'blob', after.oid],
    ['cat-file', '--filters', `--path=${path}`, after.oid],
  ]) {
    const whole = await git.bytes(args, here).catch(() => undefined);
    if (whole && whole.length >= bytes.length && whole.subarray(0, bytes.length).equals(bytes)) return true;
  }
  return false;
}
