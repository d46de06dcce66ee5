import { verbatim, type Message } from '../messages/message.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IntegrationKind } from '../integration/isIntegrated.ts';
import { sessionSubject } from '../create/sessionCommit.ts';
import { mergedInto } from '../integration/mergedInto.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeMessages } from '../messages/remove.ts';

/** What happens to the branch of a worktree that is removed. */
export interface BranchDeletion {
  /** The short name. */
  readonly name: string;
  readonly decision: 'delete' | 'keep';
  /** Why, as a sentence part: "it is merged into main". */
  readonly why: Message;
  /** The commit it was on when it was inspected. */
  readonly oid: string;
  /**
   * How it came to be in the other branch; `session` when there is no work on it: its only commit is the one that put a session file of
   * its own there. `undefined` for one that is kept.
   */
  readonly integration: IntegrationKind | 'session' | undefined;
  /** The base that holds it, and a commit there that proves it. */
  readonly proof: { readonly into: string; readonly commit: string } | undefined;
}

/**
 * Decides whether a branch goes with its worktree: only when everything on it is in its base or in trunk, here or on the
 * remote, and nobody else has it checked out. In doubt it is kept.
 *
 * @returns `undefined` when the worktree is on no branch, or on one without a commit.
 */
export async function decideBranch(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  signal?: AbortSignal,
): Promise<BranchDeletion | undefined> {
  const { repository } = workspace;
  const name = worktree.branch;
  if (name === undefined) return undefined;
  const bases = [...new Set([worktree.base?.branch, snapshot.trunk])].filter((each) => each !== undefined);
  const entry = worktree.entry?.branch === name ? worktree.entry : undefined;
  const found = await mergedInto(workspace, { branch: name, entry, bases, signal });
  if (found.state === 'absent') return undefined;
  const { oid } = found;
  const keep = (why: Message): BranchDeletion => ({
    name,
    decision: 'keep',
    why,
    oid,
    integration: undefined,
    proof: undefined,
  });
  if (name === snapshot.trunk) return keep(removeMessages.isTrunk());
  const others = snapshot.worktrees.filter((each) => each.branch === name && each.path !== worktree.path);
  if (others[0]) return keep(removeMessages.alsoCheckedOut({ others: others.map((each) => each.path).join(', ') }));
  if (await isHeadOf(repository.commonDir, name)) return keep(removeMessages.isRepositoryHead());
  if (found.state === 'merged') {
    const { how, into, commit } = found;
    const why = how === 'ancestor' ? removeMessages.allIsIn({ into }) : removeMessages.changesAreIn({ into });
    return { name, decision: 'delete', why, oid, integration: how, proof: { into, commit } };
  }
  if (await holdsOnlySession(workspace, worktree, oid, signal)) {
    return {
      name,
      decision: 'delete',
      why: removeMessages.onlySessionFile(),
      oid,
      integration: 'session',
      proof: undefined,
    };
  }
  return keep(verbatim(found.why));
}

/** Whether a branch is as `wt create` has made it: its one commit is the one that brought the session file. */
async function holdsOnlySession(
  { git, repository, configuration }: Workspace,
  { entry, name }: Worktree,
  oid: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (entry?.baseCommit === undefined) return false;
  const options = { signal };
  const args = [
    'log',
    '-1',
    '--no-show-signature',
    '--format=%P%x00%s%x00',
    '--name-only',
    '-z',
    '--no-renames',
    oid,
    '--',
  ];
  const output = await git.in(repository.commonDir).line(args, options);
  const [parents, subject, ...files] = (output ?? '').split('\0').map((word) => word.trim());
  const touched = files.filter((file) => file !== '');
  return (
    parents === entry.baseCommit &&
    subject === sessionSubject(name) &&
    touched.length === 1 &&
    touched[0] === configuration.session.session
  );
}

/** In a bare layout nothing has the branch of `HEAD` checked out, and yet every clone begins with it. */
export async function isHeadOf(commonDir: string, branch: string): Promise<boolean> {
  const text = await readFile(join(commonDir, 'HEAD'), 'utf8').catch(() => '');
  return text.trim() === `ref: refs/heads/${branch}`;
}
