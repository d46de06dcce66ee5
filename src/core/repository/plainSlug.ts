/** How long a slug may be, in characters. */
export const longestSlug = 30;

/**
 * The slug of a name, without what it takes when there is nothing left of the name, or when another name has the same: lower
 * case, runs outside `[a-z0-9]` become `-`, trimmed, at most {@link longestSlug} characters. May be empty.
 *
 * Apart from slug.ts because guards need it: the hash there takes longer to load than a guard to decide.
 */
export function plainSlugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestSlug)
    .replace(/-+$/, '');
}
