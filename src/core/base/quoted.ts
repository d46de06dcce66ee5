/** A word as a person copies it into a command line. */
export function quoted(word: string): string {
  return /^[\p{L}\p{N}_./@+-]+$/u.test(word) ? word : JSON.stringify(word);
}

/** A path as a person pastes it into a shell: nothing in it is expanded there. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
