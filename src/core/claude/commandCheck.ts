import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { foldersOfPath } from '../base/windowsCommand.ts';

/** How long `wt --version` may take, in milliseconds. */
const patience = 3000;

/**
 * Seed 002's check at the start of a session: whether `wt` is there for agents to use, and whether it is of a version that fits these
 * hooks.
 *
 * @param version our own version.
 * @param ask also starts `wt` to ask for its version.
 * @returns what is wrong and what helps, for the person; `undefined` when nothing is.
 */
export async function checkCommand(
  environment: Environment,
  version: string,
  ask: boolean,
): Promise<string | undefined> {
  const found = await findCommand(environment);
  if (found === undefined) {
    return (await comesWithPlugin(environment))
      ? undefined
      : 'Worktree Stacks: the `wt` command is not on the PATH of this session, so agents cannot use it. Install it, or add the folder that holds it to the PATH, and start the session again.';
  }
  // Windows Terminal is called wt as well, and would open a window.
  if (environment.platform === 'win32' && /\.exe$/i.test(found)) {
    return (await comesWithPlugin(environment))
      ? undefined
      : `Worktree Stacks: \`wt\` starts ${found} in this session, which is Windows Terminal, so agents cannot use ours. Put the folder of ours before it on the PATH, and start the session again.`;
  }
  if (!ask || environment.platform === 'win32') return undefined;
  const answer = await versionOf(environment, found);
  if (answer !== undefined && fits(answer, version)) return undefined;
  const what = answer === undefined ? 'is another program or cannot be started' : `is version ${answer}`;
  return `Worktree Stacks: ${found} ${what}, and these hooks need version ${version}. Update it, or put the right one before it on the PATH.`;
}

async function findCommand({ variables, platform }: Environment): Promise<string | undefined> {
  // In the order in which shells of Windows look for it.
  const names = platform === 'win32' ? ['wt.exe', 'wt.cmd'] : ['wt'];
  const folders = platform === 'win32' ? foldersOfPath(variables) : variables['PATH']?.split(':');
  for (const folder of folders ?? []) {
    for (const name of names) {
      const file = join(folder, name);
      if (folder !== '' && (await isProgram(file))) return file;
    }
  }
  return undefined;
}

/** Claude Code puts the folder `bin` of a plugin on the path of its shell, though not on that of hooks. */
async function comesWithPlugin({ variables }: Environment): Promise<boolean> {
  const plugin = variables['CLAUDE_PLUGIN_ROOT'];
  return plugin !== undefined && (await isProgram(join(plugin, 'bin', 'wt')));
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf({ variables, cwd }: Environment, program: string): Promise<string | undefined> {
  // Loaded only here: guards, which never ask, share the bundle with this.
  const { runProgram } = await import('../base/process.ts');
  const { stdout, failure } = await runProgram(program, ['--version'], { cwd, variables, timeout: patience });
  return failure ? undefined : /^(?:wt )?(\d+\.\d+\.\d+\S*)\s*$/.exec(stdout)?.[1];
}

/** Before 1.0 a new minor version may break what an older one promised. */
function fits(found: string, wanted: string): boolean {
  const [major, minor] = wanted.split('.');
  const [foundMajor, foundMinor] = found.split('.');
  return foundMajor === major && (major !== '0' || foundMinor === minor);
}
