import { readFile, readdir } from 'node:fs';

/*
 * Small files by the thousand: three of each worktree. `node:fs/promises` makes an object of each file that it opens, which costs two to
 * three times what the reading does; these go by the callbacks of `node:fs`.
 */

/** The text of a file, as UTF-8. Fails as `readFile` of `node:fs/promises` does. */
export function readText(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    readFile(file, 'utf8', (error, text) => (error ? reject(error) : resolve(text)));
  });
}

/** The names in a folder, in no order. Fails as `readdir` of `node:fs/promises` does. */
export function readNames(folder: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    readdir(folder, (error, names) => (error ? reject(error) : resolve(names)));
  });
}
