import assert from 'node:assert/strict';
import fc from 'fast-check';
import { faultsOf } from '../../../../src/core/github/plan/checkPlan.ts';
import type { BasePlan, PlanPull, PlanStep, PlanSituation } from '../../../../src/core/github/plan/model.ts';
import { planBases } from '../../../../src/core/github/plan/planBases.ts';

/** Branches, open pull requests and what each is into, as GitHub has them. */
interface Host {
  readonly refs: Map<string, string>;
  readonly bases: Map<number, string>;
}

/**
 * What GitHub does with one step, by itself: every order in which the branches of a push arrive is gone through. Written apart from the
 * product's own check, which is checked by it.
 */
function carryOut(situation: PlanSituation, host: Host, step: PlanStep): void {
  const { pulls, contains } = situation;
  const look = (what: string): void => {
    for (const [number, base] of host.bases) {
      const head = pulls.find((pull) => pull.number === number)?.head ?? '';
      const [tip, under] = [host.refs.get(head), host.refs.get(base)];
      assert.ok(tip !== undefined && under !== undefined, `${what} takes a branch of #${number} away`);
      assert.ok(!contains(tip, under), `${what} closes #${number}: ${head} ${tip} is in ${base} ${under}`);
    }
  };
  const what = JSON.stringify(step);
  if (step.kind === 'restore') host.refs.set(step.ref, step.to);
  else if (step.kind === 'delete') host.refs.delete(step.ref);
  else if (step.kind === 'base') {
    const head = pulls.find(({ number }) => number === step.number)?.head;
    const twin = pulls.find((pull) => pull.head === head && host.bases.get(pull.number) === step.to);
    assert.equal(twin, undefined, `${what}: there is #${twin?.number}`);
    assert.equal(host.bases.get(step.number), step.from);
    host.bases.set(step.number, step.to);
  } else if (step.kind === 'reopen') {
    host.bases.set(step.number, pulls.find(({ number }) => number === step.number)?.base ?? '');
  } else if (step.kind === 'push') {
    const before = new Map(host.refs);
    const orders = step.pushes.length <= 4 ? permutations(step.pushes) : [step.pushes, [...step.pushes].reverse()];
    for (const order of orders) {
      host.refs.clear();
      for (const [ref, oid] of before) host.refs.set(ref, oid);
      for (const { ref, to } of order) {
        host.refs.set(ref, to);
        look(`${what} (${ref})`);
      }
    }
  }
  look(what);
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((each, at) => permutations(all.filter((_, other) => other !== at)).map((rest) => [each, ...rest]));
}

const hostOf = ({ refs, pulls }: PlanSituation): Host => ({
  refs: new Map(refs),
  bases: new Map(pulls.filter(({ closedAt }) => closedAt === undefined).map(({ number, base }) => [number, base])),
});

/** Whether there is any order at all, of single pushes and of whatever bases between them. */
function hasOrder({ refs, pushes, pulls, contains }: PlanSituation): boolean {
  const seen = new Set<string>();
  const open = [
    { refs: new Map(refs), left: [...pushes], bases: new Map(pulls.map((pull) => [pull.number, pull.base])) },
  ];
  for (let at = open.pop(); at; at = open.pop()) {
    const key = JSON.stringify([at.left.map(({ ref }) => ref), [...at.bases]]);
    if (seen.has(key)) continue;
    seen.add(key);
    if (at.left.length === 0) return true;
    const { refs: now, bases, left } = at;
    const fine = (tips: ReadonlyMap<string, string>, into: ReadonlyMap<number, string>): boolean =>
      pulls.every(({ number, head }) => {
        const [tip, under] = [tips.get(head), tips.get(into.get(number) ?? '')];
        const twin = pulls.some(
          (pull) => pull.number > number && pull.head === head && into.get(pull.number) === into.get(number),
        );
        return tip !== undefined && under !== undefined && !contains(tip, under) && !twin;
      });
    for (const push of left) {
      const next = new Map([...now, [push.ref, push.to] as const]);
      if (fine(next, bases)) open.push({ refs: next, left: left.filter((each) => each !== push), bases });
    }
    for (const { number, fixed } of pulls) {
      for (const ref of fixed ? [] : now.keys()) {
        const next = new Map([...bases, [number, ref] as const]);
        if (fine(now, next)) open.push({ refs: now, left, bases: next });
      }
    }
  }
  return false;
}

const isPlan = (planned: ReturnType<typeof planBases>): planned is BasePlan => 'steps' in planned;

describe('the order of pushes and bases', () => {
  const names = ['main', 'a', 'b', 'c', 'd'];
  /** Any history, branches anywhere in it, pull requests into anything that does not contain them. */
  const situations = fc
    .record({
      parents: fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 3, maxLength: 9 }),
      now: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
      next: fc.array(fc.option(fc.nat(), { nil: undefined }), { minLength: 5, maxLength: 5 }),
      bases: fc.array(fc.nat({ max: 4 }), { minLength: 4, maxLength: 4 }),
      wishes: fc.array(fc.option(fc.nat({ max: 4 }), { nil: undefined }), { minLength: 4, maxLength: 4 }),
      fixed: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      backport: fc.boolean(),
    })
    .map(({ parents, now, next, bases, wishes, fixed, backport }): PlanSituation => {
      const reached = parents.map(() => new Set<number>());
      for (const [commit, its] of parents.entries()) {
        reached[commit]?.add(commit);
        for (const parent of its)
          for (const each of reached[parent % Math.max(commit, 1)] ?? []) reached[commit]?.add(each);
      }
      const contains = (one: string, of: string): boolean => reached[Number(of)]?.has(Number(one)) ?? false;
      const refs = new Map(names.map((name, at) => [name, String((now[at] ?? 0) % parents.length)]));
      const pushes = names.slice(1).flatMap((ref, at) => {
        const to = next[at];
        return to === undefined ? [] : [{ ref, to: String(to % parents.length) }];
      });
      const candidates = names.slice(1).flatMap((head, at): PlanPull[] => [
        {
          ...{
            number: at + 1,
            head,
            base: names[bases[at] ?? 0] ?? 'main',
            wish: wishes[at] === at + 1 ? undefined : names[wishes[at] ?? -1],
          },
          fixed: fixed[at] === true && at === 3,
        },
      ]);
      if (backport) candidates.push({ number: 9, head: 'b', base: 'c', fixed: true });
      const pulls = candidates.filter(({ number, head, base }) => {
        const twin = candidates.some((each) => each.number < number && each.head === head && each.base === base);
        return head !== base && !twin && !contains(refs.get(head) ?? '', refs.get(base) ?? '');
      });
      return { refs, pushes, pulls, creations: [], trunk: 'main', contains };
    });

  it('closes no pull request in any history, and is found wherever there is one', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const planned = planBases(situation);
        if (!isPlan(planned)) {
          assert.ok(!hasOrder(situation), 'there is an order');
          return;
        }
        assert.deepEqual(faultsOf(situation, planned.steps), []);
        const host = hostOf(situation);
        for (const step of planned.steps) carryOut(situation, host, step);
        for (const { ref, to } of situation.pushes)
          assert.equal(host.refs.get(ref), planned.held.includes(ref) ? situation.refs.get(ref) : to);
        for (const { number, wish } of situation.pulls) {
          const base = host.bases.get(number);
          // What is based on a branch that is not pushed skips it.
          if (wish !== undefined && base !== wish && !planned.held.includes(wish))
            assert.deepEqual(
              planned.stays.filter((each) => each.number === number),
              [{ number, base }],
            );
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('the check on paper finds what GitHub would close', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        // The naive way: everything is pushed, then bases are set.
        const steps: PlanStep[] = [{ kind: 'push', pushes: situation.pushes }];
        const host = hostOf(situation);
        const closes = (): boolean => {
          try {
            for (const step of steps) carryOut(situation, host, step);
            return false;
          } catch (thrown) {
            if (thrown instanceof assert.AssertionError) return true;
            throw thrown;
          }
        };
        assert.equal(faultsOf(situation, steps).length > 0, closes());
      }),
      { numRuns: 1000 },
    );
  });
});

/**
 * A stack in which a commit is its history, written out: `0`, `0/p`, `0/p/q`. What changes below a commit makes another one of it; what
 * does not leaves it the same, as git does.
 */
class Stack {
  trunk = '0';
  readonly branches = new Map<string, { base: string; own: string[] }>();
  #made = 0;

  patch(): string {
    return `p${this.#made++}`;
  }

  tip(name: string): string {
    const branch = this.branches.get(name);
    return branch ? [this.tip(branch.base), ...branch.own].join('/') : this.trunk;
  }

  /** Names from below, each after the one that it stands on. */
  ordered(): string[] {
    const depth = (name: string): number => {
      const branch = this.branches.get(name);
      return branch ? depth(branch.base) + 1 : 0;
    };
    return [...this.branches.keys()].sort((one, other) => depth(one) - depth(other));
  }

  isAbove(name: string, other: string): boolean {
    for (let at = this.branches.get(name); at; at = this.branches.get(at.base)) if (at.base === other) return true;
    return false;
  }

  /** What a branch with commits stands on, past those without. */
  wish(name: string): string {
    const base = this.branches.get(name)?.base ?? 'main';
    return this.branches.get(base)?.own.length === 0 ? this.wish(base) : base;
  }

  /** One of the things that people do to a stack. */
  change(kind: number, one: number, two: number): void {
    const names = this.ordered();
    const name = names[one % names.length] ?? '';
    const other = names[two % names.length] ?? '';
    const branch = this.branches.get(name);
    if (!branch) return;
    switch (kind % 9) {
      case 0: // Move it, with what stands on it.
        if (name !== other && !this.isAbove(other, name)) branch.base = other;
        break;
      case 1: // Take it out; what stands on it closes the gap.
        for (const each of this.branches.values()) if (each.base === name) each.base = branch.base;
        branch.base = 'main';
        break;
      case 2: {
        // Swap it with what it stands on.
        const under = this.branches.get(branch.base);
        if (!under) break;
        const [low, high] = [branch.base, name];
        for (const [each, its] of this.branches) if (each !== high && its.base === high) its.base = low;
        branch.base = under.base;
        under.base = high;
        break;
      }
      case 3: {
        // Insert one below.
        const added = `n${this.#made++}`;
        this.branches.set(added, { base: branch.base, own: [this.patch()] });
        branch.base = added;
        break;
      }
      case 4: {
        // Fold it into what it stands on: its commits stay the same there.
        const under = this.branches.get(branch.base);
        if (!under) break;
        under.own.push(...branch.own);
        for (const each of this.branches.values()) if (each.base === name) each.base = branch.base;
        branch.own = [];
        break;
      }
      case 5: {
        // Split it: its first commits become a branch below.
        const added = `s${this.#made++}`;
        this.branches.set(added, { base: branch.base, own: branch.own.splice(0, Math.ceil(branch.own.length / 2)) });
        branch.base = added;
        break;
      }
      case 6: {
        // Split it: its last commits become a branch above.
        const added = `t${this.#made++}`;
        const rest = branch.own.splice(Math.ceil(branch.own.length / 2));
        for (const each of this.branches.values()) if (each.base === name) each.base = added;
        this.branches.set(added, { base: name, own: rest });
        break;
      }
      case 7: // Amend or add.
        if (two % 2 === 0) branch.own.pop();
        branch.own.push(this.patch());
        break;
      case 8: // The trunk moves on, and everything is rebased.
        this.trunk = `${this.trunk}/${this.patch()}`;
        break;
    }
  }
}

describe('a stack that is rearranged', () => {
  const contains = (one: string, of: string): boolean => of === one || of.startsWith(`${one}/`);
  const shapes = fc.record({
    bases: fc.array(fc.nat(), { minLength: 2, maxLength: 7 }),
    sizes: fc.array(fc.nat({ max: 2 }), { minLength: 7, maxLength: 7 }),
    changes: fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 40 }), fc.nat({ max: 40 })), {
      minLength: 1,
      maxLength: 6,
    }),
    more: fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 40 }), fc.nat({ max: 40 })), { maxLength: 2 }),
    kill: fc.nat({ max: 12 }),
    closes: fc.nat({ max: 9 }),
  });

  it('keeps every pull request open and ends where it belongs, also when the run is killed and the stack changed again', () => {
    fc.assert(
      fc.property(shapes, ({ bases, sizes, changes, more, kill, closes }) => {
        const stack = new Stack();
        for (const [at, base] of bases.entries())
          stack.branches.set(`b${at}`, {
            base: at === 0 ? 'main' : base % 4 === 0 ? 'main' : `b${base % at}`,
            own: Array.from({ length: (sizes[at] ?? 0) + 1 }, () => stack.patch()),
          });
        const host: Host = { refs: new Map([['main', stack.trunk]]), bases: new Map() };
        const heads = new Map<number, string>();
        for (const [at, name] of stack.ordered().entries()) {
          host.refs.set(name, stack.tip(name));
          heads.set(at + 1, name);
          host.bases.set(at + 1, stack.branches.get(name)?.base ?? 'main');
        }
        // One was closed with its base, which somebody has deleted.
        const gone = new Map<number, { base: string; closedAt: string }>();
        for (const [number, base] of host.bases) {
          if (
            number !== closes ||
            base === 'main' ||
            [...host.bases.values()].filter((each) => each === base).length > 1
          )
            continue;
          const below = [...heads].find(([, head]) => head === base)?.[0];
          gone.set(number, { base, closedAt: host.refs.get(base) ?? '' });
          host.bases.delete(number);
          if (below !== undefined) {
            host.bases.delete(below);
            heads.delete(below);
          }
          host.refs.delete(base);
        }
        const run = (until: number): void => {
          const situation = toSituation(stack, host, heads, gone);
          const planned = planBases(situation);
          assert.ok(isPlan(planned), 'there is no order');
          assert.deepEqual(faultsOf(situation, planned.steps), []);
          for (const step of planned.steps.slice(0, until)) {
            carryOut(situation, host, step);
            if (step.kind === 'reopen') gone.delete(step.number);
          }
          if (until < planned.steps.length) return;
          for (const number of planned.lost) gone.delete(number);
          for (const [number, head] of heads) {
            if (!host.bases.has(number)) continue;
            const own = stack.branches.get(head)?.own.length ?? 0;
            if (own > 0) assert.equal(host.bases.get(number), stack.wish(head), `#${number} of ${head}`);
            if (own > 0) assert.equal(host.refs.get(head), stack.tip(head));
          }
        };
        for (const change of changes) stack.change(...change);
        host.refs.set('main', stack.trunk);
        run(kill);
        for (const change of more) stack.change(...change);
        host.refs.set('main', stack.trunk);
        run(Infinity);
        // Run again it does nothing.
        const again = planBases(toSituation(stack, host, heads, gone));
        assert.ok(isPlan(again));
        assert.deepEqual(
          again.steps.filter(({ kind }) => kind !== 'create'),
          [],
        );
      }),
      { numRuns: 2000 },
    );
  }).timeout(300_000);

  function toSituation(
    stack: Stack,
    host: Host,
    heads: ReadonlyMap<number, string>,
    gone: ReadonlyMap<number, { base: string; closedAt: string }>,
  ): PlanSituation {
    const pushes = stack
      .ordered()
      .filter((name) => host.refs.get(name) !== stack.tip(name))
      .map((ref) => ({ ref, to: stack.tip(ref) }));
    const pulls = [...heads].flatMap(([number, head]): PlanPull[] => {
      const base = host.bases.get(number) ?? gone.get(number)?.base;
      if (base === undefined) return [];
      const closedAt = host.bases.has(number) ? undefined : gone.get(number)?.closedAt;
      return [{ number, head, base, wish: stack.wish(head), closedAt }];
    });
    return { refs: new Map(host.refs), pushes, pulls, creations: [], trunk: 'main', contains };
  }

  const simple = (
    refs: Record<string, string>,
    pushes: Record<string, string>,
    pulls: readonly Omit<PlanPull, 'number'>[],
    more: Partial<PlanSituation> = {},
  ): string[] => {
    const situation: PlanSituation = {
      refs: new Map(Object.entries(refs)),
      pushes: Object.entries(pushes).map(([ref, to]) => ({ ref, to })),
      pulls: pulls.map((pull, at) => ({ ...pull, number: at + 1 })),
      ...{ creations: [], trunk: 'main', contains, ...more },
    };
    const planned = planBases(situation);
    if (!isPlan(planned)) return planned.stuck.map(({ number, base }) => `stuck #${number} ${base}`);
    assert.deepEqual(faultsOf(situation, planned.steps), []);
    return planned.steps.map((step) => {
      switch (step.kind) {
        case 'base':
          return `#${step.number} ${step.from} -> ${step.to}`;
        case 'push':
          return `push ${step.pushes.map(({ ref }) => ref).join(' ')}`;
        case 'create':
          return `create ${step.head} -> ${step.base}`;
        case 'reopen':
          return `reopen #${step.number}`;
        default:
          return `${step.kind} ${step.ref}`;
      }
    });
  };

  it('parks what would be contained on the trunk, pushes all at once, and asks nothing more than that', () => {
    const refs = { main: '0', a: '0/a', b: '0/a/b', c: '0/a/b/c' };
    const pulls = [
      { head: 'a', base: 'main', wish: 'b' },
      { head: 'b', base: 'a', wish: 'main' },
      { head: 'c', base: 'b', wish: 'a' },
    ];
    assert.deepEqual(simple(refs, { b: '0/b', a: '0/b/a', c: '0/b/a/c' }, pulls), [
      '#2 a -> main',
      'push b a c',
      '#1 main -> b',
      '#3 b -> a',
    ]);
    const again = pulls.map((pull) => ({ ...pull, base: pull.wish }));
    assert.deepEqual(simple({ main: '0', b: '0/b', a: '0/b/a', c: '0/b/a/c' }, {}, again), []);
  });

  it('opens again what was closed with its base, before its head is replaced', () => {
    const closed = [{ head: 'b', base: 'a', closedAt: '0/a', wish: 'main' }];
    assert.deepEqual(simple({ main: '0/A', b: '0/a/b' }, { b: '0/A/b' }, closed), [
      'restore a',
      'reopen #1',
      '#1 a -> main',
      'push b',
      'delete a',
    ]);
    const wanted = [{ head: 'b', base: 'a', closedAt: '0/a', wish: 'a' }];
    assert.deepEqual(simple({ main: '0', b: '0/a/b' }, { a: '0/x', b: '0/x/b' }, wanted), [
      'push a',
      'reopen #1',
      'push b',
    ]);
  });

  it('pushes a branch first that stands in the trunk by now, since nothing else is safe for it', () => {
    const refs = { main: '0/1', a: '0', b: '0/1/b' };
    const pulls = [{ head: 'b', base: 'a', wish: 'a' }];
    assert.deepEqual(simple({ ...refs, b: '0/1' }, { a: '0/1/a', b: '0/1/a/b' }, pulls), ['push b', 'push a']);
  });

  it('leaves alone what has no commits of its own any more, and moves no fixed one', () => {
    const refs = { main: '0', a: '0/a', b: '0/a/b' };
    const pulls = [
      { head: 'a', base: 'main', wish: 'main' },
      { head: 'b', base: 'a', wish: 'a' },
    ];
    assert.deepEqual(simple(refs, { a: '0/a/b', b: '0/a/b' }, pulls), ['#2 a -> main', 'push a']);
    // What is based on it skips it: the remote has other commits of it.
    const rebased = { main: '0/1', a: '0/a', b: '0/a/b', c: '0/a/b/c', d: '0/a/b/c/d' };
    const above = [
      { head: 'c', base: 'b', wish: 'b' },
      { head: 'd', base: 'c', wish: 'c' },
    ];
    assert.deepEqual(
      simple(rebased, { a: '0/1/a/b', b: '0/1/a/b', c: '0/1/a/b/c', d: '0/1/a/b/c/d' }, [...pulls, ...above]),
      ['push a c d', '#3 b -> a'],
    );
    const two = [{ head: 'c', base: 'b', wish: 'b' }, above[1] ?? assert.fail()];
    assert.deepEqual(
      simple(rebased, { a: '0/1/a/b', b: '0/1/a/b', c: '0/1/a/b', d: '0/1/a/b/d' }, [...pulls, ...two]),
      ['push a d', '#3 b -> a', '#4 c -> a'],
    );
    const fixed = [{ head: 'b', base: 'a', wish: 'a', fixed: true }];
    assert.deepEqual(simple(refs, { a: '0/a/b/x' }, fixed), ['stuck #1 a']);
    // Where one that is fixed can stay, it is the order of the pushes that sees to it.
    assert.deepEqual(simple(refs, { a: '0/a/b/x', b: '0/a/b/x/y' }, fixed), ['push b', 'push a']);
  });
});
