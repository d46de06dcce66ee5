import { readFile } from 'node:fs/promises';
import type { Environment } from './environment.ts';
import { isWithin } from './paths.ts';
import { runProgram } from './process.ts';

/** How long the system may take to list what is mounted, in milliseconds. */
const patience = 5000;

/**
 * The places below a folder, given by its real path, at which another disk, or another folder of the same one, is mounted.
 * Known on Linux and macOS; elsewhere none are found.
 */
export async function mountsBelow(
  { platform, variables }: Pick<Environment, 'platform' | 'variables'>,
  folder: string,
): Promise<string[]> {
  const places =
    platform === 'darwin'
      ? parseMountTable((await runProgram('mount', [], { variables, timeout: patience })).stdout)
      : parseMounts(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''));
  return places.filter((place) => place !== folder && isWithin(folder, place));
}

/**
 * The mount points of a text in the format of `/proc/self/mountinfo` (proc(5)): the fifth word of each line, in which blanks,
 * line breaks and backslashes are written as octal numbers.
 */
export function parseMounts(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const place = line.split(' ')[4];
    if (place === undefined) return [];
    return place.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
  });
}

/** The mount points of what macOS's `mount` prints: `device on place (file system, options)`. */
export function parseMountTable(text: string): string[] {
  return text.split('\n').flatMap((line) => / on (.+) \([^()]*\)$/.exec(line)?.[1] ?? []);
}
