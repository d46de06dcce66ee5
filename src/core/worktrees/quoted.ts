/** A word as a person copies it into a command line. */
export function quoted(word: string): string {
  return /^[\p{L}\p{N}_./@+-]+$/u.test(word) ? word : JSON.stringify(word);
}
