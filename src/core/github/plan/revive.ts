import type { PlanPull, PlanStep, PlanSituation } from './model.ts';

/** A situation after what was closed with its base was opened again. */
export interface Revived {
  readonly steps: readonly PlanStep[];
  readonly refs: ReadonlyMap<string, string>;
  readonly open: readonly PlanPull[];
  /** Branches that came back for that alone. */
  readonly passing: ReadonlySet<string>;
  /** Branches that had to be pushed for it. */
  readonly pushed: ReadonlySet<string>;
  /** Those that cannot be opened again. */
  readonly lost: readonly number[];
}

/**
 * Opens again what was closed with its base, before its head is replaced: afterwards GitHub refuses it. The base is pushed first where it
 * is to be there anyway, else it comes back for a moment.
 */
export function revive({ pulls, refs: before, pushes, restored = [], contains }: PlanSituation): Revived {
  const refs = new Map(before);
  const passing = new Set(restored.filter((ref) => before.has(ref) && !pushes.some((push) => push.ref === ref)));
  const pushed = new Set<string>();
  const steps: PlanStep[] = [];
  const open = pulls.filter(({ closedAt }) => closedAt === undefined);
  const lost: number[] = [];
  for (const pull of pulls) {
    const { number, head, base, closedAt } = pull;
    if (closedAt === undefined) continue;
    const push = refs.has(base) ? undefined : pushes.find(({ ref }) => ref === base);
    const [tip, under] = [refs.get(head), refs.get(base) ?? push?.to ?? closedAt];
    const taken = open.some((each) => each.head === head && each.base === base);
    if (tip === undefined || taken || contains(tip, under)) {
      lost.push(number);
      continue;
    }
    if (push) pushed.add(base);
    else if (!refs.has(base)) passing.add(base);
    if (push) steps.push({ kind: 'push', pushes: [push] });
    else if (!refs.has(base)) steps.push({ kind: 'restore', ref: base, to: closedAt });
    refs.set(base, under);
    steps.push({ kind: 'reopen', number });
    open.push(pull);
  }
  return { steps, refs, open, passing, pushed, lost };
}
