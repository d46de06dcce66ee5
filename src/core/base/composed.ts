/*
 * macOS: what is typed, completed by a shell or read from a folder may have its accents as signs of their own (`e` and `´`), while git writes
 * names with letters that have them (`é`), and takes its own arguments for such (core.precomposeunicode).
 */

/** A name as git there takes what it is given; on other systems, which tell the two apart, as it is. */
export function asGitTakesIt<T extends string | undefined>(name: T, platform: NodeJS.Platform): T {
  return platform === 'darwin' ? (name?.normalize('NFC') as T) : name;
}

/** Whether two names are one but for how their accents are written. */
export function sameLetters(one: string | undefined, other: string): boolean {
  return one === other || one?.normalize('NFC') === other.normalize('NFC');
}
