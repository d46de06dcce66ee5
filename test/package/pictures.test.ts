import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/lib/install.mjs';
import { density, fileOf, looks, pictures } from '../../scripts/pictures/list.mjs';
import { shop } from '../../scripts/sample/texts.mjs';
import { scenes } from '../ui/pictures/scenes.ts';

const text = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const listed = pictures.flatMap((picture) => looks.map((look) => ({ file: fileOf(picture, look), picture })));

/** The pictures that texts name: the README and the docs by `src` and `srcset`, the manifest in its walkthrough. */
async function named(): Promise<Set<string>> {
  const docs = (await readdir(join(root, 'docs'), { recursive: true })).filter((file) => file.endsWith('.md'));
  const files = ['README.md', ...docs.map((file) => `docs/${file.replaceAll('\\', '/')}`)];
  const found = new Set<string>();
  for (const file of files) {
    for (const [, address = ''] of (await text(file)).matchAll(/(?:src|srcset)="([^"]+)"|(?<=!\[[^\]]*\]\()([^)]+)/g)) {
      const path = address.replace(
        /^https:\/\/raw\.githubusercontent\.com\/worktree-stacks\/worktree-stacks\/main\//,
        '',
      );
      found.add(path.replace(/^\.\//, file.startsWith('docs/') ? 'docs/' : ''));
    }
  }
  for (const [, path = ''] of (await text('package.json')).matchAll(/"(media\/walkthrough\/[^"]+)"/g)) found.add(path);
  return found;
}

/** Width, height and whether it moves, from the head of a WebP. */
function shapeOf(webp: Buffer): { readonly width: number; readonly height: number; readonly moves: boolean } {
  assert.equal(`${webp.toString('latin1', 0, 4)}${webp.toString('latin1', 8, 12)}`, 'RIFFWEBP');
  const kind = webp.toString('latin1', 12, 16);
  if (kind === 'VP8X') {
    const moves = ((webp[20] ?? 0) & 2) !== 0;
    return { width: webp.readUIntLE(24, 3) + 1, height: webp.readUIntLE(27, 3) + 1, moves };
  }
  assert.equal(kind, 'VP8 ');
  return { width: webp.readUInt16LE(26) & 0x3fff, height: webp.readUInt16LE(28) & 0x3fff, moves: false };
}

describe('the pictures', () => {
  it('are those that the texts name, no more and no less', async () => {
    assert.deepEqual([...(await named())].sort(), listed.map(({ file }) => file).sort());
  });

  it('are all there, in both looks, as large as the list says, and moving where it says so', async () => {
    for (const { file, picture } of listed) {
      const bytes = await readFile(join(root, file)).catch(() => assert.fail(`${file} is missing: npm run pictures`));
      const { width, height, folder, moving = false } = picture;
      const dense = density[folder];
      assert.deepEqual(shapeOf(bytes), { width: width * dense, height: height * dense, moves: moving }, file);
    }
  });

  it('are small: 3 MB together', async () => {
    const sizes = await Promise.all(listed.map(async ({ file }) => (await readFile(join(root, file))).length));
    const sum = sizes.reduce((all, size) => all + size, 0);
    assert.ok(sum < 3_000_000, `${sum} bytes`);
  });

  it('have a scene each', () => {
    assert.deepEqual(Object.keys(scenes).sort(), pictures.map(({ name }) => name).sort());
  });

  it('are described for those who do not see them', async () => {
    const images = [...(await text('README.md')).matchAll(/<img\b[^>]*>/g)].map(([image]) => image);
    assert.ok(images.length > 0);
    assert.deepEqual(
      images.filter((image) => !/alt="[^"]{40,}"/.test(image)),
      [],
    );
  });
});

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly completionEvents: readonly string[];
}

describe('the first five minutes', () => {
  it('have a walkthrough whose titles are not cut off and whose steps are ticked by what was done', async () => {
    const { contributes } = JSON.parse(await text('package.json')) as {
      contributes: { walkthroughs: { steps: Step[] }[]; commands: { command: string }[] };
    };
    const nls = JSON.parse(await text('package.nls.json')) as Record<string, string>;
    const keys = await text('src/extension/base/contextKeys.ts');
    const commands = new Set(contributes.commands.map(({ command }) => command));
    const steps = contributes.walkthroughs.flatMap((each) => each.steps);
    for (const covered of ['tasks', 'restack', 'merge', 'agents']) assert.ok(steps.some(({ id }) => id === covered));
    let buttons = 0;
    for (const { id, title, description, completionEvents } of steps) {
      const [shown = '', body = ''] = [title, description].map((key) => nls[key.slice(1, -1)]);
      // What fits into the list of steps in a window of 1,280 pixels.
      assert.ok(shown.length > 0 && shown.length <= 30, `${shown} is too long`);
      for (const event of completionEvents) {
        // That a command was begun says nothing: a person may have left it.
        if (event === 'onView:worktreeStacks.worktrees') continue;
        assert.equal(event, `onContext:worktreeStacks.done.${id}`);
        assert.match(keys, new RegExp(`^  ${id}: 'worktreeStacks\\.\\w+',$`, 'm'));
      }
      for (const [, command = ''] of body.matchAll(/command:(worktreeStacks\.\w+)\)/g)) {
        buttons++;
        assert.ok(commands.has(command) || command.endsWith('.focus'), `${id}: ${command}`);
      }
    }
    assert.ok(buttons > 0, 'no step has a button');
  });

  it('can be found again from every welcome', async () => {
    const nls = JSON.parse(await text('package.nls.json')) as Record<string, string>;
    const without = Object.entries(nls).filter(
      // Whoever has filtered the rows has worktrees, and wants them back.
      ([key, words]) =>
        key.startsWith('welcome.') &&
        key !== 'welcome.noMatch' &&
        !words.includes('(command:worktreeStacks.getStarted)'),
    );
    assert.deepEqual(without, []);
  });

  it('have a sample whose README names commands that there are', async () => {
    const titles = JSON.parse(await text('package.nls.json')) as Record<string, string>;
    const readme = shop(titles)['README.md'] ?? '';
    assert.match(readme, /Five things to try/);
    assert.doesNotMatch(readme, /%/);
  });
});

describe('the listing', () => {
  it('names one repository everywhere', async () => {
    const manifest = JSON.parse(await text('package.json')) as {
      repository: { url: string };
      bugs: { url: string };
      homepage: string;
      publisher: string;
      name: string;
      categories: string[];
      keywords: string[];
    };
    const home = manifest.repository.url.replace(/\.git$/, '');
    assert.match(home, /^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
    const [owner = '', repo = ''] = home.split('/').slice(-2);
    assert.ok(manifest.bugs.url.startsWith(home), manifest.bugs.url);
    assert.ok([`${home}#readme`, `https://${owner}.github.io/${repo}/`].includes(manifest.homepage), manifest.homepage);
    assert.ok((await text('README.md')).includes(`--install-extension ${manifest.publisher}.${manifest.name}`));
    for (const category of ['AI', 'SCM Providers']) assert.ok(manifest.categories.includes(category));
    // The Marketplace refuses more.
    assert.ok(manifest.keywords.length <= 30);
  });

  it('tells contributors how to start and test it, after those who only want to use it', async () => {
    const readme = await text('README.md');
    const order = ['## Install', '## For contributors', '\nnpm start', '\nnpm test '].map((words) =>
      readme.indexOf(words),
    );
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    );
    assert.ok(order.every((at) => at > 0));
  });
});
