import type { PlanStep, PlanSituation } from './model.ts';

/**
 * Goes through a plan on paper, as GitHub would: what is wrong with it, as sentences. An empty list means that no step closes a pull
 * request, whatever the order in which the branches of one push arrive, and that GitHub refuses none.
 */
export function faultsOf(situation: PlanSituation, steps: readonly PlanStep[]): string[] {
  const { contains } = situation;
  const faults: string[] = [];
  const refs = new Map(situation.refs);
  const open = new Map<number | string, { readonly head: string; base: string }>();
  const closed = new Map<number, { readonly head: string; readonly base: string }>();
  for (const { number, head, base, closedAt } of situation.pulls)
    (closedAt === undefined ? open : closed).set(number, { head, base });

  const look = (what: string, arriving: ReadonlyMap<string, string> = new Map()): void => {
    const values = (ref: string): string[] =>
      [refs.get(ref), arriving.get(ref)].filter((each): each is string => each !== undefined);
    for (const [number, { head, base }] of open) {
      if (!refs.has(base) || !refs.has(head)) faults.push(`${what}: a branch of #${number} is gone`);
      if (values(head).some((commit) => values(base).some((of) => contains(commit, of))))
        faults.push(`${what}: #${number} would be contained in ${base}`);
    }
  };
  const taken = (head: string, base: string, except?: number): boolean =>
    [...open].some(([number, each]) => number !== except && each.head === head && each.base === base);

  for (const step of steps) {
    const what = JSON.stringify(step);
    switch (step.kind) {
      case 'restore':
        if (refs.has(step.ref)) faults.push(`${what}: it is there`);
        refs.set(step.ref, step.to);
        break;
      case 'reopen': {
        const pull = closed.get(step.number);
        if (!pull) faults.push(`${what}: it is not closed`);
        else if (taken(pull.head, pull.base)) faults.push(`${what}: there is another one`);
        else open.set(step.number, pull);
        break;
      }
      case 'base': {
        const pull = open.get(step.number);
        if (pull?.base !== step.from) faults.push(`${what}: it is not into that`);
        if (!pull) break;
        if (taken(pull.head, step.to, step.number)) faults.push(`${what}: there is another one`);
        pull.base = step.to;
        break;
      }
      case 'push': {
        const arriving = new Map(step.pushes.map(({ ref, to }) => [ref, to]));
        look(what, arriving);
        for (const [ref, to] of arriving) refs.set(ref, to);
        break;
      }
      case 'create':
        if (taken(step.head, step.base)) faults.push(`${what}: there is another one`);
        open.set(`${step.head} into ${step.base}`, { head: step.head, base: step.base });
        break;
      case 'delete':
        refs.delete(step.ref);
        // Whoever deletes the branch of a pull request wants that closed.
        for (const [number, { head }] of open) if (head === step.ref) open.delete(number);
        break;
    }
    look(what);
  }
  return faults;
}
