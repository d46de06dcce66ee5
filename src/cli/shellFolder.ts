import { closeSync, constants, existsSync, fstatSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '../core/base/environment.ts';
import { isWithin, realPathOf } from '../core/base/paths.ts';

/** The variable that names the file in which the shell's function (`wt shell-init`) is told where to go. */
const folderVariable = 'WT_CD_FILE';

/**
 * The shell that `wt` was typed in, as far as it follows: its function makes an empty file, names it in {@link folderVariable}, and goes to the
 * path that it finds in there afterwards. The path is never evaluated.
 */
export class ShellFolder {
  /** Where the shell stands. */
  readonly folder: string;
  /** Where it goes when the folder that it stands in is gone in the end. */
  mainRoot: string | undefined;
  readonly #file: string | undefined;
  #target: string | undefined;

  private constructor(folder: string, file: string | undefined) {
    this.folder = folder;
    this.#file = file;
  }

  /**
   * The shell of this process. What it starts does not learn of the file, so that nothing else can send the shell anywhere. An agent
   * is never led elsewhere: its guards judge each command by the folder that the agent itself has chosen.
   *
   * @param variables the variable is taken out of them.
   */
  static of(folder: string, variables: NodeJS.ProcessEnv): ShellFolder {
    const file = variables[folderVariable];
    delete variables[folderVariable];
    return new ShellFolder(folder, file === undefined || file === '' || isAgent(variables) ? undefined : resolve(file));
  }

  /** Whether the shell goes where it is led. */
  get follows(): boolean {
    return this.#file !== undefined;
  }

  /** Leads the shell to a folder once the command is done. */
  lead(folder: string): void {
    this.#target = folder;
  }

  /** Whether the shell stands in a folder, or below it. */
  async standsIn(folder: string): Promise<boolean> {
    return isWithin(await realPathOf(folder), await realPathOf(this.folder));
  }

  /**
   * Tells the shell where to go: where it was led, and out of a folder that is gone.
   *
   * @returns the folder that it could not be told of.
   */
  tell(): string | undefined {
    const target = this.#target ?? (existsSync(this.folder) ? undefined : this.mainRoot);
    if (this.#file === undefined || target === undefined || !existsSync(target)) return undefined;
    try {
      fill(this.#file, target);
      return undefined;
    } catch {
      return target;
    }
  }
}

/** Whether an agent runs this command, and no person. */
export function isAgent(variables: Environment['variables']): boolean {
  return Boolean(variables['CLAUDECODE'] || variables['AI_AGENT']);
}

/** Writes into a file that is there and is empty: whatever else the variable names stays as it is. */
function fill(file: string, text: string): void {
  // Windows knows neither.
  const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const open = openSync(file, constants.O_WRONLY | careful);
  try {
    const found = fstatSync(open);
    if (!found.isFile() || found.size > 0) throw new Error('not the empty file of the shell');
    writeSync(open, text);
  } finally {
    closeSync(open);
  }
}
