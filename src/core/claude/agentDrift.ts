import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asOnDisk } from '../base/paths.ts';
import { withoutWaiting } from '../base/plainFile.ts';
import { hookLauncher, launchedProgram } from '../repository/launcherFile.ts';
import { plainSlugOf } from '../repository/plainSlug.ts';
import { startsGuards } from './agentDefinition.ts';
import { agentNameOf, type KnownWorktree } from './knownWorktrees.ts';

/**
 * Whether a generated agent is missing, or no longer has its worktree's path and branch and the launcher of this repository. A quick
 * check for the start of a session; `repairAgents` decides what to do.
 *
 * @param worktrees each with the path where it is now.
 */
export async function hasDrifted(
  mainRoot: string,
  worktrees: readonly (Pick<KnownWorktree, 'name' | 'path' | 'branch'> & { readonly slug?: string })[],
): Promise<boolean> {
  const launcher = hookLauncher(asOnDisk(mainRoot));
  const drifted = await Promise.all(
    worktrees.map(async ({ name, slug: own, path: at, branch }) => {
      const path = asOnDisk(at);
      if (!(await stat(path).catch(() => undefined))?.isDirectory()) return false;
      for (const slug of own === undefined ? new Set([basename(path), plainSlugOf(name)]) : [own]) {
        // Of a bare repository the worktree has it.
        for (const root of [mainRoot, path]) {
          const file = join(root, '.claude', 'agents', `${agentNameOf(slug)}.md`);
          const text = await readFile(file, { encoding: 'utf8', flag: withoutWaiting }).catch(() => undefined);
          if (text === undefined) continue;
          if (startsGuards(text, launcher, { path, branch })) return false;
          break;
        }
      }
      return true;
    }),
  );
  return drifted.includes(true);
}

/** Whether a generated agent is there and starts its guards from elsewhere: the main root was moved, whatever else is as it was. */
export async function namesOtherLauncher(mainRoot: string, slug: string): Promise<boolean> {
  const file = join(mainRoot, '.claude', 'agents', `${agentNameOf(slug)}.md`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text !== undefined && !startsGuards(text, hookLauncher(mainRoot));
}

/** Whether the launcher of hooks starts an executable that does not exist: a container has written it, or its host. */
export async function launcherIsDead(mainRoot: string): Promise<boolean> {
  const text = await readFile(hookLauncher(mainRoot), 'utf8').catch(() => undefined);
  const program = text === undefined ? undefined : launchedProgram(text);
  return program !== undefined && (await stat(program).catch(() => undefined)) === undefined;
}
