import type { BasePlan, NoPlan, PlanPull, PlanPush, PlanStep, PlanSituation } from './model.ts';
import { revive } from './revive.ts';

/** The most orders of pushes that are tried. */
const mostStates = 20_000;

/** How far a plan has come. */
interface State {
  readonly refs: ReadonlyMap<string, string>;
  /** What is still to be pushed, each after its base. */
  readonly pending: ReadonlyMap<string, string>;
  readonly bases: ReadonlyMap<number, string>;
}

/** Steps, and where pull requests are after them. */
interface Moved {
  readonly steps: readonly PlanStep[];
  readonly bases: ReadonlyMap<number, string>;
}

/**
 * Plans in which order branches are pushed and pull requests get their bases, so that none is ever contained in its base: GitHub would
 * close it as merged, for good. All branches go in one push wherever there is a base for each pull request that is safe all the while: the
 * one that it has, the one that it is to have, or the trunk. Else they go one after the other, in an order that is searched for.
 *
 * A plan depends on nothing but what is there: after a run that was killed at any step the next one plans the rest.
 */
export function planBases(situation: PlanSituation): BasePlan | NoPlan {
  const { held, pushes } = withoutEmpty(situation);
  const planned = planPushes({ ...situation, pulls: pastHeld(situation.pulls, held) }, pushes, held);
  // Where leaving them out leaves no way, they go as well: their pull requests stand elsewhere then.
  const all = 'stuck' in planned && held.length > 0 ? planPushes(situation, situation.pushes, []) : planned;
  return 'stuck' in all ? planned : all;
}

function planPushes(situation: PlanSituation, pushes: readonly PlanPush[], held: readonly string[]): BasePlan | NoPlan {
  const begun = revive({ ...situation, pushes });
  if (begun.lost.length > 0) {
    const left = situation.pulls.filter(({ number }) => !begun.lost.includes(number));
    const rest = planBases({ ...situation, pulls: left });
    return 'stuck' in rest ? rest : { ...rest, lost: [...begun.lost, ...rest.lost] };
  }
  const planner = new Planner(situation, begun.open, begun.passing);
  const unpushed = pushes.filter(({ ref }) => !begun.pushed.has(ref));
  const pending = new Map(unpushed.map(({ ref, to }) => [ref, to]));
  const bases = new Map(begun.open.map(({ number, base }) => [number, base]));
  const start = { refs: begun.refs, pending, bases };
  const moved = planner.order(start);
  if (!moved) return { stuck: planner.stuckIn(start) };
  const ended = planner.finish(moved.state);
  const stays = begun.open.flatMap(({ number, wish }) => {
    const base = ended.bases.get(number) ?? '';
    return wish === undefined || wish === base ? [] : [{ number, base }];
  });
  return { steps: [...begun.steps, ...moved.steps, ...ended.steps], held, stays, lost: [] };
}

/** Leaves out the pushes of branches whose commits are all in what their pull request is to be into: it could stand nowhere. */
function withoutEmpty({ pulls, refs, pushes, contains }: PlanSituation): { held: string[]; pushes: PlanPush[] } {
  const held: string[] = [];
  for (;;) {
    const left = pushes.filter(({ ref }) => !held.includes(ref));
    const last = new Map([...refs, ...left.map(({ ref, to }) => [ref, to] as const)]);
    const past = pastHeld(pulls, held);
    const empty = left.find(({ ref, to }) =>
      past.some(({ head, base, wish = base }) => {
        const under = last.get(wish);
        return head === ref && under !== undefined && contains(to, under);
      }),
    );
    if (!empty) return { held, pushes: left };
    held.push(empty.ref);
  }
}

/** What is to be into a branch that is not pushed is to be into that branch's own base: the remote has other commits of it. */
function pastHeld(pulls: readonly PlanPull[], held: readonly string[]): PlanPull[] {
  const next = (base: string): string | undefined => {
    const below = held.includes(base) ? pulls.find(({ head, fixed }) => head === base && !fixed) : undefined;
    return below?.wish ?? below?.base;
  };
  return pulls.map((pull) => {
    let { wish } = pull;
    const passed = new Set<string>();
    for (let at = wish; at !== undefined && !passed.has(at); at = next(at)) passed.add((wish = at));
    return { ...pull, wish };
  });
}

class Planner {
  readonly #situation: PlanSituation;
  readonly #pulls: readonly PlanPull[];
  /** Branches that are there for a moment only. */
  readonly #passing: ReadonlySet<string>;
  readonly #dead = new Set<string>();
  #states = 0;

  constructor(situation: PlanSituation, pulls: readonly PlanPull[], passing: ReadonlySet<string>) {
    this.#situation = situation;
    this.#pulls = pulls;
    this.#passing = passing;
  }

  /** The pushes with the bases that it takes for them; `undefined` when there is no order. */
  order(state: State): { steps: readonly PlanStep[]; state: State } | undefined {
    const together = this.#prepare(state, state.pending);
    if (together) {
      const pushes = [...state.pending].map(([ref, to]) => ({ ref, to }));
      const push: PlanStep[] = pushes.length === 0 ? [] : [{ kind: 'push', pushes }];
      const refs = new Map([...state.refs, ...state.pending]);
      return { steps: [...together.steps, ...push], state: { refs, pending: new Map(), bases: together.bases } };
    }
    const key = [...state.pending.keys()].join('\0');
    if (this.#dead.has(key) || this.#states++ > mostStates) return undefined;
    for (const [ref, to] of state.pending) {
      const moved = this.#prepare(state, new Map([[ref, to]]));
      if (!moved) continue;
      const pending = new Map([...state.pending].filter(([each]) => each !== ref));
      const rest = this.order({ refs: new Map([...state.refs, [ref, to]]), pending, bases: moved.bases });
      if (!rest) continue;
      return { steps: [...moved.steps, { kind: 'push', pushes: [{ ref, to }] }, ...rest.steps], state: rest.state };
    }
    this.#dead.add(key);
    return undefined;
  }

  /** The bases that are wished, as far as they can be had, new pull requests, and what is to go. */
  finish({ refs, bases: before }: State): Moved {
    const { creations, contains } = this.#situation;
    const steps: PlanStep[] = [];
    const bases = new Map(before);
    const state = { refs, pending: new Map<string, string>(), bases };
    const set = (pull: PlanPull, to: string): void => {
      steps.push({ kind: 'base', number: pull.number, from: bases.get(pull.number) ?? pull.base, to });
      bases.set(pull.number, to);
    };
    for (const pull of this.#pulls) {
      const { number, wish } = pull;
      if (wish !== undefined && bases.get(number) !== wish && this.#isSafe(pull, wish, state)) set(pull, wish);
    }
    const going = this.#passing;
    for (const ref of going) {
      const into = this.#pulls.filter(({ number, head }) => bases.get(number) === ref && !going.has(head));
      for (const pull of into) {
        const others = this.#candidates(pull, state).filter((each) => !going.has(each));
        const to = others.find((each) => this.#isSafe(pull, each, state));
        if (to !== undefined) set(pull, to);
      }
      if (into.every(({ number }) => bases.get(number) !== ref)) steps.push({ kind: 'delete', ref });
    }
    for (const { head, base } of creations) {
      const [tip, under] = [refs.get(head), refs.get(base)];
      const there = this.#pulls.some((pull) => pull.head === head && bases.get(pull.number) === base);
      const goes = going.has(base) || going.has(head);
      if (tip !== undefined && under !== undefined && !there && !goes && !contains(tip, under))
        steps.push({ kind: 'create', head, base });
    }
    return { steps, bases };
  }

  /** The pull requests that have no base for all that is to be pushed. */
  stuckIn(state: State): PlanPull[] {
    const stuck = this.#pulls.filter((pull) => this.#baseFor(pull, state) === undefined);
    return stuck.length > 0 ? stuck : [...this.#pulls];
  }

  /** Gives each pull request a base that is safe while some branches arrive in whatever order. */
  #prepare(state: State, arriving: ReadonlyMap<string, string>): Moved | undefined {
    const bases = new Map(state.bases);
    const steps: PlanStep[] = [];
    for (const pull of this.#pulls) {
      const from = bases.get(pull.number) ?? pull.base;
      const to = this.#baseFor(pull, { refs: state.refs, pending: arriving, bases });
      if (to === undefined) return undefined;
      if (to === from) continue;
      steps.push({ kind: 'base', number: pull.number, from, to });
      bases.set(pull.number, to);
    }
    return { steps, bases };
  }

  #baseFor(pull: PlanPull, state: State): string | undefined {
    return this.#candidates(pull, state).find((base) => this.#isSafe(pull, base, state));
  }

  /** Where it may be: where it is, for nothing; where it is to be; the trunk; anything else that is there. */
  #candidates({ number, base: first, wish, fixed }: PlanPull, { refs, bases }: State): string[] {
    const base = bases.get(number) ?? first;
    if (fixed) return [base];
    const others = [wish, this.#situation.trunk, ...refs.keys()].filter((each) => each !== undefined);
    const stays = others.filter((each) => !each.includes(':') && !this.#passing.has(each));
    return [...new Set(this.#passing.has(base) ? [...stays, base] : [base, ...stays])];
  }

  /** Whether it may be into a branch while others arrive, in whatever order. */
  #isSafe(pull: PlanPull, base: string, { refs, pending, bases }: State): boolean {
    const { contains } = this.#situation;
    if (base === pull.head || !refs.has(base) || (pull.fixed && base !== bases.get(pull.number))) return false;
    const values = (ref: string): string[] => [refs.get(ref), pending.get(ref)].filter((each) => each !== undefined);
    if (values(pull.head).some((head) => values(base).some((under) => contains(head, under)))) return false;
    // GitHub has one pull request of a branch into another.
    return !this.#pulls.some(
      (each) => each.number !== pull.number && each.head === pull.head && bases.get(each.number) === base,
    );
  }
}
