import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { Problem } from '../base/problem.ts';
import { repositoryArgs } from './checkout.ts';
import type { ResolvedRequest } from './resolveRequest.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { createMessages } from '../messages/create.ts';

/** What is committed as the session file: the file at an absolute path, or a text. */
export type SessionSource = { readonly file: string } | { readonly text: string };

/** The first line of the message of the commit that brings a session file; it tells that commit from work. */
export function sessionSubject(name: string): string {
  return `Session for ${name}`;
}

/**
 * Makes the commit that puts a session file at its configured path on top of a plan's start commit. Only objects are
 * written, through an index of its own: no branch moves, and the user's index and working tree are not looked at.
 *
 * @returns the commit; the start commit itself when it holds the very same file already.
 * @throws Problem with git's words, such as when git does not know who commits.
 */
export async function commitSession(
  workspace: Workspace,
  plan: Pick<ResolvedRequest, 'name' | 'startCommit'>,
  source: SessionSource,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { git, repository, configuration } = workspace;
  const { commonDir } = repository;
  const target = configuration.session.session;
  const scratch = await mkdtemp(join(tmpdir(), 'worktree-stacks-'));
  const options = { signal, writes: true, variables: { GIT_INDEX_FILE: join(scratch, 'index') } };
  const ask = async (...args: string[]): Promise<string> => (await git.in(commonDir).text(args, options)).trim();
  // In the working tree, whose attributes say how files of that path are stored.
  const hashed = async (): Promise<string> => {
    const from = 'file' in source ? ['--', source.file] : ['--stdin'];
    const args = [...repositoryArgs(workspace), 'hash-object', '-w', `--path=${target}`, ...from];
    const input = 'text' in source ? { input: source.text } : {};
    return (await git.text(args, { ...options, ...input, cwd: repository.mainRoot })).trim();
  };
  try {
    const [blob, treeBefore] = await Promise.all([
      hashed(),
      ask('rev-parse', '--verify', `${plan.startCommit}^{tree}`),
      ask('read-tree', plan.startCommit),
    ]);
    const update = ['update-index', '--add', '--cacheinfo', `100644,${blob},${target}`];
    const answer = await git.in(commonDir).run(update, options);
    if (answer.exitCode !== 0) {
      throw new Problem('taken', createMessages.sessionFileInTheWay({ target }), {
        next: createMessages.correctSessionSession(),
        items: answer.stderr.split('\n').filter((line) => line !== ''),
      });
    }
    const tree = await ask('write-tree');
    if (tree === treeBefore) return plan.startCommit;
    return await ask('commit-tree', tree, '-p', plan.startCommit, '-m', sessionSubject(plan.name));
  } finally {
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}
