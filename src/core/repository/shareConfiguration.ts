/** How something git-ignored of the main working tree is brought to a new worktree, where the team has said how. */
export type ShareMethod = 'reflink' | 'copy' | 'hardlink' | 'link';

/** What is to be brought along. */
export interface ShareRule {
  /** Names it in the syntax of `.gitignore`. */
  readonly pattern: string;
  /** `undefined`: as cheaply as is safe. */
  readonly method: ShareMethod | undefined;
}

/** How `worktree.share` is written in `.worktrees.yml`. */
export type WrittenShare = readonly (string | { readonly path: string; readonly how?: ShareMethod })[];

/** The rules of `worktree.share`, in their order. */
export function shareRules(written: WrittenShare = []): ShareRule[] {
  return written.map((each) =>
    typeof each === 'string' ? { pattern: each, method: undefined } : { pattern: each.path, method: each.how },
  );
}
