import { createHash } from 'node:crypto';

/**
 * The id that git gives an object: the hash of its kind, its size and its bytes (gitformat-pack, "Loose objects"). Knowing it beforehand,
 * one need not wait for git's answer before saying what comes next.
 *
 * @param like an id of the same repository: its length tells SHA-1 from SHA-256.
 */
export function objectId(kind: 'commit' | 'tree' | 'blob', bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex');
}
