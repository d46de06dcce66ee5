import { byteSizeWords } from '../base/byteSize.ts';
import type { ShareMethod } from '../repository/shareConfiguration.ts';
import { counts } from '../messages/counts.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** Something git-ignored of the main working tree that a new worktree has too. */
export interface SharedPath {
  /** Relative to the worktree, with forward slashes. */
  readonly path: string;
  /** How most of it came. */
  readonly how: ShareMethod;
  readonly files: number;
  /** How long its files are together. */
  readonly bytes: number;
  /** So many of the bytes take no room of their own. */
  readonly saved: number;
}

/** An entry of `shared` in the JSON answers. */
export interface SharedJson {
  readonly path: string;
  readonly how: ShareMethod;
  readonly files: number;
  readonly bytes: number;
  readonly saved_bytes: number;
}

/** What was shared, for programs. */
export function sharedJson(shared: readonly SharedPath[]): SharedJson[] {
  return shared.map(({ path, how, files, bytes, saved }) => ({ path, how, files, bytes, saved_bytes: saved }));
}

/** What was shared, a sentence each, and what all of it saves where there are several. */
export function sharedMessages(shared: readonly SharedPath[]): Message[] {
  const sum = shared.reduce((total, { saved }) => total + saved, 0);
  const isSum = shared.filter(({ saved }) => saved > 0).length > 1;
  return [...shared.map(sentenceOf), ...(isSum ? [createMessages.savedInAll({ size: byteSizeWords(sum) })] : [])];
}

function sentenceOf({ path, how, files: count, bytes, saved }: SharedPath): Message {
  const files = counts.files({ count });
  const size = byteSizeWords(bytes);
  if (how === 'link') return createMessages.sharedAsLink({ path, saved: byteSizeWords(saved) });
  if (how === 'copy' && saved === 0) return createMessages.sharedAsCopy({ path, files, size });
  const what = { path, files, saved: byteSizeWords(saved) };
  if (saved < bytes) return createMessages.sharedInPart({ ...what, size });
  return how === 'hardlink' ? createMessages.sharedAsHardLinks(what) : createMessages.sharedOnWrite(what);
}
