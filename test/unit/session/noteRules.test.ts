import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeSessionText } from '../../../src/core/session/mergeText.ts';
import type { MergeOutcome } from '../../../src/core/session/model.ts';
import { isSettled, replaySessionText } from '../../../src/core/session/replayText.ts';

interface Parts {
  readonly title?: string;
  readonly status?: string;
  readonly completed?: readonly string[];
  readonly tasks?: readonly string[];
  readonly blockers?: readonly string[];
  readonly references?: readonly string[];
  readonly decisions?: readonly string[];
  readonly next?: readonly string[];
}

const section = (heading: string, lines: readonly string[] | undefined): string[] =>
  lines === undefined ? [] : ['', `## ${heading}`, '', ...lines];

/** A session file, of which only the given sections are there. */
const file = ({ title = 'Session', status, completed, tasks, blockers, references, decisions, next }: Parts): string =>
  `${[
    `# ${title}`,
    ...(status === undefined ? [] : ['', `**Status:** ${status}`]),
    ...section('Completed This Session', completed),
    ...section('Pending Tasks', tasks ?? ['- [ ] **Zest** — always there']),
    ...section('Blockers / Gotchas', blockers),
    ...section('Reference Files', references),
    ...section('Decisions', decisions),
    ...section('Next Steps', next),
  ].join('\n')}\n`;
const focused = (parts: Parts): string => file({ title: 'Session: Worktree — Zest', ...parts });

const merge = (base: string | undefined, ours: string, theirs: string): MergeOutcome => {
  const outcome = mergeSessionText({ kind: 'session', base, ours, theirs });
  assert.equal(outcome.unknown, undefined);
  const again = mergeSessionText({ kind: 'session', base, ours: outcome.text, theirs });
  assert.equal(again.text, outcome.text, 'a second merge changes nothing');
  return outcome;
};
const told = ({ entries }: MergeOutcome): string[] =>
  entries.map(({ name, reason, needsLook }) => `${name}: ${reason}${needsLook ? '!' : ''}`);

const gateway = '- The gateway is down';
const review = '- Login waits for the security review';

describe('merging what is no task', () => {
  it('what theirs added comes along, to the section and group of ours, before what separates sections', () => {
    const base = file({
      blockers: [gateway, '', '---'],
      references: ['### Code', '', '- `a.ts` — parser', '', '### Plans'],
    });
    const theirs = focused({
      blockers: [gateway, '  - since Monday', '- Mails bounce'],
      references: ['### Code', '', '- `a.ts` — parser', '- `b.ts` — sender', '', '### Talks', '', 'A long paragraph.'],
    });
    assert.equal(
      merge(base, base, theirs).text,
      file({
        blockers: [gateway, '  - since Monday', '- Mails bounce', '', '---'],
        references: [
          ...['### Code', '', '- `a.ts` — parser', '- `b.ts` — sender', '', '### Plans', ''],
          ...['### Talks', '', 'A long paragraph.'],
        ],
      }),
    );
  });

  it('a section that ours has not is made where theirs has it, with rows as a table and fences whole', () => {
    const base = file({ blockers: [gateway], next: ['- ask'] });
    const table = ['| what | why |', '|---|---|', '| PDF | asked |', '', '```', '- no item', '```'];
    const theirs = file({ blockers: [gateway], decisions: table, next: ['- ask'] });
    assert.equal(merge(base, base, theirs).text, theirs);
    const row = ['| what | why |', '|---|---|', '| PDF | asked |', '| Font | free |', '', '```', '- no item', '```'];
    assert.equal(
      merge(theirs, theirs, focused({ decisions: row })).text,
      theirs.replace(table.join('\n'), row.join('\n')),
    );
  });

  it('other names of blockers and references are the same section, and a placeholder makes way', () => {
    const ours = '# S\n\n## Pending Tasks\n\n## Gotchas\n\n(none)\n\n## References\n\n- x\n';
    const theirs = '# S\n\n## Pending Tasks\n\n## Blockers\n\n- new\n\n## Reference Files\n\n- x\n- y\n';
    assert.equal(merge(ours, ours, theirs).text, ours.replace('(none)', '- new').replace('- x\n', '- x\n- y\n'));
  });

  it('changed by theirs alone: theirs; by ours alone: ours; by both: ours, for a person to look at', () => {
    const base = file({ blockers: [gateway, review, '- API limit is 10 a minute'] });
    const ours = file({ blockers: [gateway, `${review}, asked Ann`, '- API limit is 20 a minute'] });
    const theirs = file({ blockers: [`${gateway} until Monday`, review, '- API limit is 30 a minute'] });
    const outcome = merge(base, ours, theirs);
    assert.equal(
      outcome.text,
      file({ blockers: [`${gateway} until Monday`, `${review}, asked Ann`, '- API limit is 20 a minute'] }),
    );
    assert.deepEqual(told(outcome), [
      'The gateway is down until Monday: onlyTheirsChanged',
      'Login waits for the security review: onlyOursChanged',
      'API limit is 30 a minute: bothChangedHere!',
    ]);
  });

  it('deleted by theirs stays, deleted by ours stays away, and comes back where theirs went on with it', () => {
    const base = file({ blockers: [gateway, review, '- **Keys** — missing', '- Old one'] });
    const ours = file({ blockers: [gateway, review] });
    const theirs = focused({ blockers: ['- **Keys** — missing for Ann', '- Old one'] });
    const outcome = merge(base, ours, theirs);
    assert.equal(outcome.text, file({ blockers: [gateway, review, '- **Keys** — missing for Ann'] }));
    assert.deepEqual(told(outcome), ['Keys — missing for Ann: deletedByOursButChanged!', 'Old one: deletedByOurs']);
  });

  it('a new line in the place of another one is no change of it, in a focused file', () => {
    const base = file({ blockers: [review] });
    const waits = '- Receipts waits for the legal review';
    assert.equal(merge(base, base, focused({ blockers: [waits] })).text, file({ blockers: [review, waits] }));
  });

  it('title, status, completed, next steps and prose between tasks stay ours, and what is left behind is named', () => {
    const base = file({ status: 'open', completed: ['- set up'], next: ['- ask'] });
    const theirs = file({
      title: 'Handoff',
      status: 'all done',
      completed: ['- set up', '- built the mailer', '  - with tests'],
      tasks: ['- [ ] **Zest** — always there', '', 'Mind the order.'],
      next: ['- ask Ann'],
    });
    const outcome = merge(base, base, theirs);
    assert.equal(outcome.text, base);
    assert.deepEqual(
      outcome.entries.map(({ section, name, reason }) => `${section}|${name}|${reason}`),
      [
        'Session|Handoff|leftBehind',
        'Session|Status: all done|leftBehind',
        'Completed This Session|built the mailer|leftBehind',
        'Pending Tasks|Mind the order.|leftBehind',
        'Next Steps|ask Ann|leftBehind',
      ],
    );
    const all = new Map(outcome.entries.map(({ id }) => [id, 'theirs' as const]));
    const taken = mergeSessionText({ kind: 'session', base, ours: base, theirs, choices: all }).text;
    assert.equal(taken, theirs);
    const own = focused({ completed: ['- built it'] });
    assert.deepEqual(told(merge(base, base, own)), ['built it: leftBehind']);
  });

  it('what ours or the base has elsewhere is not new, and both sides without a base are united', () => {
    const base = file({ completed: ['- done'], blockers: [gateway] });
    assert.equal(merge(base, base, focused({ blockers: [gateway, '- done'] })).text, base);
    const [one, other] = [file({ blockers: [gateway, '- one'] }), file({ blockers: ['- other', gateway] })];
    assert.equal(merge(undefined, one, other).text, file({ blockers: [gateway, '- one', '- other'] }));
  });
});

describe('what is no task in a rebase', () => {
  const replay = (base: string, commit: string, onto: string): MergeOutcome =>
    replaySessionText({ kind: 'session', base, commit, onto });

  it('stays as a focused file has it; what the base changed or dropped of it follows', () => {
    const base = file({ status: 'open', blockers: [gateway, review, '- Old one'] });
    const onto = file({ status: 'busy', blockers: [`${gateway} until Monday`, '- New here'], next: ['- ask'] });
    const own = focused({ completed: ['- built it'], blockers: [gateway, '- Old one', '- Mails bounce'] });
    const outcome = replay(base, own, onto);
    assert.equal(
      outcome.text,
      focused({ completed: ['- built it'], blockers: [`${gateway} until Monday`, '- Mails bounce'] }),
    );
    assert.ok(isSettled(outcome));
  });

  it('is up to date where the worktree has the whole file and did not touch it', () => {
    const base = file({ status: 'open', completed: ['- set up'], blockers: [gateway], next: ['- ask'] });
    const onto = file({
      title: 'Handoff',
      status: 'busy',
      completed: ['- set up', '- more'],
      blockers: ['- New'],
      next: ['- ship'],
    });
    const commit = file({
      status: 'open',
      completed: ['- set up'],
      blockers: [gateway, '- Mine'],
      next: ['- ask Ann'],
    });
    assert.equal(
      replay(base, commit, onto).text,
      file({
        title: 'Handoff',
        status: 'busy',
        completed: ['- set up', '- more'],
        blockers: ['- Mine', '- New'],
        next: ['- ask Ann'],
      }),
    );
  });

  it('takes a person where both changed a line', () => {
    const base = file({ blockers: [gateway] });
    const outcome = replay(
      base,
      focused({ blockers: [`${gateway} until Monday`] }),
      file({ blockers: [`${gateway}, ask Ann`] }),
    );
    assert.ok(!isSettled(outcome));
    assert.ok(told(outcome).includes('The gateway is down, ask Ann: bothChangedHere!'));
  });
});

describe('notes of every kind', () => {
  const words = ['Apples', 'Bread', 'Cheese', 'Dates', 'Eggs', 'Figs'];
  const state = fc.constantFrom('gone', 'plain', 'more', 'other', 'below');
  const states = fc.array(state, { minLength: 24, maxLength: 24 });
  type State = typeof states extends fc.Arbitrary<infer S> ? S : never;

  const lineOf = (word: string, which: string | undefined, row: boolean): string[] => {
    if (row) return which === 'gone' ? [] : [`| ${word} | ${which ?? ''} |`];
    switch (which) {
      case 'plain':
        return [`- ${word} have to be fetched`];
      case 'more':
        return [`- ${word} have to be fetched on Monday`];
      case 'other':
        return [`- ${word} have to be fetched and washed`];
      case 'below':
        return [`- ${word} have to be fetched`, `  - from the ${word} shop`];
      default:
        return [];
    }
  };
  const partsOf = (all: State, isFocused: boolean): string => {
    const lines = (from: number, prefix: string, row = false): string[] =>
      words.flatMap((word, index) => lineOf(`${prefix}${word}`, all[from + index], row));
    const rows = lines(12, 'R', true);
    return (isFocused ? focused : file)({
      ...(isFocused ? {} : { status: 'open', next: ['- ask'] }),
      completed: lines(18, 'C'),
      blockers: lines(0, 'B'),
      references: lines(6, 'F'),
      ...(rows.length > 0 ? { decisions: ['| what | how |', '|---|---|', ...rows] } : {}),
    });
  };
  const who = fc.array(fc.constantFrom('neither', 'onto', 'commit', 'both'), { minLength: 24, maxLength: 24 });
  const versions = fc
    .tuple(states, states, states, who, fc.boolean())
    .map(([base, one, other, changers, isFocused]) => {
      const side = (mine: State, name: string): State =>
        base.map((each, i) => ([name, 'both'].includes(changers[i] ?? '') ? (mine[i] ?? each) : each));
      return {
        base: partsOf(base, false),
        onto: partsOf(side(one, 'onto'), false),
        commit: partsOf(side(other, 'commit'), isFocused),
      };
    });
  const lines = (text: string): string[] => text.split('\n').filter(Boolean).sort();

  it('a rebase and a merge give what a merge alone gives', () => {
    fc.assert(
      fc.property(versions, ({ base, onto, commit }) => {
        const alone = merge(base, onto, commit);
        const rebased = replaySessionText({ kind: 'session', base, commit, onto });
        assert.equal(replaySessionText({ kind: 'session', base: onto, commit: rebased.text, onto }).text, rebased.text);
        assert.deepEqual(lines(merge(onto, onto, rebased.text).text), lines(alone.text));
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 150) },
    );
  });

  it('nothing of ours is lost but what the rules name, and of theirs nothing goes unnamed', () => {
    fc.assert(
      fc.property(versions, ({ base, onto, commit }) => {
        const { text, entries } = merge(base, onto, commit);
        const result = new Set(lines(text));
        const known = new Set([...lines(base), ...lines(onto)]);
        const named = new Set(entries.flatMap(({ theirs }) => theirs?.split('\n') ?? []));
        const replaced = new Set(
          entries.filter(({ reason }) => reason === 'onlyTheirsChanged').flatMap(({ ours }) => ours?.split('\n') ?? []),
        );
        for (const line of lines(onto)) assert.ok(result.has(line) || replaced.has(line), `lost: ${line}`);
        for (const line of lines(commit)) {
          if (!line.startsWith('#'))
            assert.ok(result.has(line) || known.has(line) || named.has(line), `unnamed: ${line}`);
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 100) },
    );
  });
});
