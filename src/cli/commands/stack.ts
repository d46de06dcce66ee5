import { fetchedRemotes, remoteHint } from '../../core/github/remoteHint.ts';
import { readStack } from '../../core/stack/readStack.ts';
import { selectBranches, stackedBranch } from '../../core/stack/selection.ts';
import { viewStacks, type ShownBranch, type ShownRoot } from '../../core/stack/stackView.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { drawStacks } from '../stackDrawing.ts';

export const run: CommandRun = async (cli, [word]) => {
  const { output, signal, environment } = cli;
  const { workspace } = await openWorkspace(cli, { tolerant: true });
  const state = await readStack(workspace, { signal });
  for (const problem of state.snapshot.problems) output.warn(problem);
  const { remote } = workspace.configuration.stack;
  const hint = await remoteHint(workspace, fetchedRemotes(state.branches.remote), remote);
  let roots = await viewStacks(workspace, state, { signal });
  if (word !== undefined) {
    const branch = stackedBranch(state.stack, await findWorktree(state.snapshot, word, environment.cwd));
    const wanted = new Set(selectBranches(state.stack, branch.branch, { wholeStack: true, onto: undefined }));
    roots = roots
      .map((root) => ({ ...root, branches: root.branches.filter(({ shown }) => wanted.has(shown.branch)) }))
      .filter((root) => root.branches.length > 0);
  }
  if (output.json)
    output.answerJson({ success: true, trunk: state.stack.trunk ?? null, branches: roots.flatMap(rootJson) });
  else {
    output.answer(drawStacks(roots, output.colours));
    if (roots.every((root) => root.branches.length === 0))
      output.tell('It has no dependents yet; create a worktree with `wt create <name>`.');
    if (hint !== undefined) output.tell(hint);
  }
  return 0;
};

function rootJson(root: ShownRoot): Record<string, unknown>[] {
  return root.branches.map(({ depth, shown }) => ({ ...branchJson(shown), root: root.branch ?? null, depth }));
}

function branchJson(shown: ShownBranch): Record<string, unknown> {
  return {
    name: shown.name,
    branch: shown.branch,
    head: shown.tip,
    base: shown.base ?? null,
    base_commit: shown.baseCommit ?? null,
    broken: shown.broken ?? null,
    position: shown.position,
    ahead: shown.distance?.ahead ?? null,
    behind: shown.distance?.behind ?? null,
    needs_restack: shown.needsRestack,
    standing: shown.standing ?? null,
    pr: shown.pullRequest ?? null,
    paths: shown.worktrees.map(({ path }) => path),
    stopped: shown.stopped
      ? { operation: shown.stopped.id, name: shown.stopped.stop?.name ?? null, path: shown.stopped.stop?.path ?? null }
      : null,
  };
}
