import { createHash } from 'node:crypto';
import { longestSlug, plainSlugOf } from './plainSlug.ts';

/**
 * The slug of a name: lower case, Latin letters in ASCII, runs of what is no letter or digit become `-`, trimmed, at most 30
 * characters. A name without a letter or digit gets one made of its hash, so that no name is without a folder.
 */
export function slugOf(name: string): string {
  return plainSlugOf(name) || `wt-${hashOf(name)}`;
}

/** The slug of a name whose plain slug is taken by another name: with a short hash of the name behind it, still at most 30. */
export function distinctSlugOf(name: string): string {
  const hash = hashOf(name);
  return `${[...slugOf(name)]
    .slice(0, longestSlug - hash.length - 1)
    .join('')
    .replace(/-+$/, '')}-${hash}`;
}

/** The slug that earlier versions gave a name, which knew ASCII only: folders and agents of that time are called by it. */
export function formerSlugOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestSlug)
    .replace(/-+$/, '');
  return plain || `wt-${hashOf(name)}`;
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 6);
}
