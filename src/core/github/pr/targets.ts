import type { Snapshot } from '../../worktree/model.ts';
import { tipsOf, type Branches } from '../../snapshot/trunk.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import { basesOf } from './bases.ts';
import type { Sight } from './sight.ts';
import { wordsFor, type Words } from './words.ts';

/** A branch, and what its pull request is to be. */
export interface Target {
  readonly member: StackedWorktree;
  /** What it is to be into. */
  readonly base: string;
  readonly words: Words;
  readonly note: string | undefined;
}

/** What the pull requests of branches are to be, each after the one that it stands on. */
export async function targetsOf(
  workspace: Workspace,
  snapshot: Snapshot,
  members: readonly StackedWorktree[],
  { found, place }: Sight,
  branches: Branches,
  signal: AbortSignal | undefined,
): Promise<Target[]> {
  const { git, repository, configuration } = workspace;
  const targets = await Promise.all(
    members.map(async (member): Promise<Target> => {
      const { branch, worktree } = member;
      // What was merged cannot be stood on any more: what it stood on takes its place.
      const bases = basesOf(workspace, snapshot, member, found, place.remotes);
      const base = bases.at(-1) ?? member.base;
      const passed = bases.slice(0, -1);
      const tips = tipsOf(branches, member.base, configuration.stack.remote);
      const recorded = worktree.entry?.branch === branch ? worktree.entry.baseCommit : undefined;
      const stands = tips.local ?? tips.remote ?? recorded ?? '';
      const at = { cwd: repository.commonDir, signal };
      const args = ['merge-base', stands, `refs/heads/${branch}`];
      const shared = await git.in(repository.commonDir).line(args, at);
      const words = await wordsFor(workspace, member, shared ?? stands, signal);
      const note =
        passed.length > 0 ? `${passed.join(', ')} was merged; run \`wt rebase ${worktree.name}\`` : undefined;
      return { member, base, words, note };
    }),
  );
  return targets.map((target) => ({ ...target, base: pastEmpty(target.base, targets) }));
}

/** A branch without commits gets no pull request and need not be on GitHub: what it stands on takes its place. */
function pastEmpty(base: string, targets: readonly Target[]): string {
  const empty = targets.find(({ member, words }) => member.branch === base && words.commits === 0);
  if (!empty) return base;
  return pastEmpty(
    empty.base,
    targets.filter((each) => each !== empty),
  );
}
