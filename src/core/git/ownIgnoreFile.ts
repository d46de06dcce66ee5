import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import type { Git } from './git.ts';
import { parseIgnoreFile, type IgnoreFile } from './ignoreFile.ts';

/** What decides where the user's own ignore rules are; conditions may differ from one working tree to the next. */
const keys = String.raw`^(core\.excludesfile|includeif\..*)$`;

/**
 * The ignore rules of the user (`core.excludesFile`), which hold in all repositories, with the lowest rank of all. A working tree with a
 * configuration of its own ({@link mayNameIgnoreFile}) may have others.
 *
 * @returns `undefined` when there are none, they cannot be read, or working trees of this repository may have different ones.
 * @throws Problem `cancelled`.
 */
export async function readOwnIgnoreFile(
  git: Git,
  commonDir: string,
  { environment, signal }: { readonly environment: Environment; readonly signal: AbortSignal },
): Promise<IgnoreFile | undefined> {
  const args = ['config', '--type=path', '-z', '--get-regexp', keys];
  const { exitCode, stdout } = await git.in(commonDir).run(args, { signal });
  // 1 says that none of them is set.
  if (exitCode > 1) return undefined;
  let file = defaultFile(environment.variables);
  for (const record of stdout.split('\0').slice(0, -1)) {
    const end = record.indexOf('\n');
    const [key, value] = end < 0 ? [record, ''] : [record.slice(0, end), record.slice(end + 1)];
    if (key === 'core.excludesfile') file = value;
    else if (!key.startsWith('includeif.gitdir') || key.includes('worktrees')) return undefined;
  }
  // Git looks for a relative one in the folder that it works in.
  if (!file || !isAbsolute(file)) return undefined;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseIgnoreFile(text);
}

function defaultFile(variables: Environment['variables']): string | undefined {
  const folder = variables['XDG_CONFIG_HOME'] || (variables['HOME'] && join(variables['HOME'], '.config'));
  return folder ? join(folder, 'git', 'ignore') : undefined;
}

/** Whether the configuration of one working tree may say where its user's rules are. @param text of `config.worktree`. */
export function mayNameIgnoreFile(text: string): boolean {
  return /excludesfile|\[\s*include/i.test(text);
}
