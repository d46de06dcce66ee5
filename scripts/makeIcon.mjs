// Draws media/icon.png from media/worktrees.svg: the same sign, light on a dark ground. Run it after a change of the sign. It needs the
// program pngquant, which brings the picture from 37 KB to 7.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium, root } from './lib/install.mjs';
import { Failure, main, must, say } from './lib/processes.mjs';

/** Edge length in pixels; the Marketplace wants at least 128. */
const size = 256;

await main(async () => {
  const found = await ensureChromium();
  if ('missing' in found) throw new Failure(found.missing);
  const sign = (await readFile(join(root, 'media/worktrees.svg'), 'utf8')).replace('currentColor', '#ffffff');
  const ground = `width: ${size}px; height: ${size}px; border-radius: 48px; background: linear-gradient(150deg, #2c6e63, #14363f)`;
  const html = `<body style="margin: 0"><div style="${ground}; display: grid; place-items: center">${sign.replace('width="24" height="24"', 'width="176" height="176"')}</div>`;
  const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(html);
    const icon = join(root, 'media/icon.png');
    await writeFile(icon, await page.screenshot({ omitBackground: true }));
    const flags = ['--force', '--nofs', '--speed', '1', '--strip', '--output', icon, '64', icon];
    await must('The picture could not be made small.', 'pngquant', flags);
  } finally {
    await browser.close();
  }
  say('media/icon.png is drawn.');
});
