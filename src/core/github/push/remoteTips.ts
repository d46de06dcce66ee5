import type { Workspace } from '../../worktrees/workspace.ts';
import type { Remote } from '../remotes.ts';
import { remoteProblem, type RefusalContext } from './refusal.ts';

/**
 * The last commits that a remote has of some branches now, by branch; those that it does not have are left out. One request.
 *
 * @throws Problem `offline`, `no-token`, `push-refused` as a push would.
 */
export async function readRemoteTips(
  { git, repository }: Workspace,
  remote: Remote,
  branches: readonly string[],
  context: RefusalContext,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  // Where it is pushed to another address than fetched from, that one counts. Passwords in it stay out of the arguments.
  const place =
    remote.pushUrl === remote.fetchUrl ? remote.name : remote.pushUrl.replace(/^(https?:\/\/)[^/@]*@/, '$1');
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const args = [`--git-dir=${repository.commonDir}`, 'ls-remote', '--', place, ...refs];
  const answer = await git.run(args, { cwd: repository.commonDir, signal });
  if (answer.exitCode !== 0) throw remoteProblem(answer, context);
  const tips = new Map<string, string>();
  for (const line of answer.stdout.split('\n')) {
    const [oid, ref] = line.split('\t');
    const branch = ref?.replace(/^refs\/heads\//, '');
    // `ls-remote` takes names for patterns: `x/refs/heads/y` ends in `refs/heads/y` as well.
    if (oid && branch !== undefined && branches.includes(branch)) tips.set(branch, oid);
  }
  return tips;
}

/** Fetches commits that the remote has and this repository does not, each to the remote's branch here. */
export async function fetchMissing(
  { git, repository }: Workspace,
  remote: Remote,
  tips: ReadonlyMap<string, string>,
  context: RefusalContext,
  signal?: AbortSignal,
): Promise<void> {
  const at = { cwd: repository.commonDir, signal };
  const inGit = `--git-dir=${repository.commonDir}`;
  const input = [...tips.values()].map((oid) => `${oid}\n`).join('');
  const known = await git.text([inGit, 'cat-file', '--batch-check'], { ...at, input });
  const missing = new Set(known.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.split(' ')[0]] : [])));
  const branches = [...tips].filter(([, oid]) => missing.has(oid)).map(([branch]) => branch);
  if (branches.length === 0) return;
  const refspecs = branches.map((branch) => `+refs/heads/${branch}:refs/remotes/${remote.name}/${branch}`);
  const options = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--quiet'];
  const args = [inGit, 'fetch', ...options, '--', remote.name, ...refspecs];
  const answer = await git.run(args, { ...at, writes: true });
  if (answer.exitCode !== 0) throw remoteProblem(answer, context);
}
