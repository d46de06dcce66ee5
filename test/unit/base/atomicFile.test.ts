import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../../../src/core/base/atomicFile.ts';
import { jsonFaultAt } from '../../../src/core/base/jsonFault.ts';
import { readJsonObject } from '../../../src/core/base/jsonText.ts';
import type { Problem } from '../../../src/core/base/problem.ts';
import { readYaml, writeYaml } from '../../../src/core/base/yamlText.ts';
import { onlyWhere, reasons } from '../../support/systems.ts';

describe('reading and writing files', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wt-test-'));
    file = join(folder, 'deep', 'file.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes missing folders, and leaves only the file', async () => {
    await writeAtomically(file, 'text\n', { mode: 0o600 });
    assert.equal(await readFile(file, 'utf8'), 'text\n');
    // Windows has no modes.
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file.json']);
  });

  it('shows a reader the old text or the new one, nothing between', async () => {
    const texts = ['a'.repeat(200_000), 'b'.repeat(300_000)];
    await writeAtomically(file, texts[0] ?? '');
    let writing = true;
    const reading = (async () => {
      while (writing) assert.ok(texts.includes((await readTextIfThere(file)) ?? ''));
    })();
    for (let turn = 0; turn < 20; turn++) await writeAtomically(file, texts[turn % 2] ?? '');
    writing = false;
    await reading;
  });

  onlyWhere(reasons.links)('goes through links', async () => {
    const link = join(folder, 'link');
    await writeAtomically(file, 'old');
    await symlink(file, link);
    await writeAtomically(link, 'new');
    assert.equal(await readFile(file, 'utf8'), 'new');
  });

  it('names the file that cannot be written', async () => {
    await writeFile(join(folder, 'deep'), 'a file');
    await assert.rejects(writeAtomically(file, ''), { reason: 'not-writable', file });
  });

  it('takes a missing file, or one below a file, for none', async () => {
    assert.equal(await readTextIfThere(file), undefined);
    await writeFile(join(folder, 'deep'), 'a file');
    assert.equal(await readTextIfThere(file), undefined);
  });

  it('drops a byte order mark, and refuses what is no text', async () => {
    await writeAtomically(file, '\uFEFFtext');
    assert.equal(await readTextIfThere(file), 'text');
    await writeFile(file, Buffer.from([0x61, 0xff]));
    await assert.rejects(readTextIfThere(file), { reason: 'unreadable-file', message: /not UTF-8/ });
    await mkdir(join(folder, 'folder'));
    await assert.rejects(readTextIfThere(join(folder, 'folder')), { reason: 'unreadable-file' });
  });

  it('finds the line of a fault in JSON, also at the end of half a file', async () => {
    const cases: [text: string, line: number][] = [
      ['{\n  "a": 1,\n  "b": ,\n}\n', 3],
      ['{\n  "a": {\n    "b": 1\n', 3],
      ['{"a": 1}\n{"b": 2}\n', 2],
      ['{\n  "a": "\n"\n}', 2],
      ['null', 1],
      ['', 1],
    ];
    for (const [text, line] of cases) {
      await writeAtomically(file, text);
      await assert.rejects(readJsonObject(file), (thrown: Problem) => {
        assert.equal(thrown.line, line, `${JSON.stringify(text)}: ${thrown.message}`);
        return true;
      });
    }
  });

  it('finds the fault in JSON exactly where JSON.parse finds one at all', () => {
    const json = fc.json({ maxDepth: 4 });
    const cut = fc.tuple(json, fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + put.length);
    });
    fc.assert(fc.property(json, (text) => assert.equal(jsonFaultAt(text), undefined)));
    fc.assert(
      fc.property(cut, (text) => {
        const position = /position (\d+)/.exec(failureOf(text) ?? '')?.[1];
        assert.equal(jsonFaultAt(text) === undefined, failureOf(text) === undefined, text);
        if (position !== undefined) assert.ok((jsonFaultAt(text) ?? 0) <= Number(position), text);
      }),
    );
  });

  it('finds lines in YAML', () => {
    const yaml = readYaml('a:\n  b: 1\n  c:\n    - x\n    - y\n');
    assert.deepEqual(yaml.value, { a: { b: 1, c: ['x', 'y'] } });
    assert.equal(yaml.lineOf(['a', 'c']), 3);
    assert.equal(yaml.lineOf(['a', 'c', 1]), 5);
    assert.equal(yaml.lineOf(['a', 'missing']), 1);
    assert.equal(yaml.lineOf([]), 1);
  });

  it('writes YAML on one line a value, however long', () => {
    assert.equal(
      writeYaml({ path: `/${'long name '.repeat(30)}` })
        .trimEnd()
        .split('\n').length,
      1,
    );
  });
});

/** What JSON.parse says of a text. */
function failureOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    return String(thrown);
  }
}
