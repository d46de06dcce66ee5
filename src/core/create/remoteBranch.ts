import { Problem } from '../base/problem.ts';
import { createMessages } from '../messages/create.ts';
import type { CreateContext } from './context.ts';

/** A branch of a remote. */
export interface RemoteBranch {
  readonly remote: string;
  /** Git knows the remote, so that a branch can follow this one. */
  readonly isConfigured: boolean;
  readonly branch: string;
  /** With the remote's name: `origin/x`. */
  readonly full: string;
  readonly commit: string;
  /** The branches of the same name that other remotes have at the same commit. */
  readonly also: readonly string[];
}

/** A branch of a remote by its name with the remote, such as `origin/x`, or by the short name of one on the configured remote. */
export function findRemoteBranch(
  { branches, workspace }: Pick<CreateContext, 'branches' | 'workspace'>,
  asked: string,
): RemoteBranch | undefined {
  const configured = workspace.configuration.stack.remote;
  const full = asked.replace(/^refs\/remotes\//, '');
  const direct = branches.remote.oids.get(`refs/remotes/${full}`);
  if (direct !== undefined) {
    const remote = full.startsWith(`${configured}/`) ? configured : (full.split('/')[0] ?? '');
    return { remote, isConfigured: true, branch: full.slice(remote.length + 1), full, commit: direct, also: [] };
  }
  const commit = branches.remote.oids.get(`refs/remotes/${configured}/${asked}`);
  return commit === undefined
    ? undefined
    : { remote: configured, isConfigured: true, branch: asked, full: `${configured}/${asked}`, commit, also: [] };
}

/** Whether something that may be a remote has a branch of the name. */
export function isOnRemote({ branches }: Pick<CreateContext, 'branches'>, branch: string): boolean {
  return [...branches.remote.oids.keys()].some((ref) => ref.endsWith(`/${branch}`));
}

/**
 * The branch of a name that remotes have. Where several have one, it is that of the remote which git is configured to prefer
 * (`checkout.defaultRemote`); where all of them are at one commit, that of the configured remote.
 *
 * @throws Problem `ambiguous` when they are at different commits.
 */
export async function remoteBranchNamed(context: CreateContext, branch: string): Promise<RemoteBranch | undefined> {
  const { branches, workspace, signal } = context;
  if (!isOnRemote(context, branch)) return undefined;
  const { git, repository, configuration } = workspace;
  const repo = git.in(repository.commonDir);
  const known = new Set((await repo.text(['remote'], { signal })).split('\n').filter((remote) => remote !== ''));
  const found = [...new Set([...known, configuration.stack.remote])].flatMap((remote): RemoteBranch[] => {
    const commit = branches.remote.oids.get(`refs/remotes/${remote}/${branch}`);
    const full = `${remote}/${branch}`;
    return commit === undefined ? [] : [{ remote, isConfigured: known.has(remote), branch, full, commit, also: [] }];
  });
  const [first, ...others] = found;
  if (!first || others.length === 0) return first;
  const preferred = await repo.line(['config', '--get', 'checkout.defaultRemote'], { signal });
  const chosen = found.find(({ remote }) => remote === preferred);
  if (chosen) return chosen;
  const names = found.map(({ full }) => full);
  if (others.some(({ commit }) => commit !== first.commit)) throw severalRemotes(branch, names);
  const own = found.find(({ remote }) => remote === configuration.stack.remote) ?? first;
  return { ...own, also: names.filter((name) => name !== own.full) };
}

function severalRemotes(branch: string, names: readonly string[]): Problem {
  return new Problem('ambiguous', createMessages.severalRemotesHave({ branch, branches: names.join(', ') }), {
    next: createMessages.nameRemoteBranch({ branch: names[0] ?? '' }),
    items: names,
    outcome: 'incomplete',
  });
}
