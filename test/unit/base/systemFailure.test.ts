import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { systemProblem } from '../../../src/core/base/systemFailure.ts';
import { verbatim } from '../../../src/core/messages/message.ts';
import { onlyWhere } from '../../support/systems.ts';

describe('what the file system refuses', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wt-system-'));
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'full'));
    await writeFile(join(folder, 'full', 'file'), '');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const thrownBy = (act: () => Promise<unknown>): Promise<unknown> =>
    act().then(
      () => assert.fail('it was not refused'),
      (thrown: unknown) => thrown,
    );
  const refusals: Record<string, [act: () => Promise<unknown>, reason: string, words: string]> = {
    'a file below a file': [() => writeFile(join(folder, 'file/below'), ''), 'not-writable', 'Cannot open'],
    'a file where a folder is': [() => writeFile(join(folder, 'full'), ''), 'not-writable', 'Cannot open'],
    'a folder where one is': [() => mkdir(join(folder, 'full')), 'not-writable', 'Cannot make'],
    'deleting a folder that holds something': [() => rmdir(join(folder, 'full')), 'not-writable', 'Cannot delete'],
    'a folder in place of a file': [
      () => rename(join(folder, 'full'), join(folder, 'file')),
      'not-writable',
      'Cannot rename',
    ],
    'listing a file': [() => readdir(join(folder, 'file')), 'unreadable-file', 'Cannot read'],
    'reading a folder': [() => readFile(join(folder, 'full')), 'unreadable-file', 'Cannot read'],
  };
  const replaced = { notOn: 'Wine', because: 'there a folder takes the place of a file' } as const;
  for (const [title, [act, reason, words]] of Object.entries(refusals)) {
    const define = title === 'a folder in place of a file' ? onlyWhere(replaced) : it;
    define(`is a problem that a person can change: ${title}`, async () => {
      const problem = systemProblem(await thrownBy(act));
      assert.ok(problem);
      assert.deepEqual([problem.reason, problem.outcome], [reason, 'incomplete']);
      assert.ok(problem.message.startsWith(words), problem.message);
      assert.ok(problem.next);
    });
  }

  it('leaves problems as they are, and knows nothing of other failures', () => {
    const problem = new Problem('taken', verbatim('It is taken.'));
    assert.equal(systemProblem(problem), problem);
    const network = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const program = Object.assign(new Error('spawn git ENOENT'), { code: 'ENOENT', syscall: 'spawn git' });
    for (const other of [network, program, new TypeError('x is not a function'), 'text', undefined])
      assert.equal(systemProblem(other), undefined);
  });
});
