// Takes the pictures whose names are its arguments, or all of them, in the packaged extension. `npm run pictures` prepares and starts it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';
import { writePicture } from '../../../scripts/pictures/encode.mjs';
import { density, fileOf, looks, pictures } from '../../../scripts/pictures/list.mjs';
import { artifacts, launchBrowser, screenshot } from '../../support/launch/browser.ts';
import { scenes } from './scenes.ts';
import { openStage } from './stage.ts';

const wanted = process.argv.slice(2);
const failed: string[] = [];
await mkdir(join(artifacts, 'screenshots'), { recursive: true });
const browser = await launchBrowser({ whole: true });
try {
  for (const look of looks) {
    const opened = await openStage(browser, look);
    const { stage } = opened;
    try {
      await stage.workbench.openContainer('Worktree Stacks');
      await stage.widen(640);
      await stage.run('stack');
      // All scenes are played, since each begins where the one before it has ended.
      for (const picture of pictures) {
        try {
          const scene = scenes[picture.name];
          if (!scene) throw new Error('it has no scene');
          const frames = await scene(stage);
          if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
          const { folder, width } = picture;
          const how = { width: width * density[folder], quality: folder === 'docs/images' ? 80 : 30 };
          await writePicture(join(root, fileOf(picture, look)), frames, how);
          process.stdout.write(`${fileOf(picture, look)}\n`);
        } catch (thrown) {
          const [why] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
          failed.push(`${picture.name} (${look}): ${why}`);
          await screenshot(stage.page, `FAILED-picture-${picture.name}-${look}`);
          for (let left = 3; left > 0; left--) await stage.page.keyboard.press('Escape');
        }
      }
    } finally {
      await opened.close();
    }
  }
} finally {
  await browser.close();
}
for (const each of failed) process.stderr.write(`No picture of ${each}\n`);
process.exit(failed.length > 0 ? 1 : 0);
