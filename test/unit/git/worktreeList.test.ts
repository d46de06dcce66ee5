import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseWorktreeList } from '../../../src/core/git/worktreeList.ts';

const oid = 'a'.repeat(40);

/** Writes what git writes: attributes end in NUL, a record in an empty attribute. */
function write(records: readonly (readonly string[])[]): string {
  return records.map((attributes) => `${attributes.map((attribute) => `${attribute}\0`).join('')}\0`).join('');
}

suite('the list of worktrees', () => {
  test('a path keeps line breaks, spaces, quotes and what looks like another attribute', () => {
    const path = '/orchard/a b\nbranch refs/heads/"x"\n\nlocked';
    const [listed] = parseWorktreeList(write([[`worktree ${path}`, `HEAD ${oid}`, 'branch refs/heads/fix#12/ü']]));
    assert.equal(listed?.path, path);
    assert.equal(listed.branch, 'fix#12/ü');
    assert.equal(listed.lockReason, undefined);
  });

  test('a lock without a reason is a lock all the same', () => {
    const [listed] = parseWorktreeList(write([['worktree /w', `HEAD ${oid}`, 'detached', 'locked']]));
    assert.equal(listed?.lockReason, '');
    assert.equal(listed.detached, true);
    assert.equal(listed.branch, undefined);
  });

  test('a reason keeps its line breaks', () => {
    const [listed] = parseWorktreeList(write([['worktree /w', `HEAD ${oid}`, 'detached', 'locked on the usb\ndisk']]));
    assert.equal(listed?.lockReason, 'on the usb\ndisk');
  });

  test('a branch without commits has no head', () => {
    const [listed] = parseWorktreeList(write([['worktree /w', `HEAD ${'0'.repeat(40)}`, 'branch refs/heads/new']]));
    assert.equal(listed?.head, undefined);
    assert.equal(listed?.branch, 'new');
  });

  test('a bare repository has neither head nor branch', () => {
    const [listed] = parseWorktreeList(write([['worktree /w.git', 'bare']]));
    assert.deepEqual([listed?.bare, listed?.head, listed?.branch], [true, undefined, undefined]);
  });

  test('attributes of later versions are passed over', () => {
    const [listed] = parseWorktreeList(
      write([['worktree /w', `HEAD ${oid}`, 'detached', 'sparkling very', 'prunable gone']]),
    );
    assert.equal(listed?.prunableReason, 'gone');
  });

  test('whatever the paths and reasons are, they come back as they were', () => {
    const word = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0'));
    const record = fc.record(
      { path: word, branch: fc.option(word), reason: fc.option(word) },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const output = write(
          records.map(({ path, branch, reason }) => [
            `worktree ${path}`,
            `HEAD ${oid}`,
            branch === null ? 'detached' : `branch refs/heads/${branch}`,
            ...(reason === null ? [] : [`locked ${reason}`]),
          ]),
        );
        const back = parseWorktreeList(output).map((each) => ({
          path: each.path,
          branch: each.branch ?? null,
          reason: each.lockReason ?? null,
        }));
        assert.deepEqual(back, records);
      }),
    );
  });

  test('no output whatever makes it fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (output) => {
        assert.ok(Array.isArray(parseWorktreeList(output)));
      }),
    );
  });
});
