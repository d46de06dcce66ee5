/** Looks up what git's configuration says, so that decisions themselves start no process. */
export interface AliasLookup {
  /**
   * What the alias stands for that git would find for a verb when it runs in a folder; `undefined` if there is none.
   * May reject: then the guard does not let the command through.
   */
  gitAlias(verb: string, directory: string): Promise<string | undefined>;
}

/**
 * Asks git itself, in one process a folder. Not through the repository's door to git: a hook must start fast, and loads nothing that
 * most calls do not need.
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
      // 1: there are none. A git or a folder that is not there runs no alias either.
      if (failure === null || failure.code === 1 || failure.code === 'ENOENT') resolve(failure === null ? stdout : '');
      else reject(new Error(`git config did not tell the aliases: ${failure.message.split('\n')[0]}`));
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
