// `npm run site`: builds the docs site from docs/ into artifacts/site. Its packages are those of site/package-lock.json, apart from the project's own:
// nobody who builds or tests needs them. A link that leads nowhere fails the build.
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sections } from './lib/siteSections.mjs';
import { exists, root } from './lib/install.mjs';
import { Failure, main, must, say } from './lib/processes.mjs';

const site = join(root, 'site');
const repository = 'https://github.com/worktree-stacks/worktree-stacks/blob/main';

/** The pages that the site shows, without their ending. */
export const pages = sections.flatMap((section) => section.pages);

/** A picture in two looks, as GitHub takes it. */
const picture = /<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img src="([^"]+)"[^>]* alt="([^"]*)">\s*<\/picture>/g;

/**
 * A page of docs/ as the site has it: what it links to in the repository, and is no page here, is linked to where it is public. The site knows no
 * HTML in pages, and has a switch of its own for dark and light: a picture becomes two, of which its theme shows one.
 * @param {string} text
 * @param {string} folder that the page is in
 */
export function pageOf(text, folder) {
  const inMarkdown = text
    .replaceAll(/^<!--[^]*?-->\n?/gm, '')
    .replaceAll(picture, (_, dark, light, alt) => `![${alt}](${light}){.on-light}\n![${alt}](${dark}){.on-dark}`);
  return inMarkdown.replaceAll(/\]\((?![a-z]+:|#)([^)#\s]+)((?:#[^)\s]*)?)\)/gi, (whole, path, anchor) => {
    const target = relative(root, resolve(folder, path)).replaceAll('\\', '/');
    const [, page] = /^docs\/([\w-]+)\.md$/.exec(target) ?? [];
    if (target === 'CHANGELOG.md') return `](./changelog.md${anchor})`;
    if (page !== undefined && pages.includes(page)) return `](./${page}.md${anchor})`;
    if (target.startsWith('docs/images/')) return `](./${relative('docs', target)})`;
    return whole.replace(`${path}${anchor}`, `${repository}/${target}${anchor}`);
  });
}

/** Copies the pages and pictures to where VitePress reads them. */
export async function copyPages() {
  const into = join(site, 'pages');
  await rm(into, { recursive: true, force: true });
  await mkdir(join(into, 'public'), { recursive: true });
  for (const page of pages) {
    const [file, folder] = page === 'changelog' ? ['CHANGELOG.md', root] : [`docs/${page}.md`, join(root, 'docs')];
    await writeFile(join(into, `${page}.md`), pageOf(await readFile(join(root, file), 'utf8'), folder));
  }
  await writeFile(join(into, 'index.md'), pageOf(await readFile(join(site, 'index.md'), 'utf8'), site));
  await cp(join(root, 'docs/images'), join(into, 'images'), { recursive: true });
  await cp(join(root, 'media/icon.png'), join(into, 'public/icon.png'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    if (!(await exists(join(site, 'node_modules/vitepress')))) {
      say('Installing the packages of site/package-lock.json …');
      await must('The packages of the site could not be installed.', 'npm', ['ci', '--no-audit', '--no-fund'], {
        cwd: site,
      });
    }
    await copyPages();
    await must('The site could not be built.', 'npm', ['run', '--silent', 'build'], { cwd: site });
    const out = join(root, 'artifacts/site');
    const built = (await readdir(out)).filter((file) => file.endsWith('.html'));
    for (const file of built)
      if (/<p>&lt;(?:!--|\/?(?:picture|source|img)\b)/.test(await readFile(join(out, file), 'utf8')))
        throw new Failure(`${file} shows HTML of its page as text.`);
    say(`${out}: ${built.length} pages.`);
  });
}
