import type { Workspace } from '../worktree/workspace.ts';
import type { CreateData } from './createData.ts';

/** Lets a branch that was made follow the one that it continues, as git does. */
export async function track(
  { git, repository }: Workspace,
  { branch, tracking }: Pick<CreateData, 'branch' | 'tracking'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!tracking) return;
  const repo = git.in(repository.commonDir);
  for (const [key, value] of settingsOf(branch, tracking)) {
    await repo.text(['config', '--replace-all', key, value], { writes: true, signal });
  }
}

/** Takes back what {@link track} has set. Doing it twice is harmless; what somebody has changed stays. */
export async function untrack(
  { git, repository }: Workspace,
  { branch, tracking }: Pick<CreateData, 'branch' | 'tracking'>,
): Promise<void> {
  if (!tracking) return;
  const repo = git.in(repository.commonDir);
  for (const [key, value] of settingsOf(branch, tracking)) {
    await repo.run(['config', '--fixed-value', '--unset-all', key, value], { writes: true });
  }
}

function settingsOf(branch: string, { remote, ref }: NonNullable<CreateData['tracking']>): [string, string][] {
  return [
    [`branch.${branch}.remote`, remote],
    [`branch.${branch}.merge`, ref],
  ];
}
