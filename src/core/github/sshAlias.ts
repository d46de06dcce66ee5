import type { Environment } from '../base/environment.ts';
import { runProgram } from '../base/process.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { webHostOf } from './remoteUrl.ts';

/** The longest time for ssh to read its settings, in milliseconds; a `Match exec` in them runs programs. */
const patience = 5_000;

/** What git connects with, as it is told: a command line for a shell, or a program. */
export interface SshProgram {
  readonly command: string | undefined;
  readonly program: string | undefined;
}

/**
 * Finds out what git connects with: `GIT_SSH_COMMAND`, `core.sshCommand`, `GIT_SSH`, in this order, else `ssh`. Each may read other
 * settings than the plain one, and so know other names.
 *
 * @param settings git's settings, by lower-case key.
 */
export function sshProgramOf({ variables }: Environment, settings: ReadonlyMap<string, string>): SshProgram {
  const command = variables['GIT_SSH_COMMAND'] || settings.get('core.sshcommand') || undefined;
  return { command, program: command === undefined ? variables['GIT_SSH'] || undefined : undefined };
}

/** Programs that have sessions of their own instead of names in ssh's settings, and do not know `-G`. */
const others = /(?:^|[\s/\\'"])(?:tortoise)?(?:plink|putty)(?:\.exe)?(?:$|[\s'"])/i;

/**
 * The host that a name stands for in the person's ssh settings (`Host work` / `HostName github.com`), as the ssh that git uses reads
 * them; the name itself where that cannot be asked. Connects to nothing.
 *
 * @param at.cwd the folder in which git runs.
 */
export async function hostBehind(
  { environment, git }: { readonly environment: Environment; readonly git: Git },
  name: string,
  ssh: SshProgram,
  at: { readonly cwd: string; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  // ssh would take it for an option.
  if (name.startsWith('-') || others.test(ssh.command ?? ssh.program ?? '')) return name;
  const output = await (ssh.command === undefined
    ? ask(environment, ssh.program ?? 'ssh', ['-G', '--', name], at.signal)
    : askThroughGit(git, ssh.command, name, at));
  return webHostOf(/^hostname (\S+)$/im.exec(output)?.[1] ?? name);
}

async function ask(
  { variables }: Environment,
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const { stdout, failure } = await runProgram(program, args, { variables, timeout: patience, signal });
  return failure ? '' : stdout;
}

/**
 * Runs a command line in the shell that git itself would run it in, which on Windows only git knows how to find. Git asks with the same
 * words whether a command is OpenSSH's.
 */
async function askThroughGit(
  git: Git,
  command: string,
  name: string,
  at: { readonly cwd: string; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  try {
    const args = ['-c', `alias.wt-ask-ssh=!${command}`, 'wt-ask-ssh', '-G', name];
    const { exitCode, stdout } = await git.run(args, { ...at, silenceLimit: patience });
    return exitCode === 0 ? stdout : '';
  } catch (thrown) {
    if (Problem.is(thrown, 'cancelled')) throw thrown;
    return '';
  }
}
