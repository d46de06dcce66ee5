import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../core/base/environment.ts';
import { pluginId } from './pluginFiles.ts';

/** Our plugin as Claude Code lists it. */
export interface InstalledPlugin {
  readonly enabled: boolean;
  /** The folder that it is read from, if Claude Code records it. */
  readonly folder: string | undefined;
}

/** Finds our plugin in the answer of `claude plugin list --json`. */
export function findPlugin(answer: string): InstalledPlugin | undefined {
  let plugins: unknown;
  try {
    plugins = JSON.parse(answer);
  } catch {
    return undefined;
  }
  if (!Array.isArray(plugins)) return undefined;
  const ours = (plugins as Record<string, unknown>[]).find((each) => each?.['id'] === pluginId);
  if (!ours) return undefined;
  const folder = ours['readFromFolder'] ?? ours['installPath'];
  return { enabled: ours['enabled'] !== false, folder: typeof folder === 'string' ? folder : undefined };
}

/**
 * Whether our plugin is installed, by a look at Claude Code's own file: to start Claude Code just to offer something in a menu would be too
 * much. `undefined` when the file cannot be understood.
 */
export async function seemsInstalled({ variables }: Environment): Promise<boolean | undefined> {
  const folder = variables['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude');
  try {
    const text = await readFile(join(folder, 'plugins', 'installed_plugins.json'), 'utf8');
    const { plugins } = JSON.parse(text) as { plugins?: Record<string, unknown> };
    return typeof plugins === 'object' ? pluginId in plugins : undefined;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT' ? false : undefined;
  }
}
