import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { mergeSessionText } from '../../../src/core/session/mergeText.ts';
import type { Choice, MergeOutcome, SessionKind } from '../../../src/core/session/model.ts';

const pending = (...lines: string[]): string => ['# S', '', '## Pending Tasks', '', ...lines, ''].join('\n');
const table = (...rows: string[]): string => ['| Plan | Status | Notes |', '|---|---|---|', ...rows, ''].join('\n');
const told = ({ entries }: MergeOutcome): string[] =>
  entries.map(({ name, reason, needsLook }) => `${name}: ${reason}${needsLook ? '!' : ''}`);

function merge(kind: SessionKind, base: string | undefined, ours: string, theirs: string, slug?: string): MergeOutcome {
  return mergeSessionText({ kind, base, ours, theirs, slug });
}

describe('merging session files: the rules for tasks', () => {
  it('a worktree’s task that is still open goes back to the pending ones, with what the worktree wrote, without its marker', () => {
    for (const written of ['- [ ] **Alpha** → `wt/feat-x` — do a', '- [ ] **Alpha** — do a → wt/feat-x']) {
      const ours = `${pending('(none)')}\n## Worktree Tasks\n\n${written}\n- [ ] **Beta** → \`b\` — x\n\n## Next Steps\n\n- y\n`;
      const outcome = merge('session', undefined, ours, pending('- [>] **Alpha** — do a', '  - half done'), 'feat-x');
      assert.equal(
        outcome.text,
        `${pending('- [>] **Alpha** — do a', '  - half done')}\n## Worktree Tasks\n\n- [ ] **Beta** → \`b\` — x\n\n## Next Steps\n\n- y\n`,
      );
      assert.deepEqual(told(outcome), ['Alpha: worktreeStillOpen', 'Beta: onlyInOurs']);
    }
  });

  it('a worktree’s task that theirs does not have any more is done with', () => {
    const ours = `${pending('- [ ] **B** — b')}\n## Worktree Tasks\n\n- [ ] **A** → \`x\` — a\n`;
    const outcome = merge('session', ours, ours, pending('- [ ] **B** — b'), 'x');
    assert.equal(outcome.text, `${pending('- [ ] **B** — b')}\n## Worktree Tasks\n`);
    assert.deepEqual(told(outcome), ['A: worktreeFinished']);
  });

  it('what one side removed and the other changed is kept, and is to be reviewed, whichever side it was', () => {
    const one = (text: string): string => pending('- [ ] **B** — b', ...(text === '' ? [] : [`- [ ] **A** — ${text}`]));
    const ours = merge('session', one('a'), one('changed'), one(''));
    assert.deepEqual([ours.text, ...told(ours)], [one('changed'), 'A: deletedByTheirsButChanged!']);
    const theirs = merge('session', one('a'), one(''), one('changed'));
    assert.deepEqual([theirs.text, ...told(theirs)], [one('changed'), 'A: deletedByOursButChanged!']);
    // What nobody has changed, or nobody had before, is no question.
    assert.deepEqual(told(merge('session', one('a'), one('a'), one(''))), ['A: onlyInOurs']);
    assert.deepEqual(told(merge('session', undefined, one('changed'), one(''))), ['A: onlyInOurs']);
    // Whoever works at one task leaves out the others, and removes none.
    const focused = one('').replace('# S', '# Session: Worktree — B');
    assert.deepEqual(told(merge('session', one('a'), one('changed'), focused)), ['A: onlyInOurs']);
    const replayed = mergeSessionText({
      kind: 'session',
      ...{ base: one('a'), ours: one('changed'), theirs: one(''), replayed: true },
    });
    assert.deepEqual([replayed.text, ...told(replayed)], [one('changed'), 'A: deletedByTheirsButChanged!']);
  });

  it('so are notes, rows and learnings', () => {
    const note = (text: string): string => `${pending('- [ ] **A** — a')}\n## Blockers\n\n- x\n${text}`;
    const notes = merge('session', note('- **db**: slow\n'), note('- **db**: very slow\n'), note(''));
    assert.deepEqual(told(notes), ['db: very slow: deletedByTheirsButChanged!']);
    const rows = (cell: string): string =>
      table('| a | designed | n |', ...(cell === '' ? [] : [`| p | ${cell} | n |`]));
    const jobs = merge('jobs', rows('designed'), rows('planned'), rows(''));
    assert.deepEqual([jobs.text, ...told(jobs)], [rows('planned'), 'p: deletedByTheirsButChanged!']);
    const learned = (text: string): string => `# L\n\n## A\n\na\n${text}`;
    const learnings = merge('learnings', learned('\n## B\n\nb\n'), learned('\n## B\n\nc\n'), learned(''));
    assert.deepEqual(told(learnings), ['B: deletedByTheirsButChanged!']);
  });

  it('tasks come to the group of the same name; one that is missing is made', () => {
    const section = (top: string, one: string[], more: string[]): string =>
      [
        '## Pending Tasks',
        '',
        ...(top ? [top, ''] : []),
        '### One',
        '',
        ...one,
        '',
        ...more,
        '## Reference Files',
        '',
        '- r',
        '',
      ].join('\n');
    const base = section('', ['- [ ] **A** — a'], []);
    const theirs = section(
      '- [ ] **Top** — t',
      ['- [ ] **A** — a', '- [ ] **A2** — a'],
      ['### Two', '', '- [ ] **B** — b', ''],
    );
    assert.equal(merge('session', base, base, theirs).text, theirs);
  });

  it('what only looks like a task or a heading in a fence or a comment is text', () => {
    const theirs = pending(
      '- [ ] **A** — a',
      '- [ ] **N** — n',
      '  ```',
      '  ## No heading',
      '  - [ ] **no** — task',
      '  ```',
      '',
      '<!--',
      '- [ ] **hidden** — h',
      '-->',
    );
    const outcome = merge('session', pending('- [ ] **A** — a'), pending('- [ ] **A** — a'), theirs);
    assert.deepEqual(told(outcome), ['N: newInTheirs']);
    assert.equal(
      outcome.text,
      pending('- [ ] **A** — a', '- [ ] **N** — n', '  ```', '  ## No heading', '  - [ ] **no** — task', '  ```'),
    );
  });

  it('where both changed a task, each part is weighed for itself', () => {
    const outcome = merge(
      'session',
      pending('- [ ] **A** — a', '  - one'),
      pending('- [!] **A** — ours', '  - one', '  - ours'),
      pending('- [x] **A** — theirs', '  - one', '  - theirs', '', '    a paragraph'),
    );
    assert.equal(
      outcome.text,
      pending('- [x] **A** — ours', '  - one', '  - ours', '  - theirs', '', '    a paragraph'),
    );
    assert.deepEqual(told(outcome), ['A: bothChanged!']);
  });

  it('a task that theirs renamed is renamed in place, and ours keeps its marker', () => {
    const base = pending('- [ ] **A** — `/design plans/a/b.md`', '- [ ] **B** — b');
    const ours = pending('- [ ] **A** → `wt/a` — `/design plans/a/b.md`', '- [ ] **B** — b');
    const outcome = merge('session', base, ours, base.replace('**A**', '**A prime**'));
    assert.equal(outcome.text, ours.replace('**A**', '**A prime**'));
    assert.deepEqual(told(outcome), ['A: renamedByTheirs']);
  });

  it('of two tasks with one name each is compared with the one that says the same', () => {
    const base = pending('- [x] **A** — one', '- [!] **A** — two');
    const ours = pending('- [!] **A** — two', '- [!] **A** — two');
    assert.equal(merge('session', base, ours, base).text, ours);
  });

  it('a short command that several tasks share makes no renaming of a deletion and a new task', () => {
    const outcome = merge(
      'session',
      pending('- [ ] **A** — `/design` | opus'),
      pending(),
      pending('- [ ] **B** — `/design` | opus'),
    );
    assert.deepEqual(told(outcome), ['B: newInTheirs']);
  });

  for (const [what, ours, theirs, line] of [
    ['a table instead of tasks', '# 체크\n\n| a |\n', '# 체크\n\n| b |\n', /^line 1 of ours: .*section of tasks/],
    ['numbered tasks', pending('1. a'), pending('1. a', '2. b'), /^line 6 of theirs: .*Pending Tasks/],
    ['conflict markers', pending('<<<<<<< HEAD', '- [ ] **A** — a'), pending(), /^line 5 of ours: .*conflict markers/],
    [
      'an open fence',
      pending(),
      `${pending()}\`\`\`\n- [ ] **A** — a\n`,
      /^line 5 of theirs: a code fence is not closed/,
    ],
    ['an open comment', pending(), `${pending()}<!-- x\n`, /^line 5 of theirs: a comment is not closed/],
  ] as const) {
    it(`${what}: ours, and the line`, () => {
      const outcome = merge('session', undefined, ours, theirs);
      assert.deepEqual([outcome.known, outcome.text, outcome.entries], [false, ours, []]);
      assert.match(outcome.unknown ?? '', line);
    });
  }
});

describe('merging session files: the rules for learnings and jobs', () => {
  it('where both changed a learning, theirs’ new items follow ours', () => {
    const outcome = merge(
      'learnings',
      '# L\n\n## X\n- a\n- b\n',
      '# L\n\n## X\n- a\n- b, ours\n',
      '# L\n\n## X\n- a\n- b, theirs\n  at length\n\nText.\n',
    );
    assert.equal(outcome.text, '# L\n\n## X\n- a\n- b, ours\n- b, theirs\n  at length\n\nText.\n');
    assert.deepEqual(told(outcome), ['X: bothChanged!']);
  });

  it('a file without headings is one learning', () => {
    assert.equal(merge('learnings', '- a\n', '- a\n- b\n', '- a\n- c\n').text, '- a\n- b\n- c\n');
  });

  it('a learning that theirs deleted and ours changed stays', () => {
    const outcome = merge('learnings', '## X\n- a\n', '## X\n- a\n- b\n', '# L\n');
    assert.match(outcome.text, /## X\n- a\n- b\n$/);
  });

  it('conflict markers in a learning are text', () => {
    const ours = '# L\n\n## Markers\n<<<<<<< HEAD\n=======\n>>>>>>> x\n';
    assert.equal(merge('learnings', '# L\n', ours, '# L\n\n## N\n- n\n').text, `${ours}\n## N\n- n\n`);
  });

  it('a status keeps its cell’s width and decoration, and an escaped pipe its place', () => {
    const ours =
      '| Plan | Status       | Notes |\n|------|--------------|-------|\n| a    | requirements | n     |\n| b    | **designed** | a \\| b |\n';
    const theirs = ours
      .replace('requirements', 'planned     ')
      .replace('**designed**', 'outlined')
      .replace('a \\| b', 'a \\| c');
    assert.equal(
      merge('jobs', ours, ours, theirs).text,
      '| Plan | Status       | Notes |\n|------|--------------|-------|\n| a    | planned      | n     |\n| b    | **outlined** | a \\| c |\n',
    );
  });

  it('what a side has archived is complete, and does not come back as new', () => {
    const archive = (...items: string[]): string => `\n## Complete (Archived)\n\n${items.join('\n')}\n`;
    const base = table('| a | planned | |', '| b | designed | |');
    const ours = table('| a | planned | |') + archive('- b — done', '- `new`: done');
    const theirs =
      table('| b | designed | |', '| new | planned | |', '| fresh | planned | |') + archive('- **a** — done');
    const outcome = merge('jobs', base, ours, theirs);
    assert.equal(
      outcome.text,
      table('| a | complete | |', '| fresh | planned | |') + archive('- b — done', '- `new`: done'),
    );
    assert.deepEqual(told(outcome), ['a: archived', 'b: deletedByOurs', 'new: archived', 'fresh: newInTheirs']);
  });

  it('a step back stands where ours alone made it; an unknown status only moves what ours left alone', () => {
    const outcome = merge(
      'jobs',
      table('| a | planned | |', '| b | — | |', '| c | designed | |'),
      table('| a | requirements | |', '| b | — | |', '| c | planned | |'),
      table('| a | planned | |', '| b | killed | |', '| c | ready | |'),
    );
    assert.equal(outcome.text, table('| a | requirements | |', '| b | killed | |', '| c | planned | |'));
    assert.deepEqual(told(outcome), ['a: onlyOursChanged', 'b: statusUnknown', 'c: statusUnknown!']);
  });

  it('a new row finds its cells by the titles of ours’ columns; a column that ours lacks is unknown', () => {
    const ours = '| Plan | Notes | Status |\n|---|---|---|\n| a | n | planned |\n';
    assert.equal(merge('jobs', undefined, ours, table('| b | designed | x |')).text, `${ours}| b | x | designed |\n`);
    const outcome = merge('jobs', undefined, '| Plan | Status |\n|---|---|\n', table('| b | designed | x |'));
    assert.match(outcome.unknown ?? '', /^line 1 of theirs: ours has no column “notes”/);
  });
});

describe('merging session files: choices', () => {
  const cases: Record<
    SessionKind,
    { base: string; ours: string; theirs: string; name: string; entry: Record<'ours' | 'theirs', string> }
  > = {
    session: {
      base: pending('- [ ] **A** — a'),
      ours: pending('- [ ] **A** — ours', '  - o'),
      theirs: pending('- [x] **A** — theirs', '  - t'),
      name: 'A',
      entry: { ours: '- [ ] **A** — ours\n  - o', theirs: '- [x] **A** — theirs\n  - t' },
    },
    learnings: {
      base: '# L\n\n## A\n- a\n',
      ours: '# L\n\n## A\n- ours\n',
      theirs: '# L\n\n## A\n- theirs\n',
      name: 'A',
      entry: { ours: '## A\n- ours', theirs: '## A\n- theirs' },
    },
    jobs: {
      base: table('| a | designed | n |'),
      ours: table('| a | designed | ours |'),
      theirs: table('| a | planned | theirs |'),
      name: 'a',
      entry: { ours: '| a | designed | ours |', theirs: '| a | planned | theirs |' },
    },
  };
  const between: Record<SessionKind, string> = { session: '\n', learnings: '\n\n', jobs: '\n' };
  for (const [kind, { base, ours, theirs, name, entry }] of Object.entries(cases) as [
    SessionKind,
    (typeof cases)['jobs'],
  ][]) {
    const results: Record<Exclude<Choice, 'merged'>, string> = {
      ours,
      theirs,
      both: ours.replace(entry.ours, `${entry.ours}${between[kind]}${entry.theirs}`),
      neither: { session: '# S\n\n## Pending Tasks\n', learnings: '# L\n', jobs: table() }[kind],
    };
    for (const [choice, expected] of Object.entries(results) as [Choice, string][]) {
      it(`${kind}: ${choice}`, () => {
        const plain = mergeSessionText({ kind, base, ours, theirs });
        const [{ id } = { id: '' }] = plain.entries;
        const outcome = mergeSessionText({
          kind,
          base,
          ours,
          theirs,
          choices: new Map([
            [id, choice],
            ['nobody', 'ours'],
          ]),
        });
        assert.equal(outcome.text, expected);
        assert.deepEqual(
          outcome.entries.map((one) => [one.id, one.name, one.choice, one.ours, one.theirs]),
          [[id, name, choice, entry.ours, entry.theirs]],
        );
      });

      it(`${kind}: a person's own lines, whatever was chosen: ${choice}`, () => {
        const [{ id } = { id: '' }] = mergeSessionText({ kind, base, ours, theirs }).entries;
        const choices = new Map([[id, choice]]);
        const withEdit = (text: string): MergeOutcome =>
          mergeSessionText({ kind, base, ours, theirs, choices, edits: new Map([[id, text]]) });
        const own = withEdit(`${entry.theirs}\r\n  - mine\n\n`);
        assert.equal(own.text, ours.replace(entry.ours, `${entry.theirs}\n  - mine`));
        assert.deepEqual(
          own.entries.map(({ edited, result, choice: chosen }) => [edited, result, chosen]),
          [[true, `${entry.theirs}\n  - mine`, choice]],
        );
        // Nothing written leaves it out.
        assert.equal(withEdit(' \n').text, results.neither);
      });
    }
  }

  it('an entry that only theirs has can be left out, and one that is not taken can be taken', () => {
    const input = {
      kind: 'session' as const,
      base: pending(),
      ours: pending(),
      theirs: pending('- [ ] **N** — n', '- [x] **D** — d'),
    };
    const ids = mergeSessionText(input).entries.map(({ id }) => id);
    assert.equal(ids.length, 2);
    const choices = new Map<string, Choice>([
      [ids[0] ?? '', 'ours'],
      [ids[1] ?? '', 'theirs'],
    ]);
    assert.equal(mergeSessionText({ ...input, choices }).text, pending('- [x] **D** — d'));
  });
});

describe('merging session files: the page about it', () => {
  it('has a row for every reason', async () => {
    const root = resolve(import.meta.dirname, '../../..');
    const code = await readFile(resolve(root, 'src/core/session/model.ts'), 'utf8');
    const union = /export type MergeReason =([^;]+);/.exec(code)?.[1] ?? '';
    const reasons = [...union.matchAll(/'(\w+)'/g)].map(([, reason = '']) => reason);
    assert.ok(reasons.length > 10);
    const docs = await readFile(resolve(root, 'docs/merging.md'), 'utf8');
    assert.deepEqual(
      reasons.filter((reason) => !docs.includes(`\`${reason}\``)),
      [],
    );
  });
});
