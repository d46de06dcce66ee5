import { readFile } from 'node:fs/promises';
import { isWithin } from './paths.ts';

/**
 * The places below a folder, given by its real path, at which another disk, or another folder of the same one, is mounted.
 * Known on Linux only; elsewhere none are found.
 */
export async function mountsBelow(folder: string): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return parseMounts(text).filter((place) => place !== folder && isWithin(folder, place));
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
