import type { Workspace } from '../../worktree/workspace.ts';
import { nameOn, pushPlaces, pushedElsewhere, type Remote } from '../remotes.ts';
import { PushRefusal } from './pushRefusal.ts';
import { remoteProblem, type RefusalContext } from './refusal.ts';
import { githubMessages } from '../../messages/github.ts';

/**
 * The last commits that the place which a remote is pushed to has of some branches now, by branch; those that it does not have are left
 * out. One request; one for each address where git pushes to several.
 *
 * @param also other branches of which it would be good to know.
 * @throws Problem `offline`, `no-token`, `push-refused` as a push would; `push-refused` also where several addresses have different commits
 *   of a branch: what may be replaced in one of them may not in the other.
 */
export async function readRemoteTips(
  workspace: Workspace,
  remote: Remote,
  branches: readonly string[],
  context: RefusalContext,
  signal?: AbortSignal,
  also: readonly string[] = [],
): Promise<Map<string, string>> {
  // A place that is known by its address alone is of no interest but for these.
  const names = [...new Set(remote.names ? branches : [...branches, ...also])];
  const [first = new Map<string, string>(), ...others] = await Promise.all(
    placesOf(remote).map((place) => tipsAt(workspace, remote, place, names, context, signal)),
  );
  for (const branch of branches) {
    if (others.every((tips) => tips.get(branch) === first.get(branch))) continue;
    throw new PushRefusal(
      'other',
      githubMessages.notPushedPushed({ what: context.what, remoteName: remote.name, branch }),
      {
        next: githubMessages.bringThemTogether({ branch, remoteName: remote.name }),
        items: pushPlaces(remote),
      },
    );
  }
  return first;
}

/** The remote by its name, or by address where it is pushed to another one than it is fetched from: passwords stay out of the arguments. */
function placesOf(remote: Remote): string[] {
  return pushedElsewhere(remote) ? pushPlaces(remote) : [remote.name];
}

async function tipsAt(
  { git, repository }: Workspace,
  remote: Remote,
  place: string,
  branches: readonly string[],
  context: RefusalContext,
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const refs = new Map(branches.map((branch) => [branch, `refs/heads/${nameOn(remote, branch)}`]));
  const args = ['ls-remote', '--', place, ...new Set(refs.values())];
  const answer = await git.in(repository.commonDir).run(args, { signal });
  if (answer.exitCode !== 0) throw remoteProblem(answer, context);
  const tips = new Map<string, string>();
  for (const line of answer.stdout.split('\n')) {
    const [oid, ref] = line.split('\t');
    // `ls-remote` takes names for patterns: `x/refs/heads/y` ends in `refs/heads/y` as well.
    for (const [branch, its] of refs) if (oid && its === ref) tips.set(branch, oid);
  }
  return tips;
}

/**
 * Fetches commits that the place has which is pushed to and this repository does not: each to the remote's branch here. Where that is
 * another place than is fetched from, only the commits come; what git has fetched of the remote goes on meaning where it was fetched.
 *
 * @returns how many branches were fetched.
 */
export async function fetchMissing(
  { git, repository }: Workspace,
  remote: Remote,
  tips: ReadonlyMap<string, string>,
  context: RefusalContext,
  signal?: AbortSignal,
): Promise<number> {
  const at = { signal };
  const input = [...tips.values()].map((oid) => `${oid}\n`).join('');
  const known = await git.in(repository.commonDir).text(['cat-file', '--batch-check'], { ...at, input });
  const missing = new Set(known.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.split(' ')[0]] : [])));
  const branches = [...tips].filter(([, oid]) => missing.has(oid)).map(([branch]) => branch);
  if (branches.length === 0) return 0;
  const elsewhere = pushedElsewhere(remote);
  const [place = remote.name] = placesOf(remote);
  const refspecs = branches.map((branch) =>
    elsewhere ? `refs/heads/${nameOn(remote, branch)}` : `+refs/heads/${branch}:refs/remotes/${remote.name}/${branch}`,
  );
  const options = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--quiet'];
  const args = ['fetch', ...options, '--', place, ...refspecs];
  const answer = await git.in(repository.commonDir).run(args, { ...at, writes: true });
  if (answer.exitCode !== 0) throw remoteProblem(answer, context);
  return branches.length;
}
