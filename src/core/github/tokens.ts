import type { Environment } from '../base/environment.ts';
import { runProgram } from '../base/process.ts';
import type { Git } from '../git/git.ts';
import { kindOf } from './hosts.ts';
import type { HostedRepository } from './remoteUrl.ts';

/** A token and where it was found; the token itself is for the header of a request and for nothing else. */
export interface Token {
  readonly value: string;
  /** In words for a person: "the variable GH_TOKEN". */
  readonly from: string;
  /** What a person can do when it is not accepted any more, where signing in with `gh` would not help. */
  readonly renew?: string;
}

/** The longest time for another program to give a token, in milliseconds. */
const patience = 10_000;

/**
 * Finds the token for a host: the variables that GitHub's own tools read (`GH_TOKEN`, `GITHUB_TOKEN`; for a server
 * `GH_ENTERPRISE_TOKEN`, `GITHUB_ENTERPRISE_TOKEN`), then `gh`, then git's credential helper. Never asks a person, and puts the token
 * neither in a log nor in an argument.
 *
 * @returns `undefined` when there is none.
 */
export async function findToken(
  environment: Environment,
  git: Git,
  at: Pick<HostedRepository, 'host' | 'protocol'>,
  cwd: string,
  signal?: AbortSignal,
): Promise<Token | undefined> {
  return (
    fromVariables(environment, at.host) ??
    (await fromGh(environment, at.host, signal)) ??
    (await fromGit(git, at, cwd, signal))
  );
}

/** The names of the variables that hold a token for a host, the first one first. */
export function tokenVariables(host: string): readonly string[] {
  return kindOf(host) === 'server' ? ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] : ['GH_TOKEN', 'GITHUB_TOKEN'];
}

function fromVariables({ variables }: Environment, host: string): Token | undefined {
  for (const name of tokenVariables(host)) {
    const value = variables[name]?.trim();
    if (value) return { value, from: `the variable ${name}` };
  }
  return undefined;
}

async function fromGh({ variables }: Environment, host: string, signal?: AbortSignal): Promise<Token | undefined> {
  // Without the host `gh` answers with the token of github.com.
  const args = ['auth', 'token', '--hostname', host];
  const { stdout, failure } = await runProgram('gh', args, { variables, timeout: patience, signal });
  const value = failure ? '' : stdout.trim();
  return value === '' ? undefined : { value, from: 'gh' };
}

async function fromGit(
  git: Git,
  { host, protocol }: Pick<HostedRepository, 'host' | 'protocol'>,
  cwd: string,
  signal?: AbortSignal,
): Promise<Token | undefined> {
  // No helper may open a window or ask at a terminal.
  const quiet = ['-c', 'credential.interactive=false', '-c', 'core.askPass='];
  const input = `protocol=${protocol === 'http' ? 'http' : 'https'}\nhost=${host}\n\n`;
  const variables = { GIT_ASKPASS: '', SSH_ASKPASS: '' };
  const answer = await git
    .run([...quiet, 'credential', 'fill'], { cwd, input, variables, silenceLimit: patience, signal })
    .catch(() => undefined);
  const value = answer?.exitCode === 0 ? /^password=(.+)$/m.exec(answer.stdout)?.[1]?.trim() : undefined;
  return value ? { value, from: "git's credential helper" } : undefined;
}
