import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { node24, root } from '../../scripts/lib/install.mjs';
import { must } from '../../scripts/lib/processes.mjs';

/** The map that a built file carries in its last line, or names there. */
async function mapOf(file: string): Promise<SourceMapPayload> {
  const text = await readFile(file, 'utf8');
  const [, url = ''] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text) ?? [];
  const [, inline] = /^data:application\/json;base64,(.*)$/.exec(url) ?? [];
  assert.notEqual(url, '', `${file} has no source map`);
  const json =
    inline === undefined
      ? await readFile(join(dirname(file), url), 'utf8')
      : Buffer.from(inline, 'base64').toString('utf8');
  return JSON.parse(json) as SourceMapPayload;
}

describe('a build for debugging', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(root, '.cache', 'dev-build-'));
    const args = [join(root, 'scripts/build.mjs'), '--dev', '--into', relative(root, folder)];
    await must('The build failed.', node24, args, { cwd: root });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has maps that lead to files of src, so that breakpoints bind', async () => {
    const parts = (await readdir(join(folder, 'extension'))).map((name) => join(folder, 'extension', name));
    const files = [
      ...parts,
      ...['wtProgram.js', 'hookProgram.js', 'webview/sessionMerge.js'].map((name) => join(folder, name)),
    ];
    const mapped = new Set<string>();
    for (const file of files) {
      const { sources } = await mapOf(file);
      for (const source of sources) mapped.add(relative(root, resolve(dirname(file), source)));
    }
    const own = [...mapped].filter((source) => source.startsWith('src'));
    assert.deepEqual(
      own.filter((source) => !existsSync(join(root, source))),
      [],
    );
    for (const source of [
      'src/extension/extension.ts',
      'src/extension/views/worktreesView.ts',
      'src/cli/commands/list.ts',
      'src/cli/hookGuards.ts',
      'src/webview/entryList.ts',
    ])
      assert.ok(mapped.has(source), `no map names ${source}`);
  });

  it('maps a line of the extension to the very line that it was written in', async () => {
    const source = join(root, 'src/extension/base/debounce.ts');
    const words = 'first ??= now;';
    const written = (await readFile(source, 'utf8')).split('\n').findIndex((line) => line.includes(words));
    assert.ok(written >= 0);
    const places: string[] = [];
    for (const name of await readdir(join(folder, 'extension'))) {
      const file = join(folder, 'extension', name);
      const lines = (await readFile(file, 'utf8')).split('\n');
      const line = lines.findIndex((each) => each.includes('first ??= now') || each.includes('first = now'));
      if (line < 0) continue;
      const entry = new SourceMap(await mapOf(file)).findEntry(line, lines[line]?.indexOf('first') ?? 0);
      assert.ok('originalSource' in entry);
      places.push(`${relative(root, resolve(dirname(file), entry.originalSource))}:${entry.originalLine}`);
    }
    assert.deepEqual(places, [`src/extension/base/debounce.ts:${written}`]);
  });
});
