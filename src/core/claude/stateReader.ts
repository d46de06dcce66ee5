import { link, readFile } from 'node:fs/promises';
import { rename, rm } from '../base/heldFiles.ts';
import { withoutWaiting } from '../base/plainFile.ts';

/** What the reminder of the active worktree names. */
export interface ActiveReminder {
  readonly path: string;
  readonly branch: string;
}

/**
 * Reads the state file without a YAML reader, which would cost a hook more than all the rest: one `key: value` a line between two
 * lines of `---`, the value plain or in quotes, as this product and others write it.
 *
 * @returns `undefined` for anything else.
 */
export function readReminder(text: string): ActiveReminder | undefined {
  const [, matter] = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  if (matter === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const line of matter.split(/\r?\n/)) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const [, key, written] = /^([a-z_]+):[ \t]+(.*?)[ \t]*$/.exec(line) ?? [];
    const value = written === undefined ? undefined : scalar(written);
    if (key === undefined || value === undefined || fields.has(key)) return undefined;
    fields.set(key, value);
  }
  const path = fields.get('active_worktree');
  return path ? { path, branch: fields.get('branch') ?? '' } : undefined;
}

/** One YAML scalar on one line; `undefined` for what needs a real reader. */
function scalar(written: string): string | undefined {
  if (written.startsWith('"')) {
    try {
      const value: unknown = JSON.parse(written);
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }
  if (written.startsWith("'"))
    return /^'(?:[^']|'')*'$/.test(written) ? written.slice(1, -1).replaceAll("''", "'") : undefined;
  return /^[\w/~.(\\](?:(?!: | #|\t).)*(?<!:)$/.test(written) ? written : undefined;
}

/**
 * Removes a state file if it still holds the text that was read. It is renamed first, so that one that is written at the same moment is
 * not lost: that one is renamed back, unless a still newer one exists.
 *
 * @param temporary an unused name in the same folder.
 */
export async function removeIfStill(file: string, text: string, temporary: string): Promise<void> {
  await rename(file, temporary);
  try {
    if ((await readFile(temporary, { encoding: 'utf8', flag: withoutWaiting })) !== text)
      await link(temporary, file).catch(() => {});
  } finally {
    await rm(temporary, { force: true });
  }
}
