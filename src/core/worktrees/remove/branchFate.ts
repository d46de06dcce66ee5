import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../base/problem.ts';
import { isIntegrated, type Integration, type Landing, type TakenBack } from '../../integration/isIntegrated.ts';
import { sessionSubject } from '../create/sessionCommit.ts';
import type { Snapshot, Worktree } from '../model.ts';
import type { Workspace } from '../workspace.ts';

/** What happens to the branch of a worktree that is removed. */
export interface BranchFate {
  /** The short name. */
  readonly name: string;
  readonly fate: 'delete' | 'keep';
  /** Why, as a sentence part: "it is merged into main". */
  readonly why: string;
  /** The commit it was on when it was looked at. */
  readonly oid: string;
  /**
   * How it came to be in the other branch; `session` when there is no work on it: its only commit is the one that put a session file of
   * its own there. `undefined` for one that is kept.
   */
  readonly landing: Landing | 'session' | undefined;
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
): Promise<BranchFate | undefined> {
  const { repository, configuration } = workspace;
  const name = worktree.branch;
  if (name === undefined) return undefined;
  const bases = [...new Set([worktree.base?.branch, snapshot.trunk])].filter((each) => each !== undefined);
  const { remote } = configuration.stack;
  const refs = bases.flatMap((base) => [
    { base, ref: `refs/heads/${base}` },
    { base: `${remote}/${base}`, ref: `refs/remotes/${remote}/${base}` },
    { base, ref: `refs/remotes/${base}` },
  ]);
  const own = `refs/heads/${name}`;
  const reached = await readRefs(workspace, ['--contains', own], [own, ...refs.map(({ ref }) => ref)], signal);
  const oid = reached.get(own);
  if (oid === undefined) return undefined;
  const keep = (why: string): BranchFate => ({ name, fate: 'keep', why, oid, landing: undefined, proof: undefined });
  if (name === snapshot.trunk) return keep('it is the trunk');
  const others = snapshot.worktrees.filter((each) => each.branch === name && each.path !== worktree.path);
  if (others[0]) return keep(`it is also checked out in ${others.map((each) => each.path).join(', ')}`);
  if (await isHeadOf(repository.commonDir, name)) return keep("it is the repository's own HEAD");
  const remove = (base: string, { how, commit }: Integrated): BranchFate => ({
    name,
    fate: 'delete',
    why: how === 'ancestor' ? `all of it is in ${base}` : `its changes are in ${base}`,
    oid,
    landing: how,
    proof: { into: base, commit },
  });
  const there = await readRefs(
    workspace,
    [],
    refs.map(({ ref }) => ref),
    signal,
  );
  const into = refs.filter(({ ref }) => ref !== own && there.has(ref));
  if (into.length === 0) return keep('there is no base to compare it with');
  // Asking where all of it is by its commits is quick, and says most.
  const inOrder = [...into].sort((one, other) => Number(reached.has(other.ref)) - Number(reached.has(one.ref)));
  for (const { base, ref } of inOrder) {
    const answer = await ask(workspace, worktree, { own, oid, into: ref, holds: reached.has(ref) }, signal);
    if (answer.state !== 'yes') {
      if (answer.state === 'no' && answer.takenBack) return keep(takenBackWords(base, answer.takenBack));
      continue;
    }
    // What is here may be older than what was fetched.
    const later = `refs/remotes/${remote}/${base}`;
    if (there.has(later) && there.get(later) !== there.get(ref)) {
      const now = await ask(workspace, worktree, { own, oid, into: later, holds: reached.has(later) }, signal);
      if (now.state === 'no' && now.takenBack) return keep(takenBackWords(`${remote}/${base}`, now.takenBack));
    }
    return remove(base, answer);
  }
  if (await holdsOnlySession(workspace, worktree, oid, signal)) {
    return {
      name,
      fate: 'delete',
      why: 'it holds nothing but its session file',
      oid,
      landing: 'session',
      proof: undefined,
    };
  }
  return keep(`it is not merged into ${[...new Set(into.map(({ base }) => base))].join(' or ')}`);
}

type Integrated = Extract<Integration, { state: 'yes' }>;

/** A question that could not be answered keeps the branch. */
async function ask(
  { git, repository }: Workspace,
  { entry, branch }: Worktree,
  about: { readonly own: string; readonly oid: string; readonly into: string; readonly holds: boolean },
  signal: AbortSignal | undefined,
): Promise<Integration> {
  const { own, oid, into, holds } = about;
  const recorded = entry?.branch === branch ? entry : undefined;
  if (holds && recorded?.baseCommit === oid) return { state: 'yes', how: 'ancestor', commit: oid };
  const pr = recorded?.pr;
  const [head, commit] = [pr?.['headCommit'], pr?.['mergeCommit']].map((word) =>
    typeof word === 'string' ? word : undefined,
  );
  // What it stands on goes with it as well, unless it is there by its commits.
  const since = holds ? recorded?.baseCommit : undefined;
  const hints = { heads: [head], commits: [commit] };
  try {
    return await isIntegrated(git, repository.commonDir, { branch: own, into, since, hints, signal });
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { state: 'unknown', why: thrown.message };
  }
}

function takenBackWords(base: string, { files }: TakenBack): string {
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return `${base} had its work and took it back (${files[0] ?? ''}${more})`;
}

/** Whether a branch is as `wt create` has made it: its one commit is the one that brought the session file. */
async function holdsOnlySession(
  { git, repository, configuration }: Workspace,
  { entry, name }: Worktree,
  oid: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (entry?.baseCommit === undefined) return false;
  const options = { cwd: repository.commonDir, signal };
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
  const output = await git.line(args, options);
  const [parents, subject, ...files] = (output ?? '').split('\0').map((word) => word.trim());
  const touched = files.filter((file) => file !== '');
  return (
    parents === entry.baseCommit &&
    subject === sessionSubject(name) &&
    touched.length === 1 &&
    touched[0] === configuration.session.session
  );
}

/** The commits of those of the named refs that exist and match; a branch that does not exist is contained in none. */
async function readRefs(
  { git, repository }: Workspace,
  filter: readonly string[],
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', ...filter, ...names];
  const answer = await git.run(args, { cwd: repository.commonDir, signal });
  const refs = answer.stdout.split('\n').map((line): [string, string] => {
    const space = line.lastIndexOf(' ');
    return [line.slice(0, space), line.slice(space + 1)];
  });
  // A name is also a pattern for everything below it.
  return new Map(refs.filter(([name]) => names.includes(name)));
}

/** In a bare layout nothing has the branch of `HEAD` checked out, and yet every clone begins with it. */
export async function isHeadOf(commonDir: string, branch: string): Promise<boolean> {
  const text = await readFile(join(commonDir, 'HEAD'), 'utf8').catch(() => '');
  return text.trim() === `ref: refs/heads/${branch}`;
}
