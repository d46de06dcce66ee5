import { Problem } from '../base/problem.ts';
import { systemProblem } from '../base/systemFailure.ts';
import type { Programs } from '../repository/launchers.ts';
import { readStack } from '../stack/readStack.ts';
import { readSnapshot } from '../snapshot/snapshot.ts';
import { deleteStuckTrash } from '../trash/stuckTrash.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { checkClaude, checkLeftovers, checkMarkers, checkTrash } from './fileChecks.ts';
import type { Examination, Finding } from './finding.ts';
import { checkMoves } from './moveChecks.ts';
import { checkLinks } from './linkChecks.ts';
import { checkLocks, checkOwnFiles } from './ownFileChecks.ts';
import { checkBases, checkStopped, checkWorktrees } from './registryChecks.ts';
import { checkOutcomes } from './outcomeChecks.ts';
import { checkTracking } from './trackingChecks.ts';
import { doctorMessages } from '../messages/doctor.ts';
import { textOf, type Message } from '../messages/message.ts';

/** A finding and what became of it. */
export interface Treated {
  readonly finding: Finding;
  readonly outcome: 'repaired' | 'left' | 'failed';
  /** Why it could not be repaired. */
  readonly problem: Problem | undefined;
  /** What was done, where that needs saying. */
  readonly done?: Message | undefined;
}

/**
 * Finds everything about a repository's worktrees that is not as it should be. Changes nothing.
 *
 * @param options.programs what the launchers are to start; without it they are not checked.
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
    checkStopped(examination),
    checkLinks(examination),
    checkWorktrees(examination),
    checkMoves(examination),
    checkBases(examination),
    checkOwnFiles(examination),
    checkMarkers(examination),
    checkLocks(examination),
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
      const done = (await finding.repair()) ?? undefined;
      treated.push({ finding, outcome: 'repaired', problem: undefined, done });
    } catch (thrown) {
      // A folder that cannot be written to keeps no other thing from being repaired.
      const problem = systemProblem(thrown);
      if (!problem || problem.reason === 'cancelled') throw thrown;
      treated.push({ finding, outcome: 'failed', problem });
    }
  }
  return treated;
}

/** What comes to light only when something else is repaired is repaired too; so often at most. */
const mostRounds = 6;
/** The same is tried so often at most: it may have depended on what was repaired after it. */
const mostTries = 2;

/**
 * Repairs all that can be repaired, and checks again: what is found once more was not repaired, whatever the repair said. What of removed
 * worktrees could not be deleted is tried once more first. What a repair brings to light is repaired as well, so that the next run finds no
 * more than what is given back as left or failed.
 */
export async function repairAll(
  workspace: Workspace,
  options: { readonly programs?: Programs | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Treated[]> {
  const tried = new Map<string, Treated>();
  const tries = new Map<string, number>();
  const mayTry = (finding: Finding): boolean => (tries.get(keyOf(finding)) ?? 0) < mostTries;
  await deleteStuckTrash(workspace.git, workspace.repository);
  let findings = await examine(workspace, options);
  for (let round = 0; round < mostRounds; round++) {
    const open = findings.filter((finding) => finding.repair && mayTry(finding));
    if (open.length === 0) break;
    for (const each of await treat(open)) {
      const key = keyOf(each.finding);
      tried.set(key, each);
      tries.set(key, (tries.get(key) ?? 0) + 1);
    }
    findings = await examine(workspace, options);
  }
  const found = new Set(findings.map(keyOf));
  const after = [...tried].map(([key, each]): Treated => {
    if (!found.has(key)) return { ...each, outcome: 'repaired', problem: undefined };
    if (each.outcome === 'failed') return each;
    if (each.finding.isInformation) return { finding: each.finding, outcome: 'left', problem: undefined };
    return { finding: each.finding, outcome: 'failed', problem: foundAgain() };
  });
  const left = findings.filter((finding) => !tried.has(keyOf(finding)));
  return [...after, ...left.map((finding): Treated => ({ finding, outcome: 'left', problem: undefined }))];
}

const keyOf = ({ kind, subject, message }: Finding): string => [kind, subject, textOf(message)].join('\0');

function foundAgain(): Problem {
  return new Problem('inconsistent', doctorMessages.foundAgainAfterRepair(), { outcome: 'incomplete' });
}

function unlessUnreadable(thrown: unknown): undefined {
  if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
  return undefined;
}
