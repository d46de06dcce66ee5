import type { UnderWay } from '../../core/merge/underWay.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';

/** How far what is under way in a worktree has come. */
export interface Stage {
  readonly kind: 'conflicts' | 'resolved';
  /** Names the stop: what is under way, who began it, and the commit that it has come to. */
  readonly stop: string;
}

/** The stage of what is under way. */
export function stageOf({ by, operation }: UnderWay, { changes, head }: Worktree): Stage {
  const kind = (changes?.conflicts ?? 0) > 0 ? 'conflicts' : 'resolved';
  return { kind, stop: [by, operation, head].join(' ') };
}

/** Whether everything that is under way is known, conflicts included: the first list of worktrees comes without their changes. */
export function isKnown({ worktrees, underWay }: Pick<RepositoryState, 'worktrees' | 'underWay'>): boolean {
  return worktrees.every(({ path, changes }) => changes !== undefined || !underWay.has(path));
}

/**
 * The stages of all that is under way in a repository, and the worktrees of which there is news: conflicts where there were none before,
 * or no conflict where there were some. What has neither begun nor ended with a conflict is no news.
 *
 * @param told the stages that a person knows; `undefined` before the first reading, of which nothing is news.
 */
export function stagesAfter(
  told: ReadonlyMap<string, Stage> | undefined,
  { worktrees, underWay, agents }: Pick<RepositoryState, 'worktrees' | 'underWay' | 'agents'>,
): { readonly stages: ReadonlyMap<string, Stage>; readonly news: readonly string[] } {
  const stages = new Map<string, Stage>();
  const news: string[] = [];
  for (const worktree of worktrees) {
    const { path, name } = worktree;
    const now = underWay.get(path);
    if (!now) continue;
    const before = told?.get(path);
    // Not known for a moment: what is known stays.
    if (worktree.changes === undefined) {
      if (before) stages.set(path, before);
      continue;
    }
    const stage = stageOf(now, worktree);
    // An agent resolves its own conflicts. They are told once it has stopped working.
    const itsOwn = agents.get(name)?.activity === 'working';
    if (told && itsOwn) {
      if (before) stages.set(path, before);
      continue;
    }
    stages.set(path, stage);
    if (!told) continue;
    const isNew = stage.kind === 'conflicts' ? before?.kind !== 'conflicts' || before.stop !== stage.stop : false;
    const isResolved = stage.kind === 'resolved' && before?.kind === 'conflicts' && before.stop === stage.stop;
    if (isNew || isResolved) news.push(path);
  }
  return { stages, news };
}
