import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';
import { root } from '../../scripts/lib/install.mjs';
import { ensureServer } from '../../scripts/lib/vscodeServer.mjs';

const { createOnigScanner, createOnigString, loadWASM } = oniguruma;
const { INITIAL, Registry, parseRawGrammar } = textmate;
const markdown = 'text.html.markdown';
const samples = join(root, 'test/data/grammar');
interface Manifest {
  readonly contributes: {
    readonly grammars: readonly { readonly scopeName: string; readonly path: string; readonly injectTo: string[] }[];
    readonly snippets: readonly { readonly language: string; readonly path: string }[];
  };
}

// Scopes are what VS Code's own tokeniser gives with its own Markdown and our grammar in it; how they look is the theme's business.
describe('the grammar of session, learnings and jobs files', () => {
  let grammar: IGrammar;
  let manifest: Manifest;

  before(async function () {
    this.timeout(300_000);
    manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
    const { main } = await ensureServer();
    const own = join(dirname(main), '../extensions/markdown-basics/syntaxes/markdown.tmLanguage.json');
    const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
    await loadWASM((await readFile(wasm)).buffer);
    const { grammars } = manifest.contributes;
    const files = new Map([
      [markdown, own],
      ...grammars.map((each) => [each.scopeName, join(root, each.path)] as const),
    ]);
    const registry = new Registry({
      onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
      loadGrammar: async (scope) => {
        const file = files.get(scope);
        return file === undefined ? null : parseRawGrammar(await readFile(file, 'utf8'), file);
      },
      getInjections: (scope) => grammars.filter((each) => each.injectTo.includes(scope)).map((each) => each.scopeName),
    });
    const loaded = await registry.loadGrammar(markdown);
    assert.ok(loaded);
    grammar = loaded;
  });

  /** Each line, and below it its tokens with their scopes. */
  function scopesOf(text: string): string {
    let state = INITIAL;
    const lines = text.split('\n').map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      const rows = tokens.map(({ startIndex, endIndex, scopes }) =>
        `    ${JSON.stringify(line.slice(startIndex, endIndex))} ${scopes.slice(1).join(' ')}`.trimEnd(),
      );
      return [`> ${line}`.trimEnd(), ...rows].join('\n');
    });
    return `${lines.join('\n')}\n`;
  }

  for (const sample of ['session.md', 'learnings.md', 'jobs.md']) {
    it(`gives the lines of ${sample} their scopes`, async () => {
      const file = join(samples, sample);
      const scopes = scopesOf(await readFile(file, 'utf8'));
      const expected = join(samples, `${basename(sample, '.md')}.scopes`);
      // After a change of the grammar: run this with UPDATE_SCOPES=1, and read the difference.
      if (process.env['UPDATE_SCOPES']) await writeFile(expected, scopes);
      assert.equal(scopes, await readFile(expected, 'utf8'));
    });
  }

  it('leaves Markdown that only looks alike as it is', async () => {
    const scopes = scopesOf('1. [ ] plain\n\n[ ] **x**\n\n    - [ ] **code**\n\n| a | b |\n| --- | --- |\n| x | y |\n');
    assert.doesNotMatch(scopes, /\.(session|learnings|jobs)\b/);
  });

  it('takes time in proportion to a line, however strange', () => {
    const { tokens, stoppedEarly } = grammar.tokenizeLine(`- [ ] **${'* '.repeat(20_000)}`, INITIAL, 10_000);
    assert.equal(stoppedEarly, false);
    assert.ok(tokens.length > 0);
  });

  it('has snippets that are tasks, learnings and jobs of that grammar', async () => {
    for (const { path } of manifest.contributes.snippets) {
      const snippets = JSON.parse(await readFile(join(root, path), 'utf8')) as Record<string, { body: string[] }>;
      for (const [title, { body }] of Object.entries(snippets)) {
        const text = body
          .join('\n')
          .replace(/\$\{\d+\|([^,|]+)[^}]*\}/g, '$1')
          .replace(/\$\{\d+:([^}]*)\}|\$\d+|\$[A-Z_]+/g, (_, word: string | undefined) => word ?? '');
        assert.match(scopesOf(text), /\.(session|learnings|jobs)\b/, title);
      }
    }
  });
});
