import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/lib/install.mjs';
import { exportTexts } from '../../scripts/generate.mjs';

describe('the bundle of texts for translators', () => {
  it('holds exactly the texts of the code: `npm run generate` writes it anew', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wts-l10n-'));
    try {
      await exportTexts(folder);
      const [fresh, kept] = await Promise.all([
        readFile(join(folder, 'bundle.l10n.json'), 'utf8'),
        readFile(join(root, 'l10n/bundle.l10n.json'), 'utf8'),
      ]);
      assert.deepEqual(JSON.parse(kept), JSON.parse(fresh));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
