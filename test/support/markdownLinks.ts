import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/** Folders that hold pages of others, or inputs of tests. */
const foreign = new Set(['node_modules', 'dist', 'artifacts', '.cache', '.git', 'data', 'pages', '.worktrees']);

/** The pages of a folder and those below it, relative to it. */
export async function markdownFiles(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return foreign.has(entry.name) ? [] : markdownFiles(folder, path);
      return entry.name.endsWith('.md') ? [path] : [];
    }),
  );
  return found.flat().sort();
}

/** The links of pages that lead nowhere: to a file that is not there, or to a heading that a page does not have. */
export async function brokenLinks(folder: string, files: readonly string[]): Promise<string[]> {
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = async (file: string): Promise<Set<string>> => {
    const known = anchors.get(file) ?? headingAnchors(await readFile(file, 'utf8'));
    anchors.set(file, known);
    return known;
  };
  const broken: string[] = [];
  for (const file of files) {
    for (const link of linksOf(await readFile(join(folder, file), 'utf8'))) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(folder, file) : resolve(folder, dirname(file), decodeURI(path));
      const isBroken =
        !existsSync(target) ||
        relative(folder, target).startsWith('..') ||
        (anchor !== undefined && target.endsWith('.md') && !(await anchorsOf(target)).has(anchor));
      if (isBroken) broken.push(`${file}: ${link}`);
    }
  }
  return broken;
}

/** The relative links and pictures of a page, those in code left out. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^(`{3,})[^]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map(([, link]) => link ?? '');
  const html = [...prose.matchAll(/\b(?:src|href|srcset)="([^"]+)"/g)].map(([, link]) => link ?? '');
  return [...inline, ...html].filter((link) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link));
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingAnchors(text: string): Set<string> {
  const prose = text.replaceAll(/^(`{3,})[^]*?^\1/gm, '');
  const found = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; found.has(unique); count++) unique = `${anchor}-${count}`;
    found.add(unique);
  }
  return found;
}
