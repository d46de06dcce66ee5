import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InstalledServer } from '../../../scripts/lib/vscodeServer.mjs';

/** The folders of VS Code's own extensions that ours works with, or whose languages and colours its files are shown in. */
const needed = new Set([
  ...['git', 'git-base', 'github', 'github-authentication', 'merge-conflict'],
  ...['javascript', 'json', 'markdown-basics', 'theme-defaults', 'theme-seti', 'typescript-basics', 'yaml'],
]);

/** The ids of VS Code's own extensions that no host test needs, as `VSCODE_SKIP_BUILTIN_EXTENSIONS` takes them. */
export async function builtinsToSkip(server: InstalledServer): Promise<string> {
  const folder = join(dirname(server.main), '../extensions');
  const entries = await readdir(folder, { withFileTypes: true });
  const skipped = entries.filter((entry) => entry.isDirectory() && !needed.has(entry.name));
  const ids = skipped.map(async ({ name }) => {
    const manifest = await readFile(join(folder, name, 'package.json'), 'utf8').catch(() => undefined);
    if (manifest === undefined) return [];
    const { publisher, name: id } = JSON.parse(manifest) as { publisher: string; name: string };
    return [`${publisher}.${id}`];
  });
  return (await Promise.all(ids)).flat().join(',');
}
