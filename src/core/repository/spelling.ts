import type { PathRules } from '../base/pathRules.ts';
import { systemPaths } from '../base/paths.ts';

/**
 * The main root as the person spells it. Git resolves links; people and shells do not. Where the way to the folder goes through a link, so
 * does the way to the root. What is spelled otherwise in its letters alone is called what the disk calls it: agents and editors come by
 * several spellings.
 *
 * @param root as git tells it.
 * @param folder where the person is.
 */
export async function asThePersonSeesIt(root: string, folder: string, paths: PathRules = systemPaths): Promise<string> {
  const realRoot = await paths.realPathOf(root);
  const spelled = paths.samePath(root, realRoot) ? realRoot : root;
  if (paths.isWithin(spelled, folder)) return spelled;
  for (const at of paths.upFrom(folder)) {
    const below = paths.pathBelow(await paths.realPathOf(at), realRoot);
    if (below !== undefined) return paths.path.join(at, below);
  }
  return spelled;
}

/**
 * How the person spells other paths of this repository: what lies behind the same link as the main root is reached through it.
 *
 * @param mainRoot as the person sees it.
 * @returns turns real paths into such; leaves others as they are.
 */
export async function respell(mainRoot: string, paths: PathRules = systemPaths): Promise<(path: string) => string> {
  const { basename, dirname, join } = paths.path;
  const realRoot = await paths.realPathOf(mainRoot);
  if (mainRoot === realRoot) return (path) => path;
  let [theirs, real] = [mainRoot, realRoot];
  // Siblings of the main root lie behind the link as well, when it is further up.
  for (const above of [...paths.upFrom(mainRoot)].slice(1)) {
    const behind = dirname(real);
    const sameName = behind !== real && paths.samePath(join(behind, basename(theirs)), real);
    if (!sameName || !paths.samePath(await paths.realPathOf(above), behind)) break;
    [theirs, real] = [above, behind];
  }
  return (path) => {
    const below = paths.pathBelow(realRoot, path);
    if (below !== undefined) return join(mainRoot, below);
    const beside = paths.pathBelow(real, path);
    return beside === undefined ? path : join(theirs, beside);
  };
}
