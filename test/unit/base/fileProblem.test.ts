import { verbatim } from '../../../src/core/messages/message.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileProblem } from '../../../src/core/base/fileProblem.ts';
import { followLinks } from '../../../src/core/base/links.ts';
import { obstacleOn } from '../../../src/core/base/obstacle.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { startProblem, systemProblem } from '../../../src/core/base/systemFailure.ts';
import { onlyWhere, reasons } from '../../support/systems.ts';

describe('failures of the file system', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'wt-test-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const at = (...names: string[]): string => join(folder, ...names);
  const thrownBy = (act: () => Promise<unknown>): Promise<unknown> =>
    act().then(
      () => assert.fail('nothing was thrown'),
      (thrown: unknown) => thrown,
    );

  for (const code of [
    ...['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENOSPC', 'EROFS', 'EBUSY', 'EXDEV', 'EMFILE'],
    ...['ENAMETOOLONG', 'EIO', 'EDQUOT', 'ENOTEMPTY', 'ETXTBSY', 'ESTALE', 'ENOMEM', 'ENXIO', 'EWHATEVER'],
    'ERR_FS_FILE_TOO_LARGE',
  ]) {
    it(`are told as something that a person can change, with the file and a next step: ${code}`, () => {
      const thrown = Object.assign(new Error(`${code}: some words, open '${at('x')}'`), {
        code,
        syscall: 'open',
        path: at('x'),
      });
      for (const problem of [
        fileProblem({ doing: verbatim('Cannot write'), file: at('x') }, thrown),
        systemProblem(thrown),
      ]) {
        assert.ok(Problem.is(problem));
        assert.equal(problem.outcome, 'incomplete');
        assert.equal(problem.file, at('x'));
        assert.ok(problem.next);
        // The name of the folder is made by chance, and may look like the name of an error.
        const message = problem.message.replace(at('x'), '<file>');
        assert.match(message, /^Cannot (?:write|open) <file>: [^:]+\.$/);
        assert.doesNotMatch(message, /E[A-Z]{3,}|undefined/);
      }
    });
  }

  onlyWhere({ notOn: 'Windows', because: 'pipes are no files there, and links need a right' })(
    'name the entry that is in the way, and what it is',
    async () => {
      await writeFile(at('file'), '');
      await mkdir(at('folder'));
      await symlink('nothing', at('broken'));
      await symlink('circle', at('circle'));
      await symlink('file', at('to-file'));
      execFileSync('mkfifo', [at('pipe')]);
      const cases: [path: string, wanted: 'file' | 'folder', at: string, what: RegExp][] = [
        [at('file', 'x'), 'file', at('file'), /^is a file where a folder is needed$/],
        [at('file', 'x', 'y'), 'folder', at('file'), /^is a file where a folder is needed$/],
        [at('folder'), 'file', at('folder'), /^is a folder where a file is needed$/],
        [at('broken', 'x'), 'file', at('broken'), /^is a link to nothing, which does not exist$/],
        [at('broken'), 'folder', at('broken'), /^is a link to nothing, which does not exist$/],
        [at('circle', 'x'), 'file', at('circle'), /^is a link that leads back to itself$/],
        [at('to-file', 'x'), 'file', at('to-file'), /^is a link to file, which is a file where a folder is needed$/],
        [at('pipe'), 'file', at('pipe'), /^is a pipe where a file is needed$/],
      ];
      for (const [path, wanted, entry, what] of cases) {
        const found = obstacleOn(path, wanted);
        assert.equal(found?.at, entry);
        assert.match(textOf(found.what), what);
      }
      for (const path of [at('folder', 'new'), at('folder', 'new', 'deeper'), at('to-file')])
        assert.equal(obstacleOn(path, 'file'), undefined);
    },
  );

  it('of functions that nobody explained are told as well, whichever it was', async () => {
    await writeFile(at('file'), '');
    for (const act of [
      () => mkdir(at('file', 'x')),
      () => readdir(at('file')),
      () => readFile(at('nothing')),
      () => open(at('nothing', 'x'), 'w'),
      () => rm(at('nothing')),
    ]) {
      const problem = systemProblem(await thrownBy(act));
      assert.ok(problem);
      assert.equal(problem.outcome, 'incomplete');
      assert.ok(problem.message.includes(folder), problem.message);
      assert.ok(problem.next);
    }
    assert.equal(systemProblem(new TypeError('x')), undefined);
    assert.equal(systemProblem('ENOENT'), undefined);
    const program = Object.assign(new Error('spawn just ENOENT'), { code: 'ENOENT', syscall: 'spawn just' });
    assert.match(startProblem(program)?.message ?? '', /^just could not be started: it is not there\.$/);
  });

  onlyWhere(reasons.links)('links are followed where they lead, also to nothing', async () => {
    await mkdir(at('a', 'b'), { recursive: true });
    await symlink('../c', at('a', 'link'));
    await symlink('nothing', at('c'));
    await symlink('circle', at('circle'));
    await symlink(at('a'), at('absolute'));
    assert.deepEqual(followLinks(folder, 'a/b/x'), { links: [], end: at('a', 'b', 'x') });
    assert.deepEqual(followLinks(folder, 'a/link/x'), { links: [at('a', 'link'), at('c')], end: at('nothing', 'x') });
    assert.deepEqual(followLinks(folder, 'absolute/b'), { links: [at('absolute')], end: at('a', 'b') });
    assert.equal(followLinks(folder, 'circle/x').end, undefined);
  });
});
