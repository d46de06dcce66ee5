import { createHash } from 'node:crypto';
import { longestSlug, plainSlugOf } from './plainSlug.ts';

/**
 * The slug of a name: lower case, runs outside `[a-z0-9]` become `-`, trimmed, at most 30 characters. A name without any such
 * character gets one made of its hash, so that no name is without a folder.
 */
export function slugOf(name: string): string {
  return plainSlugOf(name) || `wt-${hashOf(name)}`;
}

/** The slug of a name whose plain slug is taken by another name: with a short hash of the name behind it, still at most 30. */
export function distinctSlugOf(name: string): string {
  const hash = hashOf(name);
  return `${slugOf(name)
    .slice(0, longestSlug - hash.length - 1)
    .replace(/-+$/, '')}-${hash}`;
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 6);
}
