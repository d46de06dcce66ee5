/** What an agent may not do with a command. */
export type ViolationKind =
  'push' | 'fetch' | 'remote' | 'unknown-verb' | 'pull-request' | 'github' | 'github-query' | 'poll' | 'unreadable';

/** A forbidden command, as it was found. */
export interface Violation {
  readonly kind: ViolationKind;
  /** The words that were found, as the shell would see them: `git`, `push`. */
  readonly words: readonly string[];
  /** Where they were found, if not plainly in the command: "in the alias p". */
  readonly where?: string;
}
