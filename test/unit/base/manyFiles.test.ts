import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as patient from '../../../src/core/base/manyFiles.ts';
import { errorCode } from '../../../src/core/base/problem.ts';
import * as atOnce from '../../../src/shims/manyFilesSync.ts';

for (const [kind, { readNames, readText }] of Object.entries({
  'one after another': atOnce,
  'side by side': patient,
})) {
  describe(`many small files, read ${kind}`, () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'wt-many-'));
      await mkdir(join(folder, 'empty'));
      for (let at = 0; at < 300; at++) await writeFile(join(folder, `${at}.txt`), `text ${at} ü\n`);
    });
    after(() => rm(folder, { recursive: true }));

    it('each gives its own text, however many were asked for', async () => {
      const names = (await readNames(folder)).filter((name) => name.endsWith('.txt'));
      const texts = await Promise.all(names.map((name) => readText(join(folder, name))));
      assert.deepEqual(
        texts,
        names.map((name) => `text ${name.replace('.txt', '')} ü\n`),
      );
      assert.equal(texts.length, 300);
    });

    it('what is asked for by the answer to another is read as well', async () => {
      const chain = async (at: number): Promise<string> =>
        at === 0 ? 'end' : (await readText(join(folder, `${at}.txt`)), chain(at - 1));
      assert.deepEqual(await Promise.all([chain(40), chain(3)]), ['end', 'end']);
    });

    it('each fails by itself, as a promise of node:fs does', async () => {
      const codes = async (reads: Promise<unknown>[]): Promise<(string | undefined)[]> =>
        (await Promise.allSettled(reads)).map((each) => (each.status === 'rejected' ? errorCode(each.reason) : 'read'));
      const [file, gone] = [join(folder, '1.txt'), join(folder, 'gone')];
      const ours = await codes([readText(gone), readText(file), readText(folder), readNames(gone), readNames(file)]);
      const theirs = await codes([
        readFile(gone, 'utf8'),
        readFile(file, 'utf8'),
        readFile(folder, 'utf8'),
        readdir(gone),
        readdir(file),
      ]);
      assert.deepEqual(ours, theirs);
      assert.deepEqual(await readNames(join(folder, 'empty')), []);
    });
  });
}
