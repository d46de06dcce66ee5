// `npm run site`: builds the docs site from docs/ into artifacts/site. Its packages are those of site/package-lock.json, apart from the project's own:
// nobody who builds or tests needs them. A link that leads nowhere fails the build.
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sections } from './lib/siteSections.mjs';
import { exists, root } from './lib/install.mjs';
import { main, must, say } from './lib/processes.mjs';

const site = join(root, 'site');
const repository = 'https://github.com/worktree-stacks/worktree-stacks/blob/main';

/** The pages that the site shows, without their ending. */
export const pages = sections.flatMap((section) => section.pages);

/**
 * A page of docs/ as the site has it: what it links to in the repository, and is no page here, is linked to where it is public.
 * @param {string} text
 * @param {string} folder that the page is in
 */
export function pageOf(text, folder) {
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)#\s]+)((?:#[^)\s]*)?)\)/gi, (whole, path, anchor) => {
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
  await cp(join(site, 'index.md'), join(into, 'index.md'));
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
    say(`${out}: ${built.length} pages.`);
  });
}
