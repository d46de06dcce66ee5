import { mergeSessionText } from '../src/core/session/mergeText.ts';
import type { SessionKind } from '../src/core/session/model.ts';
import { compare, type Contestant, type Line } from './compare.ts';

const kinds: readonly SessionKind[] = ['session', 'learnings', 'jobs'];

/**
 * One merge of session files with 10,000 entries against ten with 1,000: in a time that grows with the entries both take the same. The aim
 * says what the product promises: ten times the entries, at most twelve times the time.
 */
export async function benchSessionMerge(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Merging session files…');
  const lines: Line[] = [];
  for (const kind of kinds) {
    lines.push(
      await compare(
        { work: `merge of a ${kind} file, 10,000 entries`, baseline: 'ten with 1,000', aim: 1.2 },
        contestant(kind, 10_000, 1),
        contestant(kind, 1_000, 10),
        rounds * 2,
      ),
    );
  }
  return lines;
}

/** Both sides leave out, change and add entries all over the file. */
function contestant(kind: SessionKind, count: number, times: number): Contestant {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const file = (each: (number: number) => string[], more: string[]): string =>
    [...heads[kind], ...numbers.flatMap(each), ...more.flatMap((name) => entry(kind, name, 0)), ''].join('\n');
  const base = file((number) => entry(kind, `Entry ${number}`, 0), []);
  const ours = file(
    (number) => (number % 7 === 0 ? [] : entry(kind, `Entry ${number}`, number % 3 === 0 ? 1 : 0)),
    numbers.slice(0, count / 10).map((number) => `Ours ${number}`),
  );
  const theirs = file(
    (number) => (number % 11 === 0 ? [] : entry(kind, `Entry ${number}`, number % 5 === 0 ? 2 : 0)),
    numbers.slice(0, count / 10).map((number) => `Theirs ${number}`),
  );
  return {
    run: async () => {
      for (let time = 0; time < times; time += 1) {
        const outcome = mergeSessionText({ kind, base, ours, theirs });
        if (!outcome.known || outcome.text === ours) throw new Error(`nothing was merged: ${outcome.unknown ?? ''}`);
      }
    },
  };
}

const heads: Readonly<Record<SessionKind, readonly string[]>> = {
  session: ['# Session', '', '## Pending Tasks', ''],
  learnings: ['# Learnings', ''],
  jobs: ['# Jobs', '', '| Plan | Status | Notes |', '|---|---|---|'],
};

/** The lines of one entry, in one of three states. */
function entry(kind: SessionKind, name: string, state: 0 | 1 | 2): string[] {
  switch (kind) {
    case 'session':
      return [`- [${[' ', '!', 'x'][state]}] **${name}** — \`/design plans/x.md\` | opus`, `  - Status: ${state}`];
    case 'learnings':
      return [`## When ${name}`, '- Anti: this', `- Correct: that, ${state}`, ''];
    case 'jobs':
      return [`| ${name} | ${['requirements', 'designed', 'planned'][state]} | note ${state} |`];
  }
}
