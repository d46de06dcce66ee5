/** The character between the brackets of a task; `undefined` for what is no task. */
export function markOf(entry: string | undefined): string | undefined {
  return /^\s*[-*+] \[(.)\]/u.exec(entry ?? '')?.[1];
}

/** The first line of an entry, of a task without its mark. */
export function restOf(entry: string): string {
  return (entry.split('\n')[0] ?? '').replace(/^(\s*[-*+] )\[.\]/u, '$1').trimEnd();
}
