import { readRegistry } from '../../repository/registry.ts';
import { pullRequestState } from '../../repository/standing.ts';
import { quoted } from '../../base/quoted.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { registryGraph } from '../../stack/graph.ts';
import { recordedBaseOf } from '../plan/recordBases.ts';
import type { Message } from '../../messages/message.ts';
import { githubMessages } from '../../messages/github.ts';

/** An open pull request whose base on GitHub is another one than its branch has here. */
export interface OutdatedBase {
  readonly number: number;
  /** The worktree. */
  readonly name: string;
  /** What it is into on GitHub, as far as that is known here. */
  readonly into: string;
  /** The base that the branch has here. */
  readonly base: string;
}

/**
 * The open pull requests of some branches that GitHub shows against another base than the branches have here, as after a move. Read from
 * the registry alone: nobody is asked.
 */
export async function outdatedBases(
  { repository, configuration }: Workspace,
  branches: Iterable<string>,
): Promise<OutdatedBase[]> {
  const meant = new Set(branches);
  const { worktrees } = await readRegistry(repository);
  return [...registryGraph(worktrees, configuration.stack.remote).branches.values()].flatMap(
    ({ name, branch, base, entry }) => {
      const into = recordedBaseOf(entry);
      const state = pullRequestState(entry);
      const isOpen = state === 'open' || state === 'queued';
      if (!meant.has(branch) || into === undefined || !entry.pr || !isOpen) return [];
      return into === base ? [] : [{ number: entry.pr.number, name, into, base }];
    },
  );
}

/** A note about them; none where there are none. */
export function outdatedNotes(outdated: readonly OutdatedBase[]): Message[] {
  const [first] = outdated;
  if (!first) return [];
  const pulls = outdated.map(({ number, name, into }) => githubMessages.pullInto({ number, name, into }));
  const about = { pulls, word: quoted(first.name), base: first.base };
  return [outdated.length === 1 ? githubMessages.outdatedBase(about) : githubMessages.outdatedBases(about)];
}
