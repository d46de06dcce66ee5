// The docs site: `npm run site` in the project's folder copies docs/ to pages/ and builds it into artifacts/site.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { sections } from '../../scripts/lib/siteSections.mjs';

const repository = 'https://github.com/worktree-stacks/worktree-stacks';

/** @param {string} page */
const titleOf = (page) =>
  /^# (.+)$/m.exec(readFileSync(new URL(`../pages/${page}.md`, import.meta.url), 'utf8'))?.[1]?.replaceAll('`', '') ??
  page;

export default defineConfig({
  title: 'Worktree Stacks',
  description: 'Git worktrees in stacks, for people who run several coding agents side by side.',
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: 'pages',
  outDir: '../artifacts/site',
  cacheDir: '../.cache/site',
  cleanUrls: true,
  // `<name>` in a page is a word that the reader fills in, never an element.
  markdown: { html: false },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'VS Code', link: '/extension' },
      { text: 'wt', link: '/cli' },
      { text: 'Claude Code', link: '/claude' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: sections.map(({ text, pages }) => ({
      text,
      items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })),
    })),
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: {
      pattern: ({ filePath }) =>
        `${repository}/edit/main/${filePath === 'changelog.md' ? 'CHANGELOG.md' : `docs/${filePath}`}`,
    },
  },
});
