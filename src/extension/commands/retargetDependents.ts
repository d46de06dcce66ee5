import { l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Progress } from '../../core/worktree/model.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Removal } from '../../core/remove/inspect.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { Services } from '../services/services.ts';
import { localized } from '../base/messages.ts';

/**
 * Gives the pull requests into the branch of a worktree their new base before the branch goes, where that needs no question to the person.
 * What could not be done keeps nobody from removing a worktree.
 *
 * @returns sentences for the person; none where there is nothing to say.
 */
export async function retargetDependents(
  { pullRequests, log }: Services,
  workspace: Workspace,
  { worktree, newBase }: Removal,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<string[]> {
  if (newBase === undefined) return [];
  const [{ dependentsWithPulls, retargetDependents: retarget }, { openSession }] = await Promise.all([
    import('../../core/github/pr/retarget.ts'),
    import('../../core/github/connect.ts'),
  ]);
  // An earlier removal of the same selection may have changed bases.
  const snapshot = await readSnapshot(workspace, { signal, withChanges: false });
  const own = snapshot.worktrees.find(({ path }) => path === worktree.path);
  const dependents = own ? dependentsWithPulls(snapshot, own) : [];
  if (!own || dependents.length === 0) return [];
  const accounts = await pullRequests.accounts();
  const session = () =>
    openSession(workspace, { signal, progress, token: (at) => accounts.silent(workspace, at, signal) });
  try {
    const all = await retarget(workspace, snapshot, own, { session, progress, signal });
    for (const { number, from, to, problem } of all)
      if (!problem) log.info(`Pull request #${number} is into ${to} now, instead of ${from}.`);
    return all.flatMap(({ problem }) => (problem ? localized(problem.what) : []));
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const numbers = dependents.map(({ worktree: { entry } }) => `#${entry?.pr?.number}`).join(', ');
    return [
      l10n.t(
        'The pull requests into {0} ({1}) keep it as their base, until "Create or Update Pull Requests of Stack": {2}',
        ...[own.branch ?? own.name, numbers, localized(thrown.what)],
      ),
    ];
  }
}
