import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { withoutWaiting } from '../base/plainFile.ts';
import { plainSlugOf } from '../repository/plainSlug.ts';
import { agentNameOf, type KnownWorktree } from './knownWorktrees.ts';

/**
 * Whether a generated agent is missing or does not tell its worktree's path and branch any more. A quick look, for the start of a
 * session: what it finds is for `repairAgents` to judge.
 */
export async function hasDrifted(mainRoot: string, worktrees: readonly KnownWorktree[]): Promise<boolean> {
  const drifted = await Promise.all(
    worktrees.map(async ({ name, path, branch }) => {
      if (!(await stat(path).catch(() => undefined))?.isDirectory()) return false;
      for (const slug of new Set([basename(path), plainSlugOf(name)])) {
        const file = join(mainRoot, '.claude', 'agents', `${agentNameOf(slug)}.md`);
        const text = await readFile(file, { encoding: 'utf8', flag: withoutWaiting }).catch(() => '');
        if (text.includes(JSON.stringify(path)) && text.includes(JSON.stringify(branch))) return false;
      }
      return true;
    }),
  );
  return drifted.includes(true);
}
