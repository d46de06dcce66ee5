import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { strFromU8, unzipSync } from 'fflate';
import { root } from '../../scripts/lib/install.mjs';
import { mostBytes } from '../../scripts/package.mjs';
import { packagedVsix } from '../support/launch/vsix.ts';

/** Everything that may ship; an entry that none of these names is a leak, a required one that is missing a hole. */
const required = [
  'extension.vsixmanifest',
  '[Content_Types].xml',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
  'extension/changelog.md',
  'extension/LICENSE.txt',
  'extension/THIRD-PARTY-NOTICES.txt',
  'extension/dist/extension/extension.cjs',
  'extension/dist/webview/sessionMerge.js',
  'extension/dist/webview/sessionMerge.css',
  'extension/dist/wt.js',
  'extension/dist/wtProgram.js',
  'extension/dist/hook.js',
  'extension/dist/hookProgram.js',
  'extension/dist/octokit.js',
  'extension/dist/yamlText.js',
  'extension/dist/listPrompt.js',
  'extension/dist/package.json',
  'extension/.claude-plugin/marketplace.json',
  'extension/plugin/.claude-plugin/plugin.json',
  'extension/plugin/bin/wt',
  'extension/plugin/bin/wt.cmd',
  'extension/plugin/hooks/hooks.json',
];
const allowed = [
  /^extension\/dist\/extension\/[\w-]+\.cjs$/,
  /^extension\/package\.nls\.[a-z-]+\.json$/,
  /^extension\/media\/[\w./-]+\.(svg|png|webp)$/,
  // The other schemas are in `wt schema`, and English needs no bundle: both would be there twice.
  /^extension\/schemas\/worktrees\.schema\.json$/,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^extension\/syntaxes\/[\w.-]+\.json$/,
  /^extension\/snippets\/[\w.-]+\.json$/,
  /^extension\/plugin\/[\w./-]+\.(json|md)$/,
];
describe('the VSIX', () => {
  let size = 0;
  let entries: Record<string, Uint8Array> = {};
  const texts = () => Object.entries(entries).map(([name, bytes]) => ({ name, text: strFromU8(bytes) }));

  before(async () => {
    const bytes = await readFile(await packagedVsix());
    size = bytes.length;
    entries = unzipSync(bytes);
  });

  it('costs at most 1.5 MiB', () => {
    assert.ok(size <= mostBytes, `${size} bytes`);
  });

  it('holds everything it needs', () => {
    assert.deepEqual(
      required.filter((name) => !(name in entries)),
      [],
    );
  });

  it('holds nothing else', () => {
    const stray = Object.keys(entries).filter(
      (name) => !required.includes(name) && !allowed.some((pattern) => pattern.test(name)),
    );
    assert.deepEqual(stray, []);
  });

  it('brings the libraries for GitHub and YAML once, for wt and the extension together', () => {
    const holders = (words: string): string[] =>
      texts()
        .filter(({ name, text }) => name.endsWith('js') && text.includes(words))
        .map(({ name }) => name);
    assert.deepEqual(holders('octokit-rest.js'), ['extension/dist/octokit.js']);
    assert.deepEqual(holders('YAMLParseError'), ['extension/dist/yamlText.js']);
  });

  it('shows the pictures of its README from the repository, as a marketplace does', () => {
    const readme = strFromU8(entries['extension/readme.md'] ?? new Uint8Array());
    const sources = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].flatMap(([, address]) => address ?? []);
    assert.ok(sources.length > 0);
    assert.deepEqual(
      sources.filter((address) => !/^https:\/\/\S+\.webp$/.test(address)),
      [],
    );
    assert.doesNotMatch(readme, /\]\((?!https?:|#|mailto:)/, 'a relative link');
  });

  it('names no folder of the machine that built it', () => {
    const folders = [root, ...(homedir().length > 1 ? [`${homedir()}/`] : []), 'file:///'];
    const found = texts().flatMap(({ name, text }) =>
      folders.filter((folder) => text.includes(folder)).map((folder) => `${name}: ${folder}`),
    );
    assert.deepEqual(found, []);
  });

  it('holds no source map', () => {
    const found = texts().filter(({ text }) => /\/\/# sourceMappingURL=/.test(text));
    assert.deepEqual(
      found.map(({ name }) => name),
      [],
    );
  });

  it('starts `wt` and the hook runner by their shebang, as CommonJS', () => {
    for (const program of ['wt.js', 'hook.js']) {
      assert.match(strFromU8(entries[`extension/dist/${program}`] ?? new Uint8Array()), /^#!\/usr\/bin\/env node\n/);
    }
    assert.match(strFromU8(entries['extension/dist/package.json'] ?? new Uint8Array()), /"commonjs"/);
  });
});
