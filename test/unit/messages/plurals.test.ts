import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';

/** A number before one of the things that we count. */
const counted = /\{\d+\} (?:\w+ )?(?:files|worktrees|branches|tasks|entries|commits|conflicts|agents|pull requests)\b/;

/** Texts that are told only where there are several. */
const alwaysSeveral =
  /Remove \{0\} worktrees|branches need a restack|pull requests: |drafts?|agents need you|of \{\d+\} tasks|each of the|Pushed \{0\}|pull requests are up to date/;

describe('a text of the extension with a number in it', () => {
  it('has a form for one, so that nobody reads of “1 files”', async () => {
    const folder = join(root, 'src/extension');
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const wrong: string[] = [];
    let seen = 0;
    for (const name of files) {
      const text = await readFile(join(folder, name), 'utf8');
      for (const [whole, quote, words = ''] of text.matchAll(/l10n\.t\(\s*(['"])(.*?)\1,/gs)) {
        if (!quote || !counted.test(words) || alwaysSeveral.test(words)) continue;
        seen++;
        // The form for one stands right before or after it, behind a condition.
        const at = text.indexOf(whole);
        const around = text.slice(Math.max(0, at - 200), at + whole.length + 200);
        if (!/=== 1|< 2/.test(around)) wrong.push(`${name}: ${words}`);
      }
    }
    assert.ok(seen > 8, `only ${seen} were found`);
    assert.deepEqual(wrong, []);
  });
});
