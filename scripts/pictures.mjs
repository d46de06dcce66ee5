// `npm run pictures [-- NAME…]`: makes the pictures of the README, the docs and the walkthrough from the real workbench, light and dark.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium, ensurePackages, node24, root } from './lib/install.mjs';
import { Failure, main, onEnd, run, say } from './lib/processes.mjs';
import { ensureServer } from './lib/vscodeServer.mjs';
import { build, packExtension } from './package.mjs';
import { ensureEncoder } from './pictures/encode.mjs';
import { fileOf, looks, pictures } from './pictures/list.mjs';

onEnd(() => process.exit(130));
await main(async () => {
  const { positionals: names } = parseArgs({ allowPositionals: true });
  const unknown = names.find((name) => !pictures.some((each) => each.name === name));
  if (unknown !== undefined)
    throw new Failure(`There is no picture ${unknown}: there are ${pictures.map(({ name }) => name).join(', ')}.`);
  await ensurePackages();
  const found = await ensureChromium();
  if ('missing' in found) throw new Failure(found.missing);
  await ensureServer();
  await ensureEncoder();
  say('Building …');
  await build();
  await packExtension();
  const { code } = await run(node24, [join(root, 'test/ui/pictures/take.ts'), ...names], { cwd: root });
  const files = pictures.flatMap((picture) => looks.map((look) => fileOf(picture, look)));
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(root, file)).catch(() => undefined))?.size ?? 0),
  );
  files.forEach((file, index) => say(`${String(Math.ceil((sizes[index] ?? 0) / 1024)).padStart(6)} KiB  ${file}`));
  say(`${Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)} KiB together`);
  return code;
});
