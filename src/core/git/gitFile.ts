/** The path in the text of a `.git` file, as it is written there; `undefined` when the text is something else. */
export function gitFileTarget(text: string): string | undefined {
  return /^gitdir: ([^]+?)[\r\n]*$/.exec(text)?.[1];
}
