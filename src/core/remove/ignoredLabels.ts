import { byteSizeWords } from '../base/byteSize.ts';
import type { IgnoredEntry } from './ignoredFiles.ts';
import { sizeLabel } from '../trash/treeSize.ts';

/** So many are named; the rest is counted. */
const named = 6;

/** Ignored files and folders with their sizes, the largest first: "node_modules/ (more than 43 MB), dist/ (2.1 MB)". */
export function withSizes(entries: readonly IgnoredEntry[]): string {
  const order = [...entries].sort((one, other) => other.size.bytes - one.size.bytes);
  return listed(order.map(({ path, size }) => `${path} (${sizeLabel(size)})`));
}

/** The same in all: ".env, .work/ (12 kB)". */
export function withSum(entries: readonly IgnoredEntry[]): string {
  const sum = entries.reduce((bytes, { size }) => bytes + size.bytes, 0);
  return `${listed(entries.map(({ path }) => path))} (${byteSizeWords(sum)})`;
}

function listed(words: readonly string[]): string {
  const shown = words.length > named + 1 ? words.slice(0, named) : words;
  return [...shown, ...(shown.length < words.length ? [`${words.length - shown.length} more`] : [])].join(', ');
}
