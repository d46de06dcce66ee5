import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../core/base/environment.ts';

/** Claude Code, as it is installed here. */
export interface ClaudeProgram {
  /** Its absolute path. */
  readonly program: string;
  /** What starts it in a terminal. */
  readonly command: string;
}

/** Where its own installers put it, below the home; terminals of some shells have these on their path when an editor has not. */
const usualPlaces: readonly string[] = ['.local/bin/claude', '.claude/local/claude'];

/** Looks for Claude Code on the path, and where its installers put it. Starts nothing. */
export async function findClaude({ variables, platform }: Environment): Promise<ClaudeProgram | undefined> {
  // Windows spells the names of variables as it likes.
  const variable = (name: string): string =>
    Object.entries(variables).find(
      ([key]) => key === name || (platform === 'win32' && key.toUpperCase() === name),
    )?.[1] ?? '';
  const endings = platform === 'win32' ? (variable('PATHEXT') || '.EXE;.CMD').split(';') : [''];
  const folders = variable('PATH')
    .split(delimiter)
    .filter((folder) => folder !== '');
  for (const folder of folders) {
    for (const ending of endings) {
      const program = join(folder, `claude${ending}`);
      if (await isProgram(program)) return { program, command: 'claude' };
    }
  }
  if (platform === 'win32') return undefined;
  for (const place of usualPlaces) {
    const program = join(homedir(), place);
    // No shell needs quotes for this.
    if (await isProgram(program)) return { program, command: `~/${place}` };
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
