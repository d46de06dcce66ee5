import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userFolders } from '../core/base/userFolders.ts';
import { cliMessages } from './cliMessages.ts';
import type { CommandLine } from './command.ts';
import { shellOf } from './installShellScript.ts';
import { isAgent } from './shellFolder.ts';
import { shells } from './shellScripts.ts';

/** Says to a person whose shell does not follow that it can: once, and never again. */
export async function hintOnShell({ environment, mayAsk, output, shell }: CommandLine): Promise<void> {
  if (shell.follows || !mayAsk || output.width === undefined || isAgent(environment.variables)) return;
  if (!shells.includes(shellOf(environment) ?? '')) return;
  const { data } = userFolders(environment);
  try {
    await mkdir(data, { recursive: true });
    // Only who makes the file says it.
    await writeFile(join(data, 'shell-hint'), '', { flag: 'wx' });
  } catch {
    return;
  }
  output.tell(cliMessages.shellFollows());
}
