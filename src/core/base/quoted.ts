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

/** What PowerShell takes for a single quote: those of typography as well, which names of folders may hold. */
const singleQuotes = /['\u2018-\u201b]/g;

/** A word of PowerShell in which nothing means anything to it. */
export function powerShellWord(text: string): string {
  return `'${text.replaceAll(singleQuotes, '$&$&')}'`;
}

/**
 * The same without a letter that is not ASCII, for a script on disk: Windows' own PowerShell reads one without a byte order mark in the code
 * page of the system.
 */
export function powerShellAsciiWord(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return powerShellWord(text);
  const units = text.split('').map((unit) => {
    if (/["`$]/.test(unit)) return `\`${unit}`;
    return /[\x20-\x7e]/.test(unit) ? unit : `$([char]${unit.charCodeAt(0)})`;
  });
  return `"${units.join('')}"`;
}
