import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/lib/install.mjs';
import { pageOf, pages } from '../../scripts/site.mjs';

describe('the docs site', () => {
  it('has every page of docs/, and no other', async () => {
    const written = (await readdir(join(root, 'docs'))).filter((file) => file.endsWith('.md'));
    const names = written.map((file) => file.replace(/\.md$/, ''));
    assert.deepEqual(pages.filter((page) => page !== 'changelog').sort(), names.sort());
  });

  it('links to its own pages, and for all else to where it is public', async () => {
    const file = 'https://github.com/worktree-stacks/worktree-stacks/blob/main';
    const text =
      '[a](stacks.md#words) [b](dev/overview.md) [c](../README.md#try-it) [d](../CHANGELOG.md) [e](https://x.org/y) [f](#here) ![g](images/rebase-stack.png)';
    assert.equal(
      pageOf(text, join(root, 'docs')),
      `[a](./stacks.md#words) [b](${file}/docs/dev/overview.md) [c](${file}/README.md#try-it) [d](./changelog.md) [e](https://x.org/y) [f](#here) ![g](./images/rebase-stack.png)`,
    );
    for (const page of pages.filter((each) => each !== 'changelog')) {
      const made = pageOf(await readFile(join(root, 'docs', `${page}.md`), 'utf8'), join(root, 'docs'));
      assert.doesNotMatch(made, /\]\(\.\.\//, page);
    }
  });

  it('has the pictures, in the look that its own switch says, and no HTML, which it would show as text', async () => {
    const read = async (file: string, folder: string): Promise<string> =>
      pageOf(await readFile(join(root, folder, file), 'utf8'), join(root, folder));
    const made = await Promise.all([
      read('index.md', 'site'),
      ...pages.filter((page) => page !== 'changelog').map((page) => read(`${page}.md`, 'docs')),
    ]);
    const shown = made.flatMap((text) => [...text.matchAll(/^!\[.+\]\(\.\/images\/(\S+)\)\{\.on-(light|dark)\}$/gm)]);
    const images = (await readdir(join(root, 'docs/images'))).toSorted();
    assert.deepEqual([...new Set(shown.map(([, file]) => file))].toSorted(), images);
    for (const [, file = '', look = ''] of shown) assert.ok(file.endsWith(`-${look}.webp`), file);
    const outsideOfCode = made.map((text) => text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]+`/g, ''));
    assert.deepEqual(
      outsideOfCode.flatMap(
        (text) =>
          text.match(/<!--|<\/?(?:picture|source|img|video|a|br|p|div|details|summary|kbd|table|t[drh])\b/g) ?? [],
      ),
      [],
    );
  });

  it('costs who builds and tests nothing: its packages are its own', async () => {
    const lock = async (folder: string): Promise<string> => readFile(join(root, folder, 'package-lock.json'), 'utf8');
    assert.match(await lock('site'), /"node_modules\/vitepress"/);
    assert.doesNotMatch(await lock('.'), /"node_modules\/vitepress"/);
  });
});
