import { Problem } from '../base/problem.ts';
import { systemProblem } from '../base/systemFailure.ts';
import type { Programs } from '../repository/launchers.ts';
import { readStack } from '../stack/readStack.ts';
import { readSnapshot } from '../worktrees/read/snapshot.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import { checkClaude, checkLeftovers, checkMarkers, checkTrash } from './fileChecks.ts';
import type { Examination, Finding } from './finding.ts';
import { checkMoves } from './moveChecks.ts';
import { checkBases, checkRecords, checkWorktrees } from './registryChecks.ts';
import { checkOutcomes } from './outcomeChecks.ts';
import { checkTracking } from './trackingChecks.ts';

/** A finding and what became of it. */
export interface Treated {
  readonly finding: Finding;
  readonly outcome: 'repaired' | 'left' | 'failed';
  /** Why it could not be repaired. */
  readonly problem: Problem | undefined;
}

/**
 * Looks for everything about a repository's worktrees that is not as it should be. Changes nothing.
 *
 * @param options.programs what the launchers are to start; without it they are not looked at.
 */
export async function examine(
  workspace: Workspace,
  options: { readonly programs?: Programs | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Finding[]> {
  const { signal, programs } = options;
  const snapshot = await readSnapshot(workspace, { signal, withChanges: false });
  const state = await readStack(workspace, { signal, snapshot }).catch(unlessUnreadable);
  const examination: Examination = { workspace, snapshot, state, signal };
  const found = await Promise.all([
    checkRecords(examination),
    checkWorktrees(examination),
    checkMoves(examination),
    checkBases(examination),
    checkMarkers(examination),
    checkClaude(examination, programs),
    checkLeftovers(examination),
    checkOutcomes(examination),
    checkTracking(examination),
    checkTrash(examination),
  ]);
  return found.flat();
}

/** Repairs what can be repaired without losing anything, one after the other; what cannot is left for a person. */
export async function treat(findings: readonly Finding[]): Promise<Treated[]> {
  const treated: Treated[] = [];
  for (const finding of findings) {
    if (!finding.repair) {
      treated.push({ finding, outcome: 'left', problem: undefined });
      continue;
    }
    try {
      await finding.repair();
      treated.push({ finding, outcome: 'repaired', problem: undefined });
    } catch (thrown) {
      const problem = systemProblem(thrown);
      if (!problem || problem.reason === 'cancelled') throw thrown;
      treated.push({ finding, outcome: 'failed', problem });
    }
  }
  return treated;
}

function unlessUnreadable(thrown: unknown): undefined {
  if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
  return undefined;
}
