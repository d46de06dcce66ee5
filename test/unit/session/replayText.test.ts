import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeSessionText } from '../../../src/core/session/mergeText.ts';
import { replaySessionText } from '../../../src/core/session/replayText.ts';
import { readSession } from '../../../src/core/session/sessionDocument.ts';
import { focusedSession } from '../../../src/core/session/tasksFocus.ts';

const session = (...tasks: string[]): string =>
  `# Session\n\n## Pending Tasks\n\n${tasks.map((t) => `${t}\n`).join('')}`;
const focused = (...tasks: string[]): string =>
  `# Session: Worktree — Receipts\n\n## Pending Tasks\n\n${tasks.map((t) => `${t}\n`).join('')}`;

const receipts = '- [ ] **Receipts** — mail a PDF';
const login = '- [ ] **Login** — limit tries';

const replayed = (base: string, commit: string, onto: string): string => {
  const { known, text } = replaySessionText({ kind: 'session', base, commit, onto });
  assert.ok(known);
  return text;
};

describe('a session file in a rebase', () => {
  it('the focused file of a worktree stays focused, whatever the base has now', () => {
    const base = session(receipts, login);
    const moved = `${session(login, '- [ ] **Search** — an index')}\n## Worktree Tasks\n\n- [ ] **Receipts** → \`wt/receipts\` — mail a PDF\n`;
    assert.equal(replayed(base, focused(receipts), moved), focused(receipts));
    const added = focused(receipts, '- [ ] **Fonts** — embed them');
    assert.equal(replayed(base, added, moved), added);
  });

  it('what the base says of the worktree’s own task now comes along', () => {
    const base = session(receipts, login);
    assert.equal(
      replayed(base, focused(receipts), session('- [x] **Receipts** — mail a PDF', login)),
      focused('- [x] **Receipts** — mail a PDF'),
    );
    assert.equal(
      replayed(base, focused('- [x] **Receipts** — mail a PDF'), session('- [ ] **Receipts** — mail two PDFs', login)),
      focused('- [x] **Receipts** — mail two PDFs'),
    );
  });

  it('a task that the base dropped goes, unless the worktree has worked on it', () => {
    const base = session(receipts, login);
    assert.equal(replayed(base, session(receipts, login), session(login)), session(login));
    const worked = session('- [>] **Receipts** — mail a PDF', login);
    assert.equal(replayed(base, worked, session(login)), worked);
  });

  it('a file that is not focused gets the new tasks of the base, but not those that are done', () => {
    const base = session(receipts);
    const onto = session(receipts, '- [ ] **Search** — an index', '- [x] **Menu** — done');
    assert.equal(
      replayed(base, session(receipts, login), onto),
      session(receipts, login, '- [ ] **Search** — an index'),
    );
  });

  it('a worktree on a worktree, each with a task of its own', () => {
    const parent = focused(receipts);
    const child = '# Session: Worktree — Login\n\n## Pending Tasks\n\n- [ ] **Login** — limit tries\n';
    const parentNow = focused('- [x] **Receipts** — mail a PDF', '- [ ] **Fonts** — embed them');
    assert.equal(replayed(parent, child, parentNow), child);
  });

  it('learnings and jobs take the changes of the worktree in', () => {
    const learnings = (...names: string[]): string =>
      `# Learnings\n${names.map((n) => `\n## ${n}\n\n- of ${n}\n`).join('')}`;
    const merged = replaySessionText({
      kind: 'learnings',
      base: learnings('one', 'two'),
      commit: learnings('one', 'two', 'mine'),
      onto: learnings('two', 'theirs'),
    });
    assert.deepEqual([merged.known, merged.text], [true, learnings('two', 'theirs', 'mine')]);
  });

  it('an unknown shape is told, and nothing is made up', () => {
    const { known, unknown } = replaySessionText({
      kind: 'session',
      base: session(receipts),
      commit: `${session(receipts)}<<<<<<< ours\n=======\n>>>>>>> theirs\n`,
      onto: session(login),
    });
    assert.equal(known, false);
    assert.match(unknown ?? '', /line \d+/);
  });

  describe('a rebase and a merge give the notes of a merge alone', () => {
    const names = ['Apple', 'Bread', 'Cheese', 'Dates', 'Eggs', 'Figs'];
    const state = fc.record({
      there: fc.boolean(),
      mark: fc.constantFrom(' ', 'x', '-', '>'),
      body: fc.constantFrom('first plan', 'second plan', 'third plan'),
      rest: fc.subarray(['  - Plan: one', '  - Status: two', '  - note']),
    });
    const list = fc.tuple(...names.map(() => state));
    type State = typeof state extends fc.Arbitrary<infer S> ? S : never;
    const textOf = (states: readonly State[]): string =>
      session(
        ...states.flatMap(({ there, mark, body, rest }, index) =>
          there ? [`- [${mark}] **${names[index]}** — ${body} of ${names[index]}`, ...rest] : [],
        ),
        '- [ ] **Zest** — always there',
      );
    /** Each side changes some of the tasks. */
    const sides = fc
      .tuple(
        list,
        list,
        list,
        fc.array(fc.constantFrom('base', 'ours', 'theirs', 'both'), { minLength: 6, maxLength: 6 }),
      )
      .map(([base, ours, theirs, who]) => ({
        base: textOf(base),
        onto: textOf(base.map((each, i) => (who[i] === 'ours' || who[i] === 'both' ? (ours[i] ?? each) : each))),
        commit: textOf(base.map((each, i) => (who[i] === 'theirs' || who[i] === 'both' ? (theirs[i] ?? each) : each))),
      }));

    const tasksOf = (text: string): string[] =>
      readSession(text)
        .tasks.map(({ texts }) => texts.join('\n'))
        .sort();

    const check = (base: string, commit: string, onto: string): void => {
      const alone = mergeSessionText({ kind: 'session', base, ours: onto, theirs: commit });
      const rebased = replaySessionText({ kind: 'session', base, commit, onto });
      assert.ok(alone.known && rebased.known);
      const after = mergeSessionText({ kind: 'session', base: onto, ours: onto, theirs: rebased.text });
      assert.ok(after.known);
      assert.deepEqual(tasksOf(after.text), tasksOf(alone.text));
    };

    it('for worktrees with the whole list', () => {
      fc.assert(
        fc.property(sides, ({ base, commit, onto }) => check(base, commit, onto)),
        { numRuns: 500 },
      );
    });

    it('for worktrees that are focused on a task', () => {
      fc.assert(
        fc.property(sides, list, ({ base, onto }, more) => {
          const document = readSession(base);
          const [first] = document.tasks;
          assert.ok(first);
          const own = focusedSession(document, first);
          check(base, own, onto);
          const worked = own.replace('- [ ]', '- [x]');
          check(base, worked, onto);
          const added = textOf(more).split('\n').slice(4, -1).join('\n').replaceAll('**', '**New ');
          check(base, `${own}${added}\n`, onto);
        }),
        { numRuns: 300 },
      );
    });

    it('replaying again onto the same changes nothing', () => {
      fc.assert(
        fc.property(sides, ({ base, commit, onto }) => {
          const once = replayed(base, commit, onto);
          assert.equal(replayed(onto, once, onto), once);
        }),
        { numRuns: 200 },
      );
    });
  });
});
