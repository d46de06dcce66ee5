import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/lib/install.mjs';
import { bundledFolders, noticesFile, noticesOf, readLicenses } from '../../scripts/notices.mjs';

/** Licenses that ask for no more than that their text is passed on. */
const asksForItsText = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0']);

describe('the third-party notices', () => {
  it('have the license of every package that is bundled, as it was installed', async () => {
    const folders = await bundledFolders();
    // What esbuild has told is believed only if it names what we know to be in there.
    for (const name of ['yaml', '@octokit/rest', 'commander', 'lit-html', 'simple-git', 'ajv'])
      assert.ok(folders.includes(`node_modules/${name}`), `${name} is bundled, and the build did not say so`);
    const { packages, lacking } = await readLicenses(folders);
    assert.deepEqual(lacking, []);
    const written = await readFile(join(root, noticesFile), 'utf8');
    const missing = packages.filter(
      ({ name, version, text }) => !written.includes(`${name} ${version} `) || !written.includes(text),
    );
    assert.deepEqual(
      missing.map(({ name, version }) => `${name} ${version}`),
      [],
      '`npm run notices` writes them',
    );
    assert.equal(written, noticesOf(packages), '`npm run notices` writes it anew');
  });

  it('name only licenses that allow what we do', async () => {
    const { packages } = await readLicenses(await bundledFolders());
    assert.deepEqual(
      packages.filter(({ license }) => !asksForItsText.has(license)),
      [],
    );
  });

  it('are refused where a package has no license', async () => {
    const { packages, lacking } = await readLicenses(['test/data/packages/unlicensed', 'test/data/packages/textless']);
    assert.deepEqual(packages, []);
    assert.deepEqual(lacking, [
      'unlicensed names no license in its package.json',
      'textless has no license file (MIT, by "Ada")',
    ]);
  });
});
