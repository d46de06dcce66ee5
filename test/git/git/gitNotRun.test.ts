import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import type { Problem } from '../../../src/core/base/problem.ts';
import { whyNotStarted } from '../../../src/core/base/startFailure.ts';
import { Git } from '../../../src/core/git/git.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('git that does not start', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'wt-test-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const problemOf = (binary: string, args: readonly string[], cwd = folder): Promise<Problem> =>
    new Git(environmentOf(process), { binary }).run(args, { cwd }).then(
      () => assert.fail('it started'),
      (thrown: unknown) => thrown as Problem,
    );

  it('is missing only where it is not there', async () => {
    const { reason, nextStep } = await problemOf(join(folder, 'git'), ['version']);
    assert.deepEqual([reason, nextStep?.id], ['no-git', 'git.installGit']);
  });

  it('may not be run', async () => {
    await writeFile(join(folder, 'git'), '#!/bin/sh\n', { mode: 0o644 });
    const { reason, message } = await problemOf(join(folder, 'git'), ['version']);
    assert.equal(reason, 'no-git');
    assert.match(message, /could not be started .*: it may not be run\.$/);
  });

  it('has no folder to run in', async () => {
    const gone = join(folder, 'gone');
    const { reason, file } = await problemOf('git', ['version'], gone);
    assert.deepEqual([reason, file], ['not-found', gone]);
  });

  it('was given more than a command line holds', async () => {
    const { reason, message } = await problemOf('git', ['status', 'x'.repeat(200_000), 'y'.repeat(4_000_000)]);
    assert.equal(reason, 'git-failed');
    assert.match(message, /: the command line is too long for this system\.$/);
  });

  it('is there, and Windows cannot work in the folder', async () => {
    const aux = join(folder, 'aux');
    await mkdir(aux);
    const thrown = Object.assign(new Error('spawn git ENOENT'), { code: 'ENOENT' });
    assert.deepEqual(
      [(await whyNotStarted(thrown, aux)).kind, (await whyNotStarted(thrown, aux, true)).kind],
      ['missing', 'folder'],
    );
    assert.match(textOf((await whyNotStarted(thrown, aux, true)).what), /starts no program in the folder .*aux$/);
  });
});
