import type { Problem } from '../../core/base/problem.ts';
import { openSession } from '../../core/github/connect.ts';
import { pushBranches } from '../../core/github/publish/pushBranches.ts';
import type { Pushed } from '../../core/github/push/model.ts';
import { worktreeGraph } from '../../core/stack/graph.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';
import { failureJson, type Output } from '../output.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output, signal } = cli;
  const { workspace, snapshot, worktree } = await openWorktree(cli, word);
  const stack =
    options['stack'] === true
      ? worktreeGraph(snapshot)
          .stackOf(worktree.branch)
          .map((member) => member.worktree)
      : [];
  const left: Problem[] = [];
  const pushed = await pushBranches(workspace, snapshot, stack.length > 0 ? stack : [worktree], {
    rewrite: options['rewrite'] === true,
    signal,
    progress: output.progress,
    onWords: (text) => output.pass(text),
    onNote: (note) => output.tell(note),
    force: options['force'] === true,
    onLeft: (_, problem) => left.push(problem),
    host: () => openSession(workspace, { signal, progress: output.progress }),
    command: `wt push ${worktree.name}${options['stack'] === true ? ' --stack' : ''}`,
  });
  output.done();
  for (const problem of left) output.report(problem);
  const [first] = left;
  if (output.json) {
    const failed = first ? { error: failureJson(first).error } : {};
    output.answerJson({ success: left.length === 0, pushed: pushed.map(pushedJson), ...failed });
  } else tellPushed(pushed, output);
  return left.length === 0 ? 0 : 1;
};

/** What became of each branch, for a person. */
export function tellPushed(pushed: readonly Pushed[], output: Output): void {
  for (const { name, branch, remote, oid, before, how } of pushed) {
    const place = `${remote}/${branch}`;
    const short = oid.slice(0, 8);
    switch (how) {
      case 'created':
        output.tell(`Pushed ${name} to ${place}, a new branch (${short}).`);
        break;
      case 'forwarded':
        output.tell(`Pushed ${name} to ${place} (${before?.slice(0, 8)}..${short}).`);
        break;
      case 'rewritten':
        output.tell(
          `Pushed ${name} to ${place} in place of what was there before its rebase (${before?.slice(0, 8)}).`,
        );
        break;
      case 'joined':
        output.tell(`Pushed ${name} to ${place}, joined with what was there before its rebase (${short}).`);
        break;
      case 'unchanged':
        output.tell(`${place} is up to date with ${name}.`);
        break;
    }
  }
}

/** The same for a program. */
export function pushedJson({ name, branch, remote, oid, before, how }: Pushed): Record<string, unknown> {
  return { name, branch, remote, commit: oid, before: before ?? null, how };
}
