import { fieldsOf } from '../../git/repositoryGit.ts';

/**
 * Looks up git aliases, so that decisions themselves start no process. Gives the expansion of the alias that git would find for a verb
 * in a folder; `undefined` if there is none. When it rejects, the guard denies the command.
 */
export type AliasLookup = (verb: string, directory: string) => Promise<string | undefined>;

/**
 * Asks git, with one process for each folder. Not through `core/git/git.ts`: a guard must start fast, and that would load simple-git.
 */
export function aliasesOf(variables: Readonly<Record<string, string | undefined>>): AliasLookup {
  const known = new Map<string, Promise<ReadonlyMap<string, string>>>();
  return async (verb, directory) => {
    const aliases = known.get(directory) ?? readAliases(directory, variables);
    known.set(directory, aliases);
    return (await aliases).get(verb.toLowerCase());
  };
}

async function readAliases(
  cwd: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, string>> {
  const { runProgram } = await import('../../base/process.ts');
  const { stdout, failure } = await runProgram('git', ['config', '--null', '--get-regexp', '^alias\\.'], {
    cwd,
    variables: { ...variables, GIT_OPTIONAL_LOCKS: '0' },
    timeout: 5_000,
  });
  const code = (failure as { readonly code?: unknown } | undefined)?.code;
  // 1: there are none. Without git or without the folder, no alias runs either.
  if (code === 1 || code === 'ENOENT') return new Map();
  if (failure) throw new Error(`git config could not list the aliases: ${failure.message.split('\n')[0]}`);
  return new Map(
    fieldsOf(stdout).flatMap((entry): [string, string][] => {
      const [, name, expansion] = /^alias\.([^\n]*?)(?:\.command)?\n(.*)$/is.exec(entry) ?? [];
      return name === undefined || expansion === undefined ? [] : [[name.toLowerCase(), expansion]];
    }),
  );
}
