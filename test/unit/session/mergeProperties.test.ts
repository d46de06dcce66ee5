import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeSessionText } from '../../../src/core/session/mergeText.ts';
import type { Choice, MergeReason, SessionKind } from '../../../src/core/session/model.ts';
import { readSession } from '../../../src/core/session/sessionDocument.ts';
import { hasNamesakes, threeVersions } from './soup.ts';

const kinds: SessionKind[] = ['session', 'learnings', 'jobs'];
const runs = { numRuns: Number(process.env['FUZZ_RUNS'] ?? 400) };
const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r?\n/);

for (const kind of kinds) {
  describe(`merging session files: what always holds for ${kind}`, () => {
    it('theirs without a change gives ours byte for byte', () => {
      fc.assert(
        fc.property(threeVersions(kind), ({ base, ours }) => {
          fc.pre(base !== undefined);
          const outcome = mergeSessionText({ kind, base, ours, theirs: base });
          assert.equal(outcome.text, ours);
        }),
        runs,
      );
    });

    it('equal sides give ours byte for byte, and nothing to look at', () => {
      fc.assert(
        fc.property(threeVersions(kind), ({ base, ours }) => {
          const outcome = mergeSessionText({ kind, base, ours, theirs: ours });
          assert.equal(outcome.text, ours);
          assert.deepEqual(outcome.entries, []);
        }),
        runs,
      );
    });

    it('a second merge changes nothing', () => {
      fc.assert(
        fc.property(threeVersions(kind), fc.boolean(), ({ base, ours, theirs }, withSlug) => {
          fc.pre(![base ?? '', ours, theirs].some((text) => hasNamesakes(kind, text)));
          const input = { kind, base, theirs, slug: withSlug ? 'feat-x' : undefined };
          const once = mergeSessionText({ ...input, ours });
          const twice = mergeSessionText({ ...input, ours: once.text });
          assert.equal(twice.text, once.text);
        }),
        runs,
      );
    });

    it('every line of ours is in the result, but for the entries that are told', () => {
      fc.assert(
        fc.property(threeVersions(kind), ({ base, ours, theirs }) => {
          const outcome = mergeSessionText({ kind, base, ours, theirs });
          const told = new Set(outcome.entries.flatMap((entry) => linesOf(entry.ours ?? '')));
          const result = new Set(linesOf(outcome.text));
          for (const line of linesOf(ours)) {
            if (line.trim() === '' || told.has(line) || /^(?:[-*] )?\(none\)$/.test(line)) continue;
            assert.ok(result.has(line), `lost: ${JSON.stringify(line)}`);
          }
        }),
        runs,
      );
    });

    it('every entry stands in the result as it says, whatever is chosen', () => {
      const choices: Choice[] = ['merged', 'ours', 'theirs', 'both', 'neither'];
      fc.assert(
        fc.property(threeVersions(kind), fc.array(fc.constantFrom(...choices), { minLength: 1 }), (versions, picks) => {
          const input = { kind, ...versions, slug: 'feat-x' };
          const plain = mergeSessionText(input);
          const chosen = new Map(plain.entries.map(({ id }, index) => [id, picks[index % picks.length] as Choice]));
          const outcome = mergeSessionText({ ...input, choices: chosen });
          assert.deepEqual(outcome.entries.map(({ id, choice }) => [id, choice]).sort(), [...chosen].sort());
          const text = linesOf(outcome.text).join('\n');
          for (const { id, choice, ours, theirs, result } of outcome.entries) {
            if (choice === 'ours') assert.equal(result, ours);
            if (choice === 'theirs') assert.equal(result, theirs);
            if (choice === 'neither') assert.equal(result, undefined);
            if (result !== undefined) assert.ok(text.includes(result.trimEnd()), `${id} is not in the result`);
          }
        }),
        runs,
      );
    });
  });
}

describe('merging session files: tasks', () => {
  it('none of either side vanishes but by a rule that says so', () => {
    const mayGo = new Set<MergeReason>([
      'newButFinished',
      'deletedByOurs',
      'deletedByOursAndFinished',
      'worktreeFinished',
    ]);
    fc.assert(
      fc.property(threeVersions('session'), fc.boolean(), ({ base, ours, theirs }, withSlug) => {
        const outcome = mergeSessionText({
          kind: 'session',
          base,
          ours,
          theirs,
          slug: withSlug ? 'feat-x' : undefined,
        });
        fc.pre(outcome.known);
        const there = readSession(outcome.text).tasks;
        const names = new Set(there.map(({ nameKey }) => nameKey));
        for (const task of [...readSession(ours).tasks, ...readSession(theirs).tasks]) {
          if (names.has(task.nameKey)) continue;
          const text = task.texts.join('\n');
          const entry = outcome.entries.find((one) => one.ours === text || one.theirs === text);
          assert.ok(entry, `nothing was said of ${text}`);
          if (entry.result === undefined) assert.ok(mayGo.has(entry.reason), `${text} went for ${entry.reason}`);
          else assert.notEqual(entry.ours, undefined, `${text} went for another name, but ours has none`);
        }
      }),
      runs,
    );
  });
});

describe('merging session files: any text', () => {
  it('nothing makes it throw', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'#-*[]x|` \n\r\t<!→') }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.option(text, { nil: undefined }),
        text,
        text,
        (kind, base, ours, theirs) => {
          const outcome = mergeSessionText({ kind, base, ours, theirs, slug: 'x' });
          if (!outcome.known) assert.equal(outcome.text, ours);
          assert.equal(mergeSessionText({ kind, base, ours, theirs: ours }).text, ours);
        },
      ),
      runs,
    );
  });
});
