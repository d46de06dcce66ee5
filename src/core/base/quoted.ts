/** A word as a person copies it into a command line. */
export function quoted(word: string): string {
  if (/^[\p{L}\p{N}_./@+-]+$/u.test(word)) return word;
  // A path of Windows holds no quote, and every shell there takes a backslash between quotes for itself.
  return /^(?:[a-z]:\\|\\\\)[^"]*$/i.test(word) ? `"${word}"` : JSON.stringify(word);
}

/** A path as a person pastes it into a shell: nothing in it is expanded there. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** A word of PowerShell in which nothing means anything to it. */
export function powerShellWord(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
