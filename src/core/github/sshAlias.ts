import { execFile } from 'node:child_process';
import type { Environment } from '../base/environment.ts';

/** So long ssh may take to read its settings, in milliseconds; a `Match exec` in them runs programs. */
const patience = 5_000;

/**
 * The host that a name stands for in the person's ssh settings (`Host work` / `HostName github.com`), as ssh itself reads them; the
 * name itself where ssh cannot be asked. Connects to nothing.
 */
export async function hostBehind(environment: Environment, name: string, signal?: AbortSignal): Promise<string> {
  // ssh would take it for an option.
  if (name.startsWith('-')) return name;
  const output = await new Promise<string>((resolve) => {
    const options = { timeout: patience, windowsHide: true, env: withoutUndefined(environment.variables), signal };
    execFile('ssh', ['-G', '--', name], options, (error, stdout) => resolve(error ? '' : stdout));
  });
  const host = /^hostname (\S+)$/im.exec(output)?.[1]?.toLowerCase() ?? name;
  return host === 'ssh.github.com' ? 'github.com' : host;
}

function withoutUndefined(variables: Environment['variables']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
