import { join } from 'node:path';
import { followLinks } from '../base/links.ts';
import { isWithin, realPathOf, relativeTo, samePath } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { shellWord } from '../base/quoted.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from './identity.ts';
import { escapePattern, type IgnoreRule } from './ignoreRule.ts';
import { repositoryMessages } from '../messages/repository.ts';

/**
 * The rules that count where links lead our files elsewhere. Git does not look behind links: what is written through one is ignored, or
 * not, by its real path. A link that leads inside the repository gets a rule for where it leads; one that leads out of it, or into git's own
 * folder, needs none. A link in the place of a whole folder of ours that is not committed gets a rule for itself.
 *
 * @throws Problem `not-ignored` for a link to the root of the repository itself: all of that cannot be ignored.
 */
export async function behindLinks(
  git: Git,
  { mainRoot, commonDir }: Repository,
  rules: readonly IgnoreRule[],
  signal?: AbortSignal,
): Promise<IgnoreRule[]> {
  const root = await realPathOf(mainRoot);
  const all: IgnoreRule[] = [];
  for (const rule of rules) {
    const parts = rule.example.split('/');
    const whole = rule.pattern === `/${escapePattern(parts.slice(0, -1).join('/'))}/`;
    // Of folders that only begin alike the one above counts: they need not be there.
    const depth = rule.pattern.endsWith('/') && !whole ? 2 : 1;
    const folder = parts.slice(0, -depth).join('/');
    const { links, end } = followLinks(root, folder);
    if (links.length === 0) {
      all.push(rule);
      continue;
    }
    if (whole && links[0] === join(root, folder) && !(await isCommitted(git, mainRoot, folder, signal)))
      all.push({ pattern: `/${escapePattern(folder)}`, example: folder, beginning: folder });
    if (end === undefined || !isWithin(root, end) || isWithin(commonDir, end)) continue;
    if (samePath(end, root) && whole) throw toRoot(join(mainRoot, folder));
    const real = relativeTo(root, end);
    const below = real === '' ? '' : `${real}/`;
    const glob = whole ? '' : rule.pattern.split('/').slice(-depth).join('/');
    all.push({
      pattern: `/${escapePattern(below)}${glob}`,
      example: `${below}${parts.slice(-depth).join('/')}`,
      beginning: `${below}${whole ? '' : rule.beginning.slice(rule.beginning.lastIndexOf('/') + 1)}`,
    });
  }
  return all;
}

async function isCommitted(git: Git, root: string, path: string, signal?: AbortSignal): Promise<boolean> {
  return (await git.text(['ls-files', '--cached', '-z', '--', `:(literal)${path}`], { cwd: root, signal })) !== '';
}

function toRoot(link: string): Problem {
  return new Problem('not-ignored', repositoryMessages.linkRootRepository({ link }), {
    file: link,
    next: repositoryMessages.removeLinkRm({ link: shellWord(link) }),
    outcome: 'incomplete',
  });
}
