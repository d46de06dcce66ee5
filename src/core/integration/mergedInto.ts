import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import { isIntegrated, type Integration, type IntegrationKind, type RevertedWork } from './isIntegrated.ts';
import type { RegistryEntry } from '../repository/registry.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { integrationMessages } from '../messages/integration.ts';

/** A branch to check against its bases. */
export interface MergedQuestion {
  /** The short name. */
  readonly branch: string;
  /** The registry entry of this branch: its base commit and its pull request are hints. */
  readonly entry: RegistryEntry | undefined;
  /** The branches that may hold it, here or on the remote. */
  readonly bases: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Whether the work of a branch is in a base. */
export type MergeState =
  | {
      readonly state: 'merged';
      /** The branch's last commit. */
      readonly oid: string;
      /** The base that holds it, `origin/main` where the remote's does. */
      readonly into: string;
      readonly how: IntegrationKind;
      /** A commit of that base that holds it. */
      readonly commit: string;
    }
  | {
      readonly state: 'not-merged';
      readonly oid: string;
      /** Why not, as a sentence part. */
      readonly why: Message;
    }
  /** The branch does not exist. */
  | { readonly state: 'absent' };

/** Finds the base that holds all of a branch's work now, here or as it was fetched last from the remote; in doubt it is not merged. */
export async function mergedInto(workspace: Workspace, question: MergedQuestion): Promise<MergeState> {
  const { branch, bases, signal } = question;
  const { remote } = workspace.configuration.stack;
  const refs = bases.flatMap((base) => [
    { base, ref: `refs/heads/${base}` },
    { base: `${remote}/${base}`, ref: `refs/remotes/${remote}/${base}` },
    { base, ref: `refs/remotes/${base}` },
  ]);
  const own = `refs/heads/${branch}`;
  const names = [own, ...refs.map(({ ref }) => ref)];
  const [reached, there] = await Promise.all([
    readRefs(workspace, ['--contains', own], names, signal),
    readRefs(workspace, [], names, signal),
  ]);
  const oid = there.get(own);
  if (oid === undefined) return { state: 'absent' };
  const no = (why: Message): MergeState => ({ state: 'not-merged', oid, why });
  const into = refs.filter(({ ref }) => ref !== own && there.has(ref));
  if (into.length === 0) return no(integrationMessages.noBaseCompare());
  // Bases that contain its commits are checked first, which is cheap.
  const inOrder = [...into].sort((one, other) => Number(reached.has(other.ref)) - Number(reached.has(one.ref)));
  const asked = (ref: string): Promise<Integration> => ask(workspace, question, { oid, ref, holds: reached.has(ref) });
  for (const { base, ref } of inOrder) {
    const answer = await asked(ref);
    if (answer.state === 'no' && answer.reverted) return no(revertedMessage(base, answer.reverted));
    if (answer.state !== 'yes') continue;
    // The local base may be older than the remote's.
    const later = `refs/remotes/${remote}/${base}`;
    const now = there.has(later) && there.get(later) !== there.get(ref) ? await asked(later) : answer;
    if (now.state === 'no' && now.reverted) return no(revertedMessage(`${remote}/${base}`, now.reverted));
    return { state: 'merged', oid, into: base, how: answer.how, commit: answer.commit };
  }
  return no(integrationMessages.notMergedInto({ detail: [...new Set(into.map(({ base }) => base))].join(' or ') }));
}

async function ask(
  { git, repository }: Workspace,
  { entry, signal }: MergedQuestion,
  { oid, ref, holds }: { readonly oid: string; readonly ref: string; readonly holds: boolean },
): Promise<Integration> {
  if (holds && entry?.baseCommit === oid) return { state: 'yes', how: 'ancestor', commit: oid };
  const pr = entry?.pr;
  const [head, commit] = [pr?.['headCommit'], pr?.['mergeCommit']].map((word) =>
    typeof word === 'string' ? word : undefined,
  );
  // Otherwise the work of its base must be there as well: the branch may be the only one that still has it.
  const since = holds ? entry?.baseCommit : undefined;
  const hints = { heads: [head], commits: [commit] };
  try {
    return await isIntegrated(git, repository.commonDir, { branch: oid, into: ref, since, hints, signal });
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { state: 'unknown', why: thrown.what };
  }
}

function revertedMessage(base: string, { files }: RevertedWork): Message {
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return integrationMessages.workReverted({ base, detail: files[0] ?? '', more });
}

/** The commits of those of the named refs that exist and match; a branch that does not exist is contained in none. */
async function readRefs(
  { git, repository }: Workspace,
  filter: readonly string[],
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', ...filter, ...names];
  const answer = await git.in(repository.commonDir).run(args, { signal });
  const refs = answer.stdout.split('\n').map((line): [string, string] => {
    const space = line.lastIndexOf(' ');
    return [line.slice(0, space), line.slice(space + 1)];
  });
  // A name is also a pattern for everything below it.
  return new Map(refs.filter(([name]) => names.includes(name)));
}
