import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { runInShell } from '../../../src/core/base/shell.ts';
import { KeptOutput, outputFile } from '../../../src/core/hooks/keptRuns.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';

describe('what is kept of what a hook prints', () => {
  let repository: Repository;
  beforeEach(async () => {
    const commonDir = await mkdtemp(join(tmpdir(), 'wt-test-'));
    repository = { mainRoot: commonDir, commonDir } as Repository;
  });
  afterEach(() => rm(repository.commonDir, { recursive: true, force: true }));

  it('is UTF-8 in a file, with a sign for each byte that was none, in whatever code page it was printed', async () => {
    // "é" in the code pages 850 and 1252, and all bytes that mean something else in each.
    const high = Array.from({ length: 128 }, (_, index) => 128 + index);
    const bytes = [
      ...Buffer.from('caf'),
      0x82,
      ...Buffer.from(' caf'),
      0xe9,
      10,
      ...high,
      10,
      ...Buffer.from('é 日本\n'),
    ];
    const program = `fs.writeSync(1, Buffer.from([${bytes.join()}]))`;
    const variables = { ...environmentOf(process).variables, PRINTS: program, NODE: process.execPath };
    const environment = { ...environmentOf(process), variables };
    const output = await KeptOutput.open(repository, 'one');
    const { exitCode } = await runInShell(environment, 'exec "$NODE" -e "$PRINTS"', {
      cwd: repository.commonDir,
      onOutput: (text) => output.write(text),
    });
    await output.close();
    assert.equal(exitCode, 0);
    const kept = await readFile(outputFile(repository, 'one'));
    assert.equal(Buffer.from(kept.toString('utf8')).equals(kept), true, 'the file is UTF-8');
    // The sh of Git for Windows may have words of its own before it.
    assert.match(kept.toString('utf8'), /(^|\n)caf\uFFFD caf\uFFFD\n\uFFFD{60,}.*\né 日本\n$/);
  });

  it('is the beginning and the end of much, and says how much is missing', async () => {
    const output = await KeptOutput.open(repository, 'much');
    for (let count = 0; count < 100; count++) output.write(`${'x'.repeat(9999)}\n`);
    output.write('the end\n');
    await output.close();
    const text = await readFile(outputFile(repository, 'much'), 'utf8');
    const [, left = ''] = /\n… (\d+) characters were left out …\n/.exec(text) ?? [];
    assert.equal(text.replace(/\n… \d+ characters were left out …\n/, '').length + Number(left), 1_000_008);
    assert.ok(text.endsWith('x\nthe end\n'));
  });
});
