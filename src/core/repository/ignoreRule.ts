/** A file of the product that must never be committed. */
export interface IgnoreRule {
  /** The rule that ignores it. */
  readonly pattern: string;
  /** A path that the rule must catch. */
  readonly example: string;
  /** What the paths begin with that it catches, relative to the root. */
  readonly beginning: string;
}

/** Text as a pattern of git's that means just that. */
export function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
}
