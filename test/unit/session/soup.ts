import fc from 'fast-check';
import { readJobs } from '../../../src/core/session/jobsDocument.ts';
import { readLearnings } from '../../../src/core/session/learningsDocument.ts';
import type { SessionKind } from '../../../src/core/session/model.ts';
import { readSession } from '../../../src/core/session/sessionDocument.ts';

const names = ['Alpha', 'alpha ', 'Beta', 'Gamma', 'Ünï', 'a | b', '`code`', 'Nova'];
const rests = [
  'do a',
  '`/design plans/alpha/brief.md` | opus',
  'a long sentence that says enough to be told from all others',
  '',
];
const marks = [' ', ' ', ' ', 'x', 'X', '-', '–', '!', '>'];
const markers = ['', '', '', ' → `feat-x`', ' → wt/feat-x', ' → `wt/other`'];

const taskLine = fc
  .tuple(
    fc.constantFrom('- ', '* ', '+ '),
    fc.constantFrom(...marks),
    fc.tuple(fc.constantFrom(...names), fc.constantFrom('', '', ' 1', ' 2', ' 3', ' 4')).map((parts) => parts.join('')),
    fc.constantFrom(...rests),
    fc.constantFrom(...markers),
    fc.boolean(),
  )
  .map(([bullet, mark, name, rest, marker, bold]) => {
    const title = bold ? `**${name}**` : name;
    return `${bullet}[${mark}] ${title}${marker}${rest === '' ? '' : ` — ${rest}`}`;
  });

const oddLine = fc.constantFrom(
  '',
  '',
  '   ',
  '  - Plan: alpha | Status: planned',
  '  - Plan: beta',
  '    second paragraph',
  '\tafter a tab',
  'lazy text',
  '- plain item',
  '1. numbered',
  '(none)',
  '- (none)',
  '```',
  '  ```',
  '~~~ts',
  '<!-- a comment -->',
  '<!--',
  '-->',
  '---',
  '# Title',
  '## Pending Tasks',
  '## Pending Tasks',
  '## In-tree Tasks',
  '## Worktree Tasks',
  '## Worktree Tasks',
  '## Blockers / Gotchas',
  '## When X',
  '## When Y ##',
  '### Group',
  '### Other',
  '- Anti: a',
  '- Correct: b',
  '- Correct: b, sharper',
  '**Old style:**',
  '| Plan | Status | Notes |',
  '|------|--------|-------|',
  '| a | designed | n |',
  '| `a` | **planned** | other \\| n |',
  '| b    | requirements | n |',
  '| b    | executing    | n |',
  '| c | complete |',
  '## Complete (Archived)',
  '- a — done',
  '- **b**: done',
  '<<<<<<< HEAD',
  '=======',
  '>>>>>>> theirs',
  '\0',
);

const soupLines = fc.array(fc.oneof({ weight: 2, arbitrary: taskLine }, { weight: 3, arbitrary: oddLine }), {
  maxLength: 24,
});

/** Head of each kind, so that the rules have something to work on. */
const heads: Record<SessionKind, string[]> = {
  session: ['# Session Handoff', '', '## Pending Tasks', ''],
  learnings: ['# Learnings', ''],
  jobs: ['# Jobs', '', '| Plan | Status | Notes |', '|------|--------|-------|'],
};

/** Joins lines as one of the ways that editors do. */
const joined = (lines: readonly string[], style: number): string =>
  (style & 1 ? '\uFEFF' : '') +
  lines.join(style & 2 ? '\r\n' : '\n') +
  (style & 4 || lines.length === 0 ? '' : style & 2 ? '\r\n' : '\n');

/** Lines with some left out, doubled, or put in. */
const edited = (lines: readonly string[]): fc.Arbitrary<string[]> =>
  fc
    .array(
      fc.tuple(fc.nat(Math.max(0, lines.length)), fc.constantFrom('drop', 'add', 'twice'), fc.oneof(taskLine, oddLine)),
      {
        maxLength: 5,
      },
    )
    .map((edits) => {
      const result = [...lines];
      for (const [at, edit, line] of edits) {
        if (edit === 'drop') result.splice(at, 1);
        else result.splice(at, 0, edit === 'add' ? line : (result[at] ?? line));
      }
      return result;
    });

/** Three versions of a file, made of lines that are hard to read, the sides near to the base or not. */
export function threeVersions(
  kind: SessionKind,
): fc.Arbitrary<{ base: string | undefined; ours: string; theirs: string }> {
  return soupLines
    .map((lines) => [...heads[kind], ...lines])
    .chain((lines) => fc.tuple(fc.constant(lines), edited(lines), edited(lines), fc.nat(7), fc.nat(7), fc.boolean()))
    .map(([base, ours, theirs, one, other, hasBase]) => ({
      base: hasBase ? joined(base, one) : undefined,
      ours: joined(ours, one),
      theirs: joined(theirs, other),
    }));
}

/** Whether a version has two entries of one name: which of them is meant cannot always be told. */
export function hasNamesakes(kind: SessionKind, text: string): boolean {
  const entries =
    kind === 'session'
      ? readSession(text).tasks
      : kind === 'jobs'
        ? readJobs(text).rows
        : readLearnings(text).learnings;
  return new Set(entries.map((entry) => entry.nameKey)).size < entries.length;
}
