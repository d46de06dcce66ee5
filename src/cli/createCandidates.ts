import { Git } from '../core/git/git.ts';
import { readBranches, readRemoteBranches } from '../core/git/refs.ts';
import { readOpenPulls } from '../core/github/pulls/openPulls.ts';
import type { Environment } from '../core/base/environment.ts';
import { readConfiguration } from '../core/repository/configuration.ts';
import { locate } from '../core/repository/identity.ts';
import { listTasks } from '../core/session/tasks.ts';
import { readTaskFile } from '../core/tasks/taskFile.ts';
import { readListing } from '../core/worktree/worktreeList.ts';
import type { Candidate } from './completions.ts';

/**
 * What a new worktree can be made of: branches without one, those that only a remote has, the tasks of the session file, and the open pull
 * requests that somebody has asked GitHub for before. Asks no server.
 */
export async function createCandidates(
  environment: Environment,
  folder: string,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const git = new Git(environment);
  const { repository } = await locate(git, folder, signal);
  const configuration = await readConfiguration(repository.mainRoot);
  const workspace = { environment, git, repository, configuration };
  const [local, remote, listing, { pulls }, file] = await Promise.all([
    readBranches(git, repository.commonDir, signal),
    readRemoteBranches(git, repository.commonDir, signal),
    readListing(workspace, signal),
    readOpenPulls(repository),
    // A session file that cannot be read keeps nobody from completing the rest.
    readTaskFile(workspace).catch(() => undefined),
  ]);
  const taken = new Set(listing.map(({ branch }) => branch));
  const free = [...local.values()].filter(({ name }) => !taken.has(name));
  const continued = new Map<string, string>();
  for (const ref of remote.oids.keys()) {
    const full = ref.replace('refs/remotes/', '');
    const short = full.slice(full.indexOf('/') + 1);
    if (!local.has(short) && !continued.has(short)) continued.set(short, full);
  }
  return [
    ...free.map(({ name, subject }) => ({ value: name, description: subject })),
    ...[...continued].map(([value, full]) => ({ value, description: `continues ${full}` })),
    ...pulls.map(({ number, title, fork, draft }) => ({
      value: `pr:${number}`,
      description: [title, fork === undefined ? [] : `from ${fork}`, draft ? 'draft' : []].flat().join(', '),
    })),
    ...(file ? listTasks(file.document).pending : []).map(({ name }) => ({
      value: `--task=${name}`,
      description: 'a task of the session file',
    })),
  ];
}
