import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm as remove, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileProblem } from '../../../src/core/base/fileProblem.ts';
import { rename, rm, rmdir, whileHeld, whileReplacing } from '../../../src/core/base/heldFiles.ts';
import { textOf, verbatim } from '../../../src/core/messages/message.ts';

const refusal = (code: string): Error => Object.assign(new Error(`${code}: refused`), { code });

describe('files that other programs have open', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'wt-test-'))));
  afterEach(() => remove(folder, { recursive: true }));

  /** Does something that is refused so often, and counts the attempts. */
  const refused = (times: number, code: string) => {
    let count = 0;
    const task = (): number => {
      if (count++ < times) throw refusal(code);
      return count;
    };
    return { task, count: () => count };
  };

  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    it(`are tried again on Windows until they are free: ${code}`, async () => {
      assert.equal(await whileHeld(refused(3, code).task, { windows: true }), 4);
    });

    it(`are not tried again elsewhere, where it has another reason: ${code}`, async () => {
      const { task, count } = refused(3, code);
      await assert.rejects(whileHeld(task, { windows: false }), { code });
      assert.equal(count(), 1);
    });
  }

  it('are given up after a while, with what the system said last', async () => {
    const { task, count } = refused(Infinity, 'EBUSY');
    await assert.rejects(whileHeld(task, { windows: true, patience: 20 }), { code: 'EBUSY' });
    assert.ok(count() > 1);
  });

  it('a refusal for another reason is told at once', async () => {
    for (const code of ['ENOENT', 'ENOSPC', 'ENOTEMPTY', 'EEXIST']) {
      const { task, count } = refused(Infinity, code);
      await assert.rejects(whileHeld(task, { windows: true }), { code });
      assert.equal(count(), 1, code);
    }
  });

  it('a folder whose last file somebody still reads is deleted once that is closed', async () => {
    assert.equal(await whileHeld(refused(2, 'ENOTEMPTY').task, { windows: true, emptied: true }), 3);
  });

  it('a folder in the way is told at once, and nothing is lost', async () => {
    await mkdir(join(folder, 'to'));
    await writeFile(join(folder, 'to', 'x'), 'theirs');
    const replacing = whileReplacing(join(folder, 'to'), () => Promise.reject(refusal('EPERM')), { windows: true });
    await assert.rejects(replacing, { code: 'EEXIST' });
    assert.equal(await readFile(join(folder, 'to', 'x'), 'utf8'), 'theirs');
  });

  it('a read-only file is replaced there as everywhere', async () => {
    const to = join(folder, 'to');
    await writeFile(to, 'old');
    await chmod(to, 0o444);
    const asWindows = async (): Promise<void> => {
      if (((await stat(to)).mode & 0o200) === 0) throw refusal('EPERM');
      await writeFile(to, 'new');
    };
    await whileReplacing(to, asWindows, { windows: true });
    assert.equal(await readFile(to, 'utf8'), 'new');
  });

  it('renames and deletes as Node does', async () => {
    await mkdir(join(folder, 'a'));
    await rename(join(folder, 'a'), join(folder, 'b'));
    await writeFile(join(folder, 'b', 'x'), '');
    await assert.rejects(rmdir(join(folder, 'b')), { code: 'ENOTEMPTY' });
    await rm(join(folder, 'b'), { recursive: true });
    await assert.rejects(stat(join(folder, 'b')), { code: 'ENOENT' });
  });

  it('are told as such on Windows, with no command that its shells do not have', () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      const { message, nextStep } = fileProblem(
        { doing: verbatim('Cannot write'), file: join(folder, 'stack.json'), windows: true },
        refusal(code),
      );
      assert.match(message, /^Cannot write .*stack\.json: another program /);
      assert.match(textOf(nextStep ?? verbatim('')), /^close what uses it, then run the same command again$/);
    }
  });
});
