/** Looks up git aliases, so that decisions themselves start no process. */
export interface AliasLookup {
  /**
   * The expansion of the alias that git would find for a verb in a folder; `undefined` if there is none. When it rejects, the guard
   * denies the command.
   */
  gitAlias(verb: string, directory: string): Promise<string | undefined>;
}

/**
 * Asks git, with one process for each folder. Not through `core/git/git.ts`: a guard must start fast, and that would load simple-git.
 */
export function aliasesOf(variables: Readonly<Record<string, string | undefined>>): AliasLookup {
  const known = new Map<string, Promise<ReadonlyMap<string, string>>>();
  return {
    async gitAlias(verb, directory) {
      let aliases = known.get(directory);
      if (aliases === undefined) {
        aliases = readAliases(directory, variables);
        known.set(directory, aliases);
      }
      return (await aliases).get(verb.toLowerCase());
    },
  };
}

async function readAliases(
  directory: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, string>> {
  const { execFile } = await import('node:child_process');
  const text = await new Promise<string>((resolve, reject) => {
    const options = {
      cwd: directory,
      env: { ...variables, GIT_OPTIONAL_LOCKS: '0' },
      timeout: 5_000,
      maxBuffer: 4 * 1024 * 1024,
      windowsHide: true,
    };
    execFile('git', ['config', '--null', '--get-regexp', '^alias\\.'], options, (failure, stdout) => {
      // 1: there are none. Without git or without the folder, no alias runs either.
      if (failure === null || failure.code === 1 || failure.code === 'ENOENT') resolve(failure === null ? stdout : '');
      else reject(new Error(`git config could not list the aliases: ${failure.message.split('\n')[0]}`));
    });
  });
  const aliases = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const newline = entry.indexOf('\n');
    if (newline > 0)
      aliases.set(
        entry
          .slice('alias.'.length, newline)
          .toLowerCase()
          .replace(/\.command$/, ''),
        entry.slice(newline + 1),
      );
  }
  return aliases;
}
