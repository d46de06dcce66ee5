import type { Problem } from '../../base/problem.ts';
import { pullRequestState } from '../../repository/standing.ts';
import type { Snapshot } from '../../worktree/model.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { Group, PushStep } from '../push/decideAll.ts';
import { PushRefusal } from '../push/pushRefusal.ts';
import { worktreeGraph } from '../../stack/graph.ts';
import { History } from '../../stack/history.ts';
import { namesOf, type PlanPull } from './model.ts';
import { planBases } from './planBases.ts';
import { recordedBaseOf } from './recordBases.ts';
import { githubMessages } from '../../messages/github.ts';

/**
 * In which order branches are pushed while GitHub cannot be asked: what is recorded of open pull requests is taken for true, and stays.
 *
 * @throws PushRefusal `contained` when GitHub would take one for merged, whatever the order.
 */
export async function orderByRecords(
  { git, repository }: Workspace,
  snapshot: Snapshot,
  groups: readonly Group[],
  about: { readonly unasked: Problem | undefined; readonly command: string; readonly signal: AbortSignal | undefined },
): Promise<PushStep[][]> {
  const moving = groups.flatMap(({ steps }) => steps.filter(({ way }) => way.kind !== 'unchanged'));
  const refs = new Map(groups.flatMap(({ tips }) => [...tips]));
  const open = [...worktreeGraph(snapshot).branches.values()].filter(
    ({ worktree: { entry } }) => pullRequestState(entry) === 'open',
  );
  const pulls = open.flatMap(({ branch, worktree: { entry } }): PlanPull[] => {
    const base = recordedBaseOf(entry);
    if (base === undefined || !entry?.pr || !refs.has(branch) || !refs.has(base)) return [];
    return [{ number: entry.pr.number, head: branch, base, fixed: true }];
  });
  if (moving.length === 0 || pulls.length === 0) return [moving];
  const pushes = moving.map(({ member: { branch, tip } }) => ({ ref: branch, to: tip }));
  const commits = [...refs.values(), ...pushes.map(({ to }) => to)];
  const history = await History.read(git, repository.commonDir, commits, about.signal);
  const last = new Map([...refs, ...pushes.map(({ ref, to }) => [ref, to] as const)]);
  const alive = pulls.filter(({ head, base }) => {
    const [tip, under] = [refs.get(head) ?? '', refs.get(base) ?? ''];
    return !history.isAncestor(tip, under) && !history.isMergedInto(tip, last.get(base) ?? '');
  });
  const contains = (commit: string, of: string): boolean => history.isAncestor(commit, of);
  const none = { creations: [], trunk: undefined };
  const plan = planBases({ refs, pushes, pulls: alive, contains, ...none });
  const stuck = 'stuck' in plan ? plan.stuck : alive.filter(({ head }) => plan.held.includes(head));
  if ('stuck' in plan || stuck.length > 0) {
    const why = about.unasked ? ` ${about.unasked.message}` : '';
    throw new PushRefusal('contained', githubMessages.cannotAskForBase({ names: namesOf(stuck), why }), {
      next: about.unasked?.nextStep ?? githubMessages.runWhereAsked({ command: about.command }),
    });
  }
  return plan.steps.flatMap((step) =>
    step.kind === 'push'
      ? [step.pushes.flatMap(({ ref }) => moving.filter(({ member }) => member.branch === ref))]
      : [],
  );
}
