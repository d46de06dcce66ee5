import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';

/** Words that git and VS Code spell the American way: a person who searches for one of theirs finds ours. */
const british =
  /\b(?:un)?(?:initial|author|organ|recogn|normal|summar|custom|synchron|serial|optim)is(?:e|ed|es|ing|ations?)\b|\b(?:colour|behaviour|favour|neighbour|honour)\w*|\blicence\b|\bcentre\b|\bgrey\b/i;

/** The quoted texts of a source file, in any quotes. */
const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describe('the texts that people read', () => {
  it('are spelled as those of git and VS Code are', async () => {
    const sources = [
      ...(await filesIn('src/core/messages')),
      ...(await filesIn('src/cli/definitions')),
      join(root, 'src/cli/cliMessages.ts'),
    ];
    const wrong: string[] = [];
    let seen = 0;
    for (const file of sources) {
      const texts = (await readFile(file, 'utf8')).match(quoted) ?? [];
      seen += texts.length;
      wrong.push(...texts.filter((text) => british.test(text)));
    }
    assert.ok(seen > 2000, `only ${seen} texts were found`);
    for (const file of ['package.nls.json', 'l10n/bundle.l10n.json', 'snippets/session.json']) {
      const texts: unknown = JSON.parse(await readFile(join(root, file), 'utf8'));
      wrong.push(
        ...Object.values(texts as object)
          .map(String)
          .filter((text) => british.test(text)),
      );
    }
    const pages = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
    for (const page of ['README.md', ...pages.map((name) => `docs/${name}`)]) {
      const lines = (await readFile(join(root, page), 'utf8')).split('\n');
      wrong.push(...lines.filter((line) => british.test(line)).map((line) => `${page}: ${line}`));
    }
    assert.deepEqual(wrong, []);
  });

  it('call the product Git in VS Code, as VS Code does', async () => {
    const lower = /(?<![.\w`-])git\b(?![.-])/;
    const manifest = JSON.parse(await readFile(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const wrong = Object.values(manifest).filter((text) => lower.test(text.replaceAll(/\(command:[^)]*\)/g, '')));
    for (const file of await filesIn('src/extension')) {
      const calls = (await readFile(file, 'utf8')).matchAll(/l10n\.t\(\s*(['"`])(.*?)\1/gs);
      wrong.push(...[...calls].map(([, , text = '']) => text).filter((text) => lower.test(text)));
    }
    assert.deepEqual(wrong, []);
  });
});
