import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Environment } from '../../core/base/environment.ts';
import { extensionsOf, foldersOfPath } from '../../core/base/windowsCommand.ts';
import { valueOf } from '../../core/base/windowsVariables.ts';
import { startOf, type ShellKind } from '../base/shellLine.ts';

/** Claude Code, as it is installed here. */
export interface ClaudeProgram {
  /** Its absolute path. */
  readonly program: string;
  /** What starts it in a terminal. */
  readonly command: string;
}

/** Where its own installers put it, below the home; terminals of some shells have these on their path when an editor has not. */
const usualPlaces: readonly string[] = ['.local/bin/claude', '.claude/local/claude'];
/** The same on Windows, each below a folder that a variable names. */
const usualPlacesOnWindows: readonly (readonly [variable: string, place: string])[] = [
  ['USERPROFILE', '.local\\bin\\claude.exe'],
  ['USERPROFILE', '.claude\\local\\claude.exe'],
  ['APPDATA', 'npm\\claude.cmd'],
];

/**
 * Looks for Claude Code on the path, and where its installers put it. Starts nothing.
 *
 * @param shell that of terminals, which has to be able to read the command.
 * @param isThere asks whether a program is at a path.
 */
export async function findClaude(
  { variables, platform }: Pick<Environment, 'variables' | 'platform'>,
  shell: ShellKind = 'posix',
  isThere: (path: string) => Promise<boolean> = isProgram,
): Promise<ClaudeProgram | undefined> {
  if (platform === 'win32') return findOnWindows(variables, shell, isThere);
  for (const folder of (variables['PATH'] ?? '').split(posix.delimiter).filter((each) => each !== '')) {
    const program = posix.join(folder, 'claude');
    if (await isThere(program)) return { program, command: 'claude' };
  }
  for (const place of usualPlaces) {
    const program = posix.join(homedir(), place);
    // No shell needs quotes for this.
    if (await isThere(program)) return { program, command: `~/${place}` };
  }
  return undefined;
}

async function findOnWindows(
  variables: Environment['variables'],
  shell: ShellKind,
  isThere: (path: string) => Promise<boolean>,
): Promise<ClaudeProgram | undefined> {
  for (const folder of foldersOfPath(variables)) {
    for (const ending of extensionsOf(variables)) {
      const program = win32.join(folder, `claude${ending}`);
      if (await isThere(program)) return { program, command: 'claude' };
    }
  }
  for (const [variable, place] of usualPlacesOnWindows) {
    const folder = valueOf(variables, variable);
    const program = folder && win32.join(folder, place);
    if (program && (await isThere(program))) return { program, command: startOf(program, shell) };
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
