import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Numbers that look random and are the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Files by name. In the shared one each branch has a line of its own, with lines between that nobody touches. */
type Files = ReadonlyMap<string, readonly string[]>;

interface Commit {
  readonly mark: number;
  readonly parents: readonly number[];
  readonly subject: string;
  readonly files: Files;
}

/** A branch as the world made it, and what is true of it whatever anybody has recorded. */
export interface RandomBranch {
  readonly name: string;
  /** The name that the registry has. */
  readonly recordedName: string;
  /** Undefined for one that stands on the trunk. */
  base: RandomBranch | undefined;
  readonly recordedBase: string;
  readonly recordedCommit: number;
  own: Commit[];
  tip: Commit;
  landed: boolean;
  deleted: boolean;
  /** A merge is among its commits. */
  merges: boolean;
  /** Somebody rebased what stands on it by hand: rewriting it now would leave no trace of where that stood. */
  frozen: boolean;
}

/** A made-up history: trunk, branches that stand on one another, and what happened to them since that was recorded. */
export class RandomWorld {
  readonly #random: (below: number) => number;
  readonly #commits: Commit[] = [];
  readonly branches: RandomBranch[] = [];
  trunk: Commit;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
    const shared = Array.from({ length: 120 }, (_, index) => `line ${index}`);
    this.trunk = this.#commit(
      [],
      'Start',
      new Map([
        ['shared.txt', shared],
        ['README.md', ['read me']],
      ]),
    );
    const count = 4 + this.#random(9);
    for (let number = 1; number <= count; number++) this.#addBranch(number);
    for (let event = 0; event < count; event++) this.#happen(event);
  }

  /** Everything as `git fast-import` reads it; the commits get refs `refs/marks/<mark>`. */
  stream(): string {
    const parts = this.#commits.map(({ mark, parents, subject, files }) => {
      const [first, ...others] = parents;
      const from = first === undefined ? '' : `from :${first}\n`;
      const contents = [...files].map(([name, lines]) => `M 100644 inline ${name}\n${data(`${lines.join('\n')}\n`)}`);
      return `commit refs/marks/${mark}\nmark :${mark}\ncommitter Ada Example <ada@example.com> ${1_700_000_000 + mark} +0000\n${data(subject)}${from}${others.map((other) => `merge :${other}\n`).join('')}deleteall\n${contents.join('')}`;
    });
    const refs = [
      ...this.branches.filter(({ deleted }) => !deleted).map(({ name, tip }) => ({ name, tip })),
      { name: 'main', tip: this.trunk },
    ];
    return `${parts.join('')}${refs.map(({ name, tip }) => `reset refs/heads/${name}\nfrom :${tip.mark}\n\n`).join('')}`;
  }

  #addBranch(number: number): void {
    const living = this.branches;
    // Mostly on the last one, so that stacks become high.
    const base =
      living.length === 0 || this.#random(6) === 0
        ? undefined
        : this.#random(3) > 0
          ? living.at(-1)
          : living[this.#random(living.length)];
    const start = base?.tip ?? this.trunk;
    const renamed = this.#random(8) === 0;
    const branch: RandomBranch = {
      name: renamed ? `b${number}-new` : `b${number}`,
      recordedName: `b${number}`,
      base,
      recordedBase: base?.recordedName ?? 'main',
      recordedCommit: start.mark,
      ...{ own: [], tip: start, landed: false, deleted: false, merges: false, frozen: false },
    };
    this.branches.push(branch);
    for (let left = this.#random(4); left > 0; left--) this.#grow(branch);
  }

  #grow(branch: RandomBranch): void {
    const { tip, own } = branch;
    const number = own.length + 1;
    const subject = `${branch.recordedName} ${number}.${this.#commits.length}`;
    const files = this.#edited(tip.files, branch, subject);
    branch.tip = this.#commit([tip.mark], subject, files);
    own.push(branch.tip);
  }

  /** A branch changes a file of its own, or its line; now and then the line of what it stands on, which may conflict. */
  #edited(files: Files, branch: RandomBranch, text: string): Files {
    const next = new Map(files);
    const kind = this.#random(8);
    const owner = kind === 0 && branch.base ? branch.base : branch;
    const line = 4 * (this.branches.indexOf(owner) + 1);
    if (kind < 4)
      next.set(
        'shared.txt',
        (files.get('shared.txt') ?? []).map((old, at) => (at === line ? text : old)),
      );
    else next.set(`${branch.recordedName}/${kind}.txt`, [text]);
    return next;
  }

  #happen(event: number): void {
    const branch = this.branches[this.#random(this.branches.length)];
    if (!branch || branch.landed) return;
    const children = this.branches.filter((each) => each.base === branch);
    switch (this.#random(9)) {
      case 0:
        return this.#grow(branch);
      case 1:
        return this.#trunkGrows(event);
      case 2: {
        if (branch.own.length === 0 || branch.frozen || branch.merges) return;
        branch.own.pop();
        branch.tip = this.#lastOf(branch);
        return this.#grow(branch);
      }
      case 3: {
        if (branch.own.length < 2 || branch.frozen || branch.merges) return;
        const { files } = branch.tip;
        const start = branch.own[0]?.parents[0] ?? 0;
        branch.tip = this.#commit([start], `${branch.recordedName} squashed ${event}`, files);
        branch.own = [branch.tip];
        return;
      }
      case 4: {
        if (branch.own.length < 2 || branch.frozen || branch.merges) return;
        branch.own.pop();
        branch.tip = this.#lastOf(branch);
        return;
      }
      case 5:
      case 6:
        return this.#land(branch, children);
      case 7: {
        // By hand, onto what its base is now.
        if (branch.merges || branch.own.length === 0 || children.length > 0) return;
        const onto = branch.base?.tip ?? this.trunk;
        const carried = this.#carried(branch, onto);
        if (!carried) return;
        branch.own = carried;
        branch.tip = carried.at(-1) ?? onto;
        if (branch.base) branch.base.frozen = true;
        return;
      }
      default: {
        const other = branch.base?.tip;
        if (!other || branch.own.length === 0 || children.length > 0 || branch.base?.landed) return;
        if (this.#isIn(other.mark, branch.tip.mark)) return;
        const start = this.#fileOf(branch.own[0]?.parents[0]);
        const files = merged(start, branch.tip.files, other.files);
        if (!files || !branch.base) return;
        branch.tip = this.#commit([branch.tip.mark, other.mark], `Merge into ${branch.recordedName}`, files);
        branch.merges = true;
        branch.base.frozen = true;
        return;
      }
    }
  }

  /** The host merges a branch that stands on the trunk, in one of its three ways, and may delete it. */
  #land(branch: RandomBranch, children: readonly RandomBranch[]): void {
    if (branch.base || branch.own.length === 0 || branch.merges) return;
    const start = this.#fileOf(branch.own[0]?.parents[0]);
    const files = merged(start, branch.tip.files, this.trunk.files);
    if (!files || same(files, this.trunk.files)) return;
    const way = this.#random(3);
    if (way === 0) this.trunk = this.#commit([this.trunk.mark], `Squashed ${branch.recordedName}`, files);
    else if (way === 1)
      this.trunk = this.#commit([this.trunk.mark, branch.tip.mark], `Merge ${branch.recordedName}`, files);
    else {
      const carried = this.#carried(branch, this.trunk);
      this.trunk = carried?.at(-1) ?? this.#commit([this.trunk.mark], `Squashed ${branch.recordedName}`, files);
    }
    branch.landed = true;
    // Where what stands on it knows another commit of it, only the host could tell that it was merged.
    const known = children.every((child) => child.recordedCommit === branch.tip.mark);
    branch.deleted = this.#random(2) === 0 && known && branch.name === branch.recordedName;
    for (const child of children) child.base = undefined;
  }

  #trunkGrows(event: number): void {
    const next = new Map(this.trunk.files);
    if (this.#random(2) === 0) next.set(`trunk-${event}.txt`, ['news']);
    else
      next.set(
        'shared.txt',
        (next.get('shared.txt') ?? []).map((old, at) => (at === 4 * this.#random(13) ? `trunk ${event}` : old)),
      );
    this.trunk = this.#commit([this.trunk.mark], `Trunk ${event}`, next);
  }

  /** Its own commits on another one; `undefined` where that conflicts or leaves nothing of one. */
  #carried(branch: RandomBranch, onto: Commit): Commit[] | undefined {
    const planned: { subject: string; files: Files }[] = [];
    let at = onto.files;
    for (const commit of branch.own) {
      const files = merged(this.#fileOf(commit.parents[0]), commit.files, at);
      if (!files || same(files, at)) return undefined;
      planned.push({ subject: commit.subject, files });
      at = files;
    }
    let parent = onto.mark;
    return planned.map(({ subject, files }) => {
      const commit = this.#commit([parent], subject, files);
      parent = commit.mark;
      return commit;
    });
  }

  #lastOf(branch: RandomBranch): Commit {
    const last = branch.own.at(-1);
    return last ?? this.#find(branch.recordedCommit);
  }

  #isIn(mark: number, of: number): boolean {
    const waiting = [of];
    const seen = new Set<number>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === mark) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...this.#find(next).parents);
    }
    return false;
  }

  #fileOf(mark: number | undefined): Files {
    return this.#find(mark ?? 1).files;
  }

  #find(mark: number): Commit {
    const commit = this.#commits[mark - 1];
    if (!commit) throw new Error(`there is no commit ${mark}`);
    return commit;
  }

  #commit(parents: readonly number[], subject: string, files: Files): Commit {
    const commit = { mark: this.#commits.length + 1, parents, subject, files };
    this.#commits.push(commit);
    return commit;
  }
}

/** Hands text to a git command. */
export async function feed(
  folder: string,
  variables: Record<string, string>,
  args: readonly string[],
  text: string,
): Promise<void> {
  const child = spawn('git', args, { cwd: folder, env: variables, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(text);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}`);
}

/** Three-way, line by line in files of one length; `undefined` for a conflict. */
function merged(base: Files, one: Files, other: Files): Files | undefined {
  const result = new Map(other);
  for (const name of new Set([...base.keys(), ...one.keys()])) {
    const [old, mine, theirs] = [base.get(name), one.get(name), other.get(name)];
    const [a, b, c] = [old, mine, theirs].map((lines) => lines?.join('\n'));
    if (a === b || b === c) continue;
    if (a === c) {
      if (mine) result.set(name, mine);
      else result.delete(name);
      continue;
    }
    if (!old || !mine || !theirs || old.length !== mine.length || old.length !== theirs.length) return undefined;
    const lines: string[] = [];
    for (const [at, line] of old.entries()) {
      const [left = '', right = ''] = [mine[at], theirs[at]];
      if (line !== left && line !== right && left !== right) return undefined;
      lines.push(line === left ? right : left);
    }
    result.set(name, lines);
  }
  return result;
}

function same(one: Files, other: Files): boolean {
  return one.size === other.size && [...one].every(([name, lines]) => other.get(name)?.join('\n') === lines.join('\n'));
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
