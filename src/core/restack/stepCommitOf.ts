import type { Git } from '../git/git.ts';
import { stepCommit } from '../git/commitObject.ts';

/** Makes the commit of a tree on top of another commit; the same one each time. */
export async function stepCommitOf(
  git: Git,
  commonDir: string,
  tree: string,
  parent: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin'];
  const input = stepCommit(tree, [parent]);
  return (await git.in(commonDir).text(args, { writes: true, signal, input })).trim();
}
