import { join } from 'node:path';
import type { Merges } from './merges.ts';

/** Makes a repository to be a submodule, with one commit; its path. */
export async function makeRemote(merges: Merges, name: string): Promise<string> {
  const { repository, home } = merges.at;
  const remote = join(home.root, 'remotes', name);
  await repository.write(join(remote, `${name}.txt`), lines(name));
  await repository.gitIn(remote, 'init', '--quiet');
  await repository.commit(`Start ${name}`, {}, remote);
  return remote;
}

/** `libs/first one` of the name `odd name`, and `agent-core` with `nested` inside; committed in the main working tree. */
export async function addSubmodules(merges: Merges): Promise<void> {
  const { repository } = merges.at;
  const [first, core, nested] = [
    await makeRemote(merges, 'first'),
    await makeRemote(merges, 'core'),
    await makeRemote(merges, 'nested'),
  ];
  await repository.gitIn(core, 'submodule', '--quiet', 'add', nested, 'nested');
  await repository.commit('Nest', {}, core);
  await repository.git('submodule', '--quiet', 'add', '--name', 'odd name', first, 'libs/first one');
  await repository.git('submodule', '--quiet', 'add', core, 'agent-core');
  await repository.git('submodule', '--quiet', 'update', '--init', '--recursive');
  await repository.commit('Submodules', {});
}

/**
 * Commits files in a submodule and then in each repository around it.
 *
 * @param tree the working tree, absolute.
 * @param path the submodules on the way, from the outside to the inside.
 */
export async function commitInSubmodule(
  merges: Merges,
  tree: string,
  path: readonly string[],
  files: Record<string, string>,
): Promise<string> {
  const { repository } = merges.at;
  const inner = await repository.commit('Change', files, join(tree, ...path));
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const around = join(tree, ...path.slice(0, depth));
    await repository.gitIn(around, 'add', '--', path[depth] ?? '');
    await repository.gitIn(around, 'commit', '--quiet', '-m', `Record ${path[depth]}`);
  }
  return inner;
}

/** A text whose second line can be chosen, and its last. */
export function lines(second: string, last = '9'): string {
  return ['1', second, '3', '4', '5', '6', '7', '8', last, ''].join('\n');
}
