import { fieldsOf } from './repositoryGit.ts';

/** One entry of `git worktree list --porcelain -z`. */
export interface ListedWorktree {
  /** The absolute path, as git has it on record. */
  readonly path: string;
  /** The commit that is checked out; `undefined` for a bare repository and for a branch without commits. */
  readonly head: string | undefined;
  /** The short name of the branch that is checked out; `undefined` when detached or bare. */
  readonly branch: string | undefined;
  readonly bare: boolean;
  readonly detached: boolean;
  /** Why it is locked, empty where no reason was given; `undefined` when it is not locked. */
  readonly lockReason: string | undefined;
  /** Why git would prune it, `undefined` when it would not. */
  readonly prunableReason: string | undefined;
}

/**
 * Reads the output of `git worktree list --porcelain -z`: attributes end in NUL, a record ends in an empty attribute. The
 * first record is the main working tree or the bare repository. Unknown attributes of later git versions are passed over.
 */
export function parseWorktreeList(output: string): ListedWorktree[] {
  return output
    .split('\0\0')
    .map((record) => fieldsOf(record))
    .filter((attributes) => attributes.length > 0)
    .map(toWorktree);
}

function toWorktree(attributes: readonly string[]): ListedWorktree {
  const values = new Map<string, string>();
  for (const attribute of attributes) {
    const space = attribute.indexOf(' ');
    if (space < 0) values.set(attribute, '');
    else values.set(attribute.slice(0, space), attribute.slice(space + 1));
  }
  const head = values.get('HEAD');
  return {
    path: values.get('worktree') ?? '',
    head: head === undefined || /^0+$/.test(head) ? undefined : head,
    branch: values.get('branch')?.replace(/^refs\/heads\//, ''),
    bare: values.has('bare'),
    detached: values.has('detached'),
    lockReason: values.get('locked'),
    prunableReason: values.get('prunable'),
  };
}
