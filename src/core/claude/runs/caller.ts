import type { Environment } from '../../base/environment.ts';
import { ancestorsOf, type RunningProcess } from '../../base/processTree.ts';
import { identityOf, processExists, type ProcessIdentity } from '../../base/processes.ts';
import { Problem } from '../../base/problem.ts';
import { claudeMessages } from '../../messages/claude.ts';

/** Who calls `wt`: what a workflow's run is known by, since `wt` itself ends at once. */
export interface Caller {
  /** The session of Claude Code. */
  readonly sessionId: string | undefined;
  /** The process that lives as long as the caller's work does; `undefined` where none can be told. */
  readonly process: ProcessIdentity | undefined;
  /** The name of that process, for people. */
  readonly program: string | undefined;
  /** Claude Code itself has named the process: whichever session it holds now, it is the same client. */
  readonly isClient: boolean;
  /** The processes that `wt` descends from. */
  readonly ancestors: readonly ProcessIdentity[];
}

/** What the command line says of the caller; the rest is found out. */
export interface GivenCaller {
  readonly sessionId?: string | undefined;
  readonly pid?: number | undefined;
}

/** They start a program and end with it, or before. */
const starters =
  /^(sudo|doas|env|nice|nohup|setsid|timeout|time|xargs|script|npx?|pnpm|yarn|bunx?|git|stdbuf)(\.exe)?$/;
const shells = /^(ba|da|z|k|a|fi)?sh(\.exe)?$/;
/** The scripts of package managers, which run in `node`. */
const starterScript = /(^|\/)(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?$/;

/**
 * Finds who calls `wt`: the process that was named, else the client of Claude Code that it runs in, else the nearest process above it
 * that does more than to start it.
 *
 * @throws Problem `not-found` for a named process that does not run.
 */
export async function findCaller(environment: Environment, given: GivenCaller = {}): Promise<Caller> {
  const { variables } = environment;
  const chain = await ancestorsOf(environment);
  const ancestors = await Promise.all(chain.map(({ pid }) => identityOf({ ...environment, pid })));
  const sessionId = given.sessionId ?? (variables['CLAUDE_CODE_SESSION_ID'] || undefined);
  const base = { sessionId, ancestors, isClient: false };
  if (given.pid !== undefined) {
    if (!processExists(given.pid)) {
      throw new Problem('not-found', claudeMessages.noProcess({ pid: given.pid }), {
        next: claudeMessages.nameRunningProcess(),
      });
    }
    return { ...base, process: await identityOf({ ...environment, pid: given.pid }), program: undefined };
  }
  const client = Number(variables['CLAUDE_PID']);
  // A shell that a session has started may outlive it, with its variables.
  if (chain.some(({ pid }) => pid === client) || (chain.length === 0 && processExists(client))) {
    return { ...base, isClient: true, process: await identityOf({ ...environment, pid: client }), program: 'claude' };
  }
  const found = chain.find((each, index) => staysOn(each, chain[index + 1], variables));
  if (!found) return { ...base, process: undefined, program: undefined };
  return { ...base, process: await identityOf({ ...environment, pid: found.pid }), program: programOf(found) };
}

/** The name of a program by its command line; threads may have given the process another one. */
function programOf({ name, words }: RunningProcess): string {
  return (words[0] || name).replace(/^.*[\\/]/, '').replace(/^-/, '');
}

/** Whether a process goes on when the `wt` below it has ended, as far as its command line tells. */
function staysOn(
  running: RunningProcess,
  parent: RunningProcess | undefined,
  variables: Environment['variables'],
): boolean {
  const { words } = running;
  const program = programOf(running);
  if (starters.test(program)) return false;
  if (/^node(js)?$/.test(program) && starterScript.test(words[1] ?? '')) return false;
  if (!shells.test(program)) return true;
  // A part of a script in brackets, or what stands in `$(…)`, is a copy of its shell.
  if (parent?.words.join('\0') === words.join('\0')) return false;
  const option = words.findIndex((word) => /^-\w*c$/.test(word));
  if (option < 0) return true;
  // An agent starts a shell for each of its commands.
  if (variables['AI_AGENT'] || variables['CLAUDECODE']) return false;
  return goesOn(words[option + 1] ?? '');
}

/** Whether a line for a shell holds commands after the one that begins a workflow. */
function goesOn(line: string): boolean {
  const rest = line.slice(line.lastIndexOf('state begin'));
  return /(;|&&|\|\||\n)\s*[^\s;]/.test(rest) || !line.includes('state begin');
}
