import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readSession } from '../../../src/core/session/sessionDocument.ts';
import { listTasks, shapeFault } from '../../../src/core/session/tasks.ts';
import { findTask } from '../../../src/core/session/tasksFind.ts';
import { focusedSession } from '../../../src/core/session/tasksFocus.ts';
import { assignToWorktree, unassignFromWorktree } from '../../../src/core/session/tasksMove.ts';

const session = `# Session Handoff: 2026-11-01

**Status:** two of five done

## Pending Tasks

- [ ] **Build login** — \`/design plans/login\` | sonnet
  - Plan: login-form | Status: designed
- [!] **Rename config keys**
- [ ] **Write docs** — see plans/docs
- [x] **Fix flaky test** — it was the clock

## Worktree Tasks

- [ ] **Build search** → \`wt/build-search\` — \`/design search\`

## Blockers / Gotchas

- The login-form plan waits for the new icons
  until Friday
- **Build search** must not touch the index
- Node 22 is needed everywhere

## Reference Files

- \`plans/login\` — drawings
- \`plans/docs\` — the outline of Write docs
`;

const find = (text: string, name: string) => {
  const document = readSession(text);
  const found = findTask(document, name);
  assert.equal(found.found, 'one', JSON.stringify(found));
  return { document, task: found.task };
};
const hand = (text: string, name: string, slug: string): string => {
  const { document, task } = find(text, name);
  return assignToWorktree(document, task, slug);
};
const back = (text: string, slug: string, to: 'pending' | 'out' = 'pending'): string | undefined =>
  unassignFromWorktree(readSession(text), slug, () => to)?.text;

describe('the tasks of a session file', () => {
  it('are pending, in a worktree, or done, with their lines', () => {
    const { pending, inWorktrees, done } = listTasks(readSession(session));
    assert.deepEqual(
      pending.map(({ name, state, line, detail }) => [name, state, line, detail]),
      [
        ['Build login', 'open', 7, '`/design plans/login` | sonnet'],
        ['Rename config keys', 'blocked', 9, ''],
        ['Write docs', 'open', 10, 'see plans/docs'],
      ],
    );
    assert.deepEqual(
      inWorktrees.map(({ name, slug, line }) => [name, slug, line]),
      [['Build search', 'build-search', 15]],
    );
    assert.deepEqual(
      done.map(({ name, state }) => [name, state]),
      [['Fix flaky test', 'done']],
    );
  });

  it('cannot be read where the file has another shape, and the line is named', () => {
    const fault = (text: string) => shapeFault(readSession(text));
    assert.equal(fault(session), undefined);
    assert.deepEqual(fault('# Notes\n\nNothing here.\n')?.line, 1);
    assert.deepEqual(fault('## Pending Tasks\n\n```\n- [ ] **x**\n'), { line: 3, what: 'a code fence is not closed' });
    const conflict = '## Pending Tasks\n<<<<<<< HEAD\n- [ ] **x**\n=======\n>>>>>>> x\n';
    assert.deepEqual(fault(conflict), { line: 2, what: "git's conflict markers are still there" });
  });
});

describe('finding a task', () => {
  it('goes by its name, without case, spaces and stars', () => {
    for (const name of ['build login', ' Build  Login ', '**Build login**'])
      assert.equal(find(session, name).task.first.name, 'Build login');
  });

  it('prefers the pending one of several with one name', () => {
    const text = session.replace('Fix flaky test', 'Build login');
    assert.equal(find(text, 'Build login').task.first.mark, ' ');
  });

  it('names the lines of several that are pending', () => {
    const found = findTask(readSession(session.replace('Write docs**', 'Build login**')), 'Build login');
    assert.deepEqual(found, { found: 'several', lines: [7, 10] });
  });

  it('offers the names that come close', () => {
    const offered = (name: string) => {
      const found = findTask(readSession(session), name);
      return found.found === 'none' ? found.similar : found;
    };
    assert.deepEqual(offered('login'), ['Build login']);
    assert.deepEqual(offered('Biuld logn'), ['Build login']);
    assert.deepEqual(offered('config'), ['Rename config keys']);
    assert.deepEqual(offered('zzz'), ['Build login', 'Rename config keys', 'Write docs', 'Build search']);
  });
});

describe('handing a task to a worktree', () => {
  it('moves its lines below the worktree tasks, with the marker behind its name', () => {
    const block = '- [ ] **Build login** — `/design plans/login` | sonnet\n  - Plan: login-form | Status: designed\n';
    const marked = block.replace('**Build login**', '**Build login** → `wt/build-login`');
    const expected = session.replace(block, '').replace(/(- \[ \] \*\*Build search.*\n)/, `$1${marked}`);
    assert.equal(hand(session, 'Build login', 'build-login'), expected);
  });

  it('writes the marker at the end of the line where the others have it there', () => {
    const text = session.replace(' → `wt/build-search` — `/design search`', ' — `/design search` → `build-search`');
    assert.match(hand(text, 'Write docs', 'docs'), /^- \[ \] \*\*Write docs\*\* — see plans\/docs → `wt\/docs`$/m);
  });

  it('makes the section where there is none, before the blockers', () => {
    const text = session.replace(/## Worktree Tasks\n\n.*\n\n/, '');
    const handed = hand(text, 'Write docs', 'docs');
    assert.match(
      handed,
      /clock\n\n## Worktree Tasks\n\n- \[ \] \*\*Write docs\*\* → `wt\/docs` — see plans\/docs\n\n## Blockers/,
    );
  });

  it('takes the place of a note that there is none', () => {
    const text = '## Pending Tasks\n\n- [ ] **A task**\n\n## Worktree Tasks\n\n(none)\n';
    assert.equal(hand(text, 'A task', 'a'), '## Pending Tasks\n\n## Worktree Tasks\n\n- [ ] **A task** → `wt/a`\n');
  });

  it('gives one that stands there already the new marker', () => {
    assert.equal(hand(session, 'Build search', 'other'), session.replace('wt/build-search', 'wt/other'));
  });

  it('keeps the byte order mark, the line ends and the missing last one', () => {
    const strange = `\uFEFF${session.trimEnd().replaceAll('\n', '\r\n')}`;
    const handed = hand(strange, 'Build login', 'build-login');
    assert.equal(handed, `\uFEFF${hand(session, 'Build login', 'build-login').trimEnd().replaceAll('\n', '\r\n')}`);
  });

  it('keeps blank lines at the end', () => {
    const handed = hand(`${session}\n\n`, 'Build login', 'build-login');
    assert.equal(handed, `${hand(session, 'Build login', 'build-login')}\n\n`);
  });
});

describe('taking a task back from its worktree', () => {
  it('puts it among the pending ones again, without the marker', () => {
    const handed = hand(session, 'Write docs', 'docs');
    const text = back(handed, 'docs');
    assert.equal(
      text,
      session
        .replace('- [ ] **Write docs** — see plans/docs\n', '')
        .replace('- [x] **Fix flaky test** — it was the clock\n', '$&- [ ] **Write docs** — see plans/docs\n'),
    );
  });

  it('gives the very same file where it was the last one', () => {
    const text = session.replace(/- \[x\].*\n/, '');
    assert.equal(back(hand(text, 'Write docs', 'docs'), 'docs'), text);
  });

  it('leaves it out when it is done with', () => {
    const handed = hand(session, 'Write docs', 'docs');
    assert.equal(back(handed, 'docs', 'out'), session.replace('- [ ] **Write docs** — see plans/docs\n', ''));
  });

  it('says that there is none of that worktree', () => {
    assert.equal(back(session, 'docs'), undefined);
  });
});

describe('the session file of a worktree', () => {
  it('has the task, and what belongs to it or to every task', () => {
    const { document, task } = find(session, 'Build login');
    assert.equal(
      focusedSession(document, task),
      `# Session: Worktree — Build login

## Pending Tasks

- [ ] **Build login** — \`/design plans/login\` | sonnet
  - Plan: login-form | Status: designed

## Blockers / Gotchas

- The login-form plan waits for the new icons
  until Friday
- Node 22 is needed everywhere

## Reference Files

- \`plans/login\` — drawings
`,
    );
  });

  it('has no marker, and the line ends of the file', () => {
    const text = session.replaceAll('\n', '\r\n');
    const { document, task } = find(hand(text, 'Write docs', 'docs'), 'Write docs');
    const focused = focusedSession(document, task);
    assert.match(focused, /^- \[ \] \*\*Write docs\*\* — see plans\/docs\r$/m);
    assert.doesNotMatch(focused.replaceAll('\r\n', ''), /\n/);
  });
});

describe('moving tasks', () => {
  const name = fc.stringMatching(/^[A-Z][a-z]{2,8} [a-z]{2,8}$/);
  const task = fc.record({
    name,
    mark: fc.constantFrom(' ', '!', '>', 'x'),
    detail: fc.constantFrom('', ' — `/design` | sonnet', ' — say **why**'),
    below: fc.subarray(
      ['  - Plan: a | Status: planned', '', '  More of it.', '  ```', '  - [ ] **Not one**', '  ```'].slice(0, 3),
    ),
    gap: fc.boolean(),
  });
  const file = fc.record({
    tasks: fc.uniqueArray(task, { minLength: 1, maxLength: 8, selector: (each) => each.name }),
    worktrees: fc.constantFrom(undefined, '', '(none)\n', '- [ ] **Old one** → `wt/old-one`\n'),
    blockers: fc.boolean(),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n', '\n\n\n'),
    chosen: fc.nat(),
  });
  const textOf = ({
    tasks,
    worktrees,
    blockers,
    eol,
    end,
  }: typeof file extends fc.Arbitrary<infer T> ? T : never): string => {
    const lines = tasks.map((each) =>
      [`- [${each.mark}] **${each.name}**${each.detail}`, ...each.below, ...(each.gap ? [''] : [])].join('\n'),
    );
    const parts = [
      `# Session\n\n## Pending Tasks\n\n${lines.join('\n')}\n`,
      ...(worktrees === undefined ? [] : [`## Worktree Tasks\n\n${worktrees}`]),
      ...(blockers ? ['## Blockers\n\n- one\n- two\n'] : []),
    ];
    return (parts.join('\n').trimEnd() + end).replaceAll('\n', eol);
  };
  const textsOf = (text: string): string[] =>
    readSession(text)
      .tasks.map(({ texts }) =>
        texts
          .join('\n')
          .trimEnd()
          .replace(/ → `wt\/moved`/, ''),
      )
      .sort();
  const others = (text: string): string[] =>
    text
      .split(/\r?\n/)
      .map((line) => line.replace(/ → `wt\/moved`/, ''))
      .filter((line) => line.trim() !== '' && line !== '## Worktree Tasks' && line !== '(none)')
      .sort();

  it('loses and changes no line, to a worktree and back, however the file is made', () => {
    fc.assert(
      fc.property(file, (made) => {
        const text = textOf(made);
        const document = readSession(text);
        const chosen = document.tasks[made.chosen % document.tasks.length];
        fc.pre(chosen?.section.role === 'pending');
        const handed = assignToWorktree(document, chosen, 'moved');
        assert.deepEqual(textsOf(handed), textsOf(text));
        assert.deepEqual(others(handed), others(text));
        assert.equal(/\s*$/.exec(handed)?.[0], /\s*$/.exec(text)?.[0]);
        const moved = readSession(handed).tasks.find(({ first }) => first.slug === 'moved');
        assert.equal(moved?.section.role, 'worktree');
        assert.equal(assignToWorktree(readSession(handed), moved, 'moved'), handed, 'a second time changes nothing');
        const back = unassignFromWorktree(readSession(handed), 'moved', () => 'pending');
        assert.ok(back);
        assert.deepEqual(textsOf(back.text), textsOf(text));
        assert.equal(
          unassignFromWorktree(readSession(back.text), 'moved', () => 'pending'),
          undefined,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('moves one of many thousand tasks', () => {
    const many = (count: number): string =>
      `## Pending Tasks\n\n${Array.from({ length: count }, (_, index) => `- [ ] **Task ${index}** — x\n`).join('')}`;
    const document = readSession(many(20_000));
    const found = findTask(document, 'Task 19999');
    assert.equal(found.found, 'one');
    assert.match(
      assignToWorktree(document, found.task, 'last'),
      /\n\n## Worktree Tasks\n\n- \[ \] \*\*Task 19999\*\* → `wt\/last` — x\n$/,
    );
  });
});
