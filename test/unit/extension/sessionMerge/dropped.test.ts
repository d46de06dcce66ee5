import assert from 'node:assert/strict';
import { mergeSessionText } from '../../../../src/core/session/mergeText.ts';
import type { Choice } from '../../../../src/core/session/model.ts';
import { droppedLines } from '../../../../src/extension/sessionMerge/dropped.ts';

const pending = (...lines: string[]): string => `## Pending Tasks\n\n${lines.map((line) => `${line}\n`).join('')}`;

describe('what the session merge editor strikes through', () => {
  /** The lines that are lost of the only entry that differs. */
  function lost(base: string, ours: string, theirs: string, wish: { choice?: Choice; edit?: string } = {}): string[] {
    const input = { kind: 'session', base, ours, theirs } as const;
    const [{ id } = { id: '' }] = mergeSessionText(input).entries;
    const choices = new Map(wish.choice === undefined ? [] : [[id, wish.choice] as const]);
    const edits = new Map(wish.edit === undefined ? [] : [[id, wish.edit] as const]);
    return mergeSessionText({ ...input, choices, edits }).entries.flatMap(droppedLines);
  }
  const base = pending('- [ ] **A** — a', '  - old');
  const ours = pending('- [!] **A** — ours', '  - old', '  - o');
  const theirs = pending('- [x] **A** — theirs', '  - old', '  - t');

  it('is what a side has written and the result has not, and no line of which only the mark was taken', () => {
    assert.deepEqual(lost(base, ours, theirs), ['[!]', '- [x] **A** — theirs']);
    assert.deepEqual(lost(base, pending('- [ ] **A** — ours', '  - old'), pending('- [x] **A** — a', '  - old')), []);
    assert.deepEqual(lost(base, ours, theirs, { choice: 'ours' }), ['- [x] **A** — theirs', '  - t']);
    assert.deepEqual(lost(base, ours, theirs, { choice: 'both' }), []);
  });

  it('is nothing that both sides gave up, and all that there was where a person leaves an entry out', () => {
    assert.deepEqual(lost(base, base, pending('- [ ] **A** — a')), []);
    assert.deepEqual(lost(base, base, theirs, { choice: 'neither' }), [
      '- [ ] **A** — a',
      '  - old',
      '- [x] **A** — theirs',
      '  - t',
    ]);
    assert.deepEqual(lost(base, ours, pending(), { choice: 'theirs' }), ['- [!] **A** — ours', '  - old', '  - o']);
  });

  it('goes by what a person wrote in its place', () => {
    assert.deepEqual(lost(base, ours, theirs, { edit: '- [x] **A** — theirs\n  - o' }), [
      '- [!] **A** — ours',
      '  - t',
    ]);
  });
});
