/** What the two sides of a conflict have done with the file, where they have not both changed it. */
export type ConflictKind = 'both-changed' | 'both-added' | 'deleted-by-ours' | 'deleted-by-theirs' | 'both-deleted';

/** What kind of conflict it is. A rename on one side leaves `both-deleted` behind, and the new name as added on one side only. */
export function conflictKind({
  base,
  ours,
  theirs,
}: Readonly<Record<'base' | 'ours' | 'theirs', unknown>>): ConflictKind {
  if (ours && theirs) return base ? 'both-changed' : 'both-added';
  if (ours) return 'deleted-by-theirs';
  return theirs ? 'deleted-by-ours' : 'both-deleted';
}
