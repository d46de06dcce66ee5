import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mergeSessionText } from '../../../src/core/session/mergeText.ts';
import type { SessionKind } from '../../../src/core/session/model.ts';

interface Case {
  readonly id: string;
  readonly file: SessionKind;
  readonly base: string | null;
  readonly ours: string;
  readonly theirs: string;
  readonly slug: string;
  readonly expect: string;
  readonly why: string;
}

const lines = readFileSync(new URL('../../data/merge-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const cases = lines.map((line) => JSON.parse(line) as Case);

describe('merging session files: the cases', () => {
  for (const { id, file: kind, base, ours, theirs, slug, expect, why } of cases) {
    it(`${id}: ${why}`, () => {
      const input = { kind, base: base ?? undefined, ours, theirs, slug };
      const outcome = mergeSessionText(input);
      assert.equal(outcome.unknown, undefined);
      assert.equal(JSON.stringify(outcome.text), JSON.stringify(expect));
      const again = mergeSessionText({ ...input, ours: outcome.text });
      assert.equal(JSON.stringify(again.text), JSON.stringify(expect), 'a second merge changes nothing');
    });
  }
});
