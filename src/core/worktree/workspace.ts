import type { Environment } from '../base/environment.ts';
import type { Git } from '../git/git.ts';
import type { Configuration } from '../repository/configuration.ts';
import type { Repository } from '../repository/identity.ts';

/** What every operation on worktrees works with: built once by the command line, once per repository by the extension. */
export interface Workspace {
  readonly environment: Environment;
  readonly git: Git;
  readonly repository: Repository;
  readonly configuration: Configuration;
  /** The working tree that the person stands in, where that is known: it is found even where nothing else tells its place. */
  readonly here?: { readonly gitDir: string; readonly root: string } | undefined;
}
