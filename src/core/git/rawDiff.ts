/** A file that differs between two states, as `git diff --raw --numstat -z` tells it. */
export interface DiffEntry {
  readonly status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T' | 'U';
  readonly path: string;
  /** Where a renamed or copied file came from. */
  readonly from?: string;
  /** Lines; not there for a binary file. */
  readonly added?: number;
  readonly deleted?: number;
}

/**
 * Reads the output of `git diff --raw --numstat -z`: first a record `:modes ids status` for each file with its path, or two
 * for a rename, then one `added TAB deleted TAB path` for each, where a rename leaves the path empty and has two more.
 */
export function parseRawDiff(output: string): DiffEntry[] {
  const words = output.split('\0');
  const entries = new Map<string, DiffEntry>();
  let at = 0;
  const next = (): string => words[at++] ?? '';
  while (at < words.length) {
    const word = next();
    if (word.startsWith(':')) {
      const status = toStatus(word.slice(word.lastIndexOf(' ') + 1));
      const from = status === 'R' || status === 'C' ? next() : undefined;
      const path = next();
      // Compared with the index, a file in conflict comes twice, once as changed.
      if (entries.get(path)?.status !== 'U')
        entries.set(path, { status, path, ...(from === undefined ? {} : { from }) });
      continue;
    }
    const [, added, deleted, written] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(word) ?? [];
    if (written === undefined) continue;
    if (written === '') next();
    const path = written === '' ? next() : written;
    const entry = entries.get(path);
    if (entry && added !== '-') entries.set(path, { ...entry, added: Number(added), deleted: Number(deleted) });
  }
  return [...entries.values()];
}

function toStatus(word: string): DiffEntry['status'] {
  const letter = word[0];
  switch (letter) {
    case 'A':
    case 'D':
    case 'R':
    case 'C':
    case 'T':
    case 'U':
      return letter;
    default:
      return 'M';
  }
}
