/** The ports of one worktree: so many, one after the other. */
export interface PortBlock {
  readonly first: number;
  readonly count: number;
}
