import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { withoutWaiting } from '../base/plainFile.ts';
import { powerShellWord, shellWord } from '../base/quoted.ts';
import { hookLauncher, launchedProgram } from '../repository/launcherFile.ts';
import { plainSlugOf } from '../repository/plainSlug.ts';
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
  const drifted = await Promise.all(
    worktrees.map(async ({ name, slug: own, path, branch }) => {
      if (!(await stat(path).catch(() => undefined))?.isDirectory()) return false;
      for (const slug of own === undefined ? new Set([basename(path), plainSlugOf(name)]) : [own]) {
        // Of a bare repository the worktree has it.
        for (const root of [mainRoot, path]) {
          const file = join(root, '.claude', 'agents', `${agentNameOf(slug)}.md`);
          const text = await readFile(file, { encoding: 'utf8', flag: withoutWaiting }).catch(() => undefined);
          if (text === undefined) continue;
          if ([path, branch, hookLauncher(mainRoot)].every((word) => names(text, word))) return false;
          break;
        }
      }
      return true;
    }),
  );
  return drifted.includes(true);
}

/** Whether the text of a generated agent has a word: as JSON, or as JSON of a line of a shell, as on Windows. */
function names(text: string, word: string): boolean {
  if (text.includes(JSON.stringify(word))) return true;
  if (!text.includes('"shell":"')) return false;
  const inLine = [shellWord(word), powerShellWord(word).slice(1, -1)];
  return inLine.some((each) => text.includes(JSON.stringify(each).slice(1, -1)));
}

/** Whether a generated agent is there and starts its guards from elsewhere: the main root was moved, whatever else is as it was. */
export async function namesOtherLauncher(mainRoot: string, slug: string): Promise<boolean> {
  const file = join(mainRoot, '.claude', 'agents', `${agentNameOf(slug)}.md`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text !== undefined && !names(text, hookLauncher(mainRoot));
}

/** Whether the launcher of hooks starts an executable that does not exist: a container has written it, or its host. */
export async function launcherIsDead(mainRoot: string): Promise<boolean> {
  const text = await readFile(hookLauncher(mainRoot), 'utf8').catch(() => undefined);
  const program = text === undefined ? undefined : launchedProgram(text);
  return program !== undefined && (await stat(program).catch(() => undefined)) === undefined;
}
