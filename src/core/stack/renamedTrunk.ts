import { fetchRefs } from '../git/fetchRefs.ts';
import { readRegistry, updateRegistry } from '../repository/registry.ts';
import { renamedTrunkKey } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { StackState } from './readStack.ts';
import type { Message } from '../messages/message.ts';
import { stackMessages } from '../messages/stack.ts';

/** How long, in milliseconds, a remote may be silent. */
const patience = 60_000;

/**
 * Follows a trunk that was renamed on the remote: the old name is gone there, and the branch that is the default now holds all that the
 * old one had. Bases follow, and so does a trunk that the configuration names.
 *
 * @param ask the trunk could not be fetched, so the remote is asked for its default branch; otherwise only local refs are read.
 * @returns what has happened, as a sentence; `undefined` when nothing was renamed.
 */
export async function followRenamedTrunk(
  workspace: Workspace,
  { stack, branches }: Pick<StackState, 'stack' | 'branches'>,
  { ask, signal }: { readonly ask: boolean; readonly signal: AbortSignal | undefined },
): Promise<Message | undefined> {
  const { environment, git, repository, configuration } = workspace;
  const repo = git.in(repository.commonDir);
  const { remote, trunk: configured } = configuration.stack;
  const at = { signal };
  const { worktrees } = await readRegistry(repository);
  const bases = new Set([...worktrees.values()].map(({ base }) => base));
  const isGone = (name: string): boolean => !branches.remote.oids.has(`refs/remotes/${remote}/${name}`);
  // Only a branch that was the trunk counts: any other one that is gone was merged, or given up.
  const usual = [configured, branches.first, 'main', 'master'].filter((name) => name !== undefined);
  const old = ask
    ? stack.trunk
    : usual.find((name) => name !== stack.trunk && bases.has(name) && isGone(name) && !stack.branches.has(name));
  const now = old === undefined ? undefined : ask ? await askDefault(old) : defaultHere();
  if (old === undefined || now === undefined || now === old) return undefined;
  const ref = `refs/remotes/${remote}/${now}`;
  if (ask && (await fetchRefs(repo, remote, [`+refs/heads/${now}:${ref}`], signal)).exitCode !== 0) return undefined;
  const before = branches.remote.oids.get(`refs/remotes/${remote}/${old}`);
  const stoodOn = [...worktrees.values()].flatMap(({ base, baseCommit }) => (base === old ? (baseCommit ?? []) : []));
  const known = before === undefined ? stoodOn : [before];
  const inside = await Promise.all(known.map((oid) => repo.isAncestor(oid, ref, at)));
  if (known.length === 0 || inside.includes(false)) return undefined;
  const write = { ...at, writes: true };
  await repo.run(['symbolic-ref', `refs/remotes/${remote}/HEAD`, ref], write);
  if (before !== undefined) await repo.run(['update-ref', '-d', `refs/remotes/${remote}/${old}`, before], write);
  if (configured === old) await repo.run(['config', renamedTrunkKey(old), now], write);
  await updateRegistry(environment, repository, ({ worktrees: all }) => {
    for (const [name, entry] of all) if (entry.base === old) all.set(name, { ...entry, base: now });
    return [...worktrees.values()].some(({ base }) => base === old);
  });
  const about = { remote, old, now };
  return configured === old ? stackMessages.trunkRenamedConfigured(about) : stackMessages.trunkRenamed(about);

  function defaultHere(): string | undefined {
    const prefix = `refs/remotes/${remote}/`;
    const full = branches.remote.defaults.get(`${prefix}HEAD`);
    return full?.startsWith(prefix) && full.slice(prefix.length) === stack.trunk ? stack.trunk : undefined;
  }

  /** The default branch of the remote, if the given one is gone there. */
  async function askDefault(gone: string): Promise<string | undefined> {
    const args = ['ls-remote', '--symref', remote, 'HEAD', `refs/heads/${gone}`];
    const answer = await repo.run(args, { ...at, silenceLimit: patience });
    if (answer.exitCode !== 0 || answer.stdout.includes(`\trefs/heads/${gone}\n`)) return undefined;
    return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(answer.stdout)?.[1];
  }
}
