import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { leavingPoint } from './baseCommits.ts';
import { History } from './history.ts';

/** The branches that another one may be based on. */
export interface BaseCandidates {
  readonly branches: Pick<Branches, 'local' | 'remote'>;
  readonly trunk: string | undefined;
  /** The branches that are checked out somewhere. */
  readonly checkedOut: readonly string[];
  /** The base that the registry has, by branch. */
  readonly recorded: ReadonlyMap<string, string>;
}

/** A branch whose base is looked for. */
export interface BaseQuestion {
  /** `undefined` for a detached worktree. */
  readonly branch: string | undefined;
  readonly tip: string;
  /** The branch that it was made from, by what git wrote down then: it decides where history alone does not. */
  readonly madeFrom?: string | undefined;
  /** A branch of a stack that is at the same commit may be the base. Default false. */
  readonly mayEqual?: boolean;
}

/** What a branch is based on, as its history shows it. */
export interface FoundBase {
  /** One branch, or several where history does not tell which. */
  readonly branches: readonly [string, ...string[]];
  /** The commit after which the branch's own commits begin. */
  readonly commit: string;
}

/**
 * Finds the bases of branches of which none is recorded: the branch with which one shares the latest commit. The trunk wins where it has
 * that commit too. What goes on from a branch is not its base.
 */
export class NearestBases {
  readonly #candidates: BaseCandidates;
  readonly #trunkTips: readonly string[];
  readonly #others: ReadonlyMap<string, string>;
  readonly #history: History;

  private constructor(
    candidates: BaseCandidates,
    trunkTips: readonly string[],
    others: ReadonlyMap<string, string>,
    history: History,
  ) {
    this.#candidates = candidates;
    this.#trunkTips = trunkTips;
    this.#others = others;
    this.#history = history;
  }

  /** Reads the history that is needed to answer for the given commits: two or three processes. */
  static async read(
    { configuration, git, repository }: Workspace,
    candidates: BaseCandidates,
    tips: readonly string[],
    signal?: AbortSignal,
  ): Promise<NearestBases> {
    const { branches, trunk, checkedOut, recorded } = candidates;
    const ofTrunk = trunk === undefined ? undefined : tipsOf(branches, trunk, configuration.stack.remote);
    const trunkTips = [ofTrunk?.local, ofTrunk?.remote].filter((oid) => oid !== undefined);
    const others = new Map<string, string>();
    for (const name of [...checkedOut, ...recorded.keys()]) {
      const oid = branches.local.get(name)?.oid;
      if (name !== trunk && oid !== undefined) others.set(name, oid);
    }
    const history = await History.read(git, repository.commonDir, [...tips, ...trunkTips, ...others.values()], signal);
    return new NearestBases(candidates, trunkTips, others, history);
  }

  /** The base of a branch; `undefined` where it shares no commit with the trunk or a branch that it may be based on. */
  find(question: BaseQuestion): FoundBase | undefined {
    const { branch, tip, madeFrom } = question;
    const { trunk, recorded } = this.#candidates;
    const isAbove = (name: string): boolean => branch !== undefined && basesOf(name, recorded).includes(branch);
    const all = [...this.#others].filter(([name]) => name !== branch && !isAbove(name));
    // Nothing but what goes on from it, or is at the same commit, can hold its own last commit.
    const inTrunk = this.#trunkTips.some((oid) => this.#history.isAncestor(tip, oid));
    const isHeld = !inTrunk && this.#history.own(tip, [...this.#trunkTips, ...all.map(([, oid]) => oid)]).length === 0;
    const others = isHeld ? all.filter(([name, oid]) => this.#isBelow(name, oid, question)) : all;
    const tips = [...this.#trunkTips, ...others.map(([, oid]) => oid)];
    if (tips.length === 0) return undefined;
    const commit = leavingPoint(this.#history, tip, tips);
    if (commit === undefined) return undefined;
    const holds = (oid: string | undefined): boolean => oid !== undefined && this.#history.isAncestor(commit, oid);
    if (madeFrom !== undefined && holds(new Map(others).get(madeFrom))) return { branches: [madeFrom], commit };
    if (trunk !== undefined && this.#trunkTips.some(holds)) return { branches: [trunk], commit };
    const holders = others.flatMap(([name, oid]) => (holds(oid) ? [name] : []));
    // What is based on another holder has the commit from there.
    const lowest = holders.filter((name) => !basesOf(name, recorded).some((below) => holders.includes(below)));
    const [first, ...more] = lowest.length > 0 ? lowest : holders;
    return first === undefined ? undefined : { branches: [first, ...more], commit };
  }

  /** Of two branches at one commit, either may be based on the other; one of a stack has its base already. */
  #isBelow(name: string, oid: string, { tip, madeFrom, mayEqual }: BaseQuestion): boolean {
    if (name === madeFrom) return true;
    return oid === tip ? mayEqual === true && this.#candidates.recorded.has(name) : !this.#history.isAncestor(tip, oid);
  }
}

/** The recorded bases below a branch, the nearest first. */
function basesOf(branch: string, recorded: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (let at = recorded.get(branch); at !== undefined && !found.includes(at); at = recorded.get(at)) found.push(at);
  return found;
}
