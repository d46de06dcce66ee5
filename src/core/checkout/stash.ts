import { gitProblem } from '../git/gitError.ts';
import { Problem } from '../base/problem.ts';
import { readAdminDirState } from '../remove/adminDirState.ts';
import { verbatim, type Message } from '../messages/message.ts';
import { checkoutMessages } from '../messages/checkout.ts';
import { removeMessages } from '../messages/remove.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from './checkout.ts';

/** What was not committed in a worktree, put aside in git's stash. */
export interface Stash {
  /** The commit that holds it. */
  readonly oid: string;
  /** What `git stash list` calls it. */
  readonly name: string;
}

/** What became of a stash that was to be brought back. */
export type Unstashed =
  | { readonly state: 'restored' }
  /** All files are back, and what was staged is not staged any more; the stash still has it. */
  | { readonly state: 'unstaged' }
  /** The files are back with conflicts; the stash is kept. */
  | { readonly state: 'conflicts'; readonly files: readonly string[] }
  /** Git has an operation under way in the worktree; the stash waits for its end. */
  | { readonly state: 'waits'; readonly why: Message }
  /** Not brought back, or not all of it; the stash is kept. */
  | { readonly state: 'kept'; readonly why: Message };

/**
 * Stashes what is not committed in a worktree, files that git does not track included.
 *
 * @param name unique: by it the stash is found, here and by a person in the list of stashes, which all worktrees share.
 * @returns `undefined` where there is nothing to stash.
 * @throws Problem of git; where the stash was made before it failed, its name is among the items.
 */
export async function stashChanges(
  workspace: Workspace,
  { path }: Checkout,
  name: string,
  signal?: AbortSignal,
): Promise<Stash | undefined> {
  const { git } = workspace;
  stopIfTaken(await find(workspace, path, (entry) => entry.name === name), name);
  const args = ['stash', 'push', '--include-untracked', '--message', name];
  // Once begun it is not cancelled: git would leave the files half-way.
  signal?.throwIfAborted();
  const answer = await git.run(args, { cwd: path, writes: true });
  const made = await find(workspace, path, (entry) => entry.name === name);
  if (answer.exitCode === 0) return made && { oid: made.oid, name };
  const problem = gitProblem(args, answer);
  throw new Problem(problem.reason, problem.what, {
    next: problem.nextStep,
    items: [...problem.lines, ...(made ? [checkoutMessages.inStash({ name })] : [])],
    outcome: 'incomplete',
    cause: problem,
  });
}

/**
 * Brings a stash back into the worktree that it is from. It is dropped only when everything is back as it was; it is never popped by its
 * position, because another worktree may have stashed something meanwhile.
 */
export async function restoreStash(workspace: Workspace, { path, gitDir }: Checkout, stash: Stash): Promise<Unstashed> {
  const { git } = workspace;
  const at = { cwd: path, writes: true };
  const { operation } = await readAdminDirState(gitDir);
  if (operation !== undefined) return { state: 'waits', why: removeMessages.underWay({ operation }) };
  if (!(await find(workspace, path, ({ oid }) => oid === stash.oid)))
    return { state: 'kept', why: checkoutMessages.stashGone() };

  const before = await unmergedIn(workspace, path);
  if (before.length > 0) return { state: 'conflicts', files: before };
  const staged = await git.run(['stash', 'apply', '--index', stash.oid], at);
  if (staged.exitCode === 0) {
    await drop(workspace, path, stash);
    return { state: 'restored' };
  }
  // What was staged does not fit the new commit; git has touched nothing then.
  const files = await unmergedIn(workspace, path);
  if (files.length > 0) return { state: 'conflicts', files };
  const plain = await git.run(['stash', 'apply', stash.oid], at);
  const conflicts = await unmergedIn(workspace, path);
  if (conflicts.length > 0) return { state: 'conflicts', files: conflicts };
  if (plain.exitCode === 0) return { state: 'unstaged' };
  const [why = ''] = plain.stderr.split('\n');
  return { state: 'kept', why: verbatim(why.replace(/^(error|fatal): /, '')) };
}

interface StashEntry {
  readonly oid: string;
  /** `stash@{0}`. */
  readonly position: string;
  readonly name: string;
}

async function find(
  { git }: Workspace,
  path: string,
  wanted: (entry: StashEntry) => boolean,
): Promise<StashEntry | undefined> {
  const args = ['stash', 'list', '-z', '--format=%H %gd %gs'];
  // Git fails where another process drops the last stash while it lists them; then there is none.
  const lines = await git.nul(args, { cwd: path }).catch(() => git.nul(args, { cwd: path }));
  return lines
    .map((line): StashEntry => {
      const [, oid = '', position = '', subject = ''] = /^(\S+) (\S+) (.*)$/s.exec(line) ?? [];
      return { oid, position, name: subject.replace(/^On .*?: /, '') };
    })
    .find(wanted);
}

/** Another stash can come between the look and the drop: what was dropped by mistake is stored again. */
async function drop(workspace: Workspace, path: string, stash: Stash): Promise<void> {
  const entry = await find(workspace, path, ({ oid }) => oid === stash.oid);
  if (!entry) return;
  const { git } = workspace;
  const dropped = await git.run(['stash', 'drop', entry.position], { cwd: path, writes: true });
  const [, oid] = /\(([0-9a-f]{40,64})\)/.exec(dropped.stdout) ?? [];
  if (dropped.exitCode !== 0 || oid === undefined || oid === stash.oid) return;
  const subject = await git.line(['log', '-1', '--format=%s', oid], { cwd: path });
  await git.text(['stash', 'store', '--message', subject ?? oid, oid], { cwd: path, writes: true });
}

async function unmergedIn({ git }: Workspace, path: string): Promise<string[]> {
  const fields = await git.nul(['diff', '--name-only', '--diff-filter=U', '-z'], { cwd: path });
  return [...new Set(fields)];
}

function stopIfTaken(entry: StashEntry | undefined, name: string): void {
  if (entry) throw new Problem('taken', checkoutMessages.stashTaken({ name }), { outcome: 'incomplete' });
}
