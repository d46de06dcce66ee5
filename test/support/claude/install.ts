import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists, root } from '../../../scripts/lib/install.mjs';
import { must, say } from '../../../scripts/lib/processes.mjs';

/** The Claude Code that the lane drives. What the hooks rely on was seen with this one; raise it on purpose, never by itself. */
const clientVersion = '2.1.332';

/**
 * The program of Claude Code, from the npm registry, installed on demand into the git-ignored cache: a quarter of a gigabyte
 * that only one lane needs is no dependency.
 */
export async function ensureClient(): Promise<string> {
  const home = join(root, '.cache/claude', clientVersion);
  const program = join(home, 'node_modules', packageName(), process.platform === 'win32' ? 'claude.exe' : 'claude');
  if (await exists(program)) return program;
  say(`Installing Claude Code ${clientVersion} (once, about 190 MB) …`);
  await mkdir(dirname(home), { recursive: true });
  // Built aside and renamed when complete: an interrupted install can then never pass for a whole one.
  const draft = await mkdtemp(join(dirname(home), '.installing-'));
  try {
    await writeFile(join(draft, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const sentence = `Claude Code ${clientVersion} could not be installed.`;
    await must(sentence, 'npm', ['install', `${packageName()}@${clientVersion}`, ...flags], { cwd: draft });
    await rename(draft, home).catch(async (error: unknown) => {
      // Another run may have been faster; its install is as good as this one.
      if (!(await exists(program))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return program;
}

/** One package per kind of machine, as the client's own package names them. */
function packageName(): string {
  return `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
}
