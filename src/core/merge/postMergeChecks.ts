import { Problem } from '../base/problem.ts';
import { endWords, mayCheck, planChecks, runChecks } from './checks.ts';
import { againCommand, reading, type Merging } from './merging.ts';
import type { ChecksOutcome } from './model.ts';

/**
 * The gate after the merge commit: the checks must pass in the merged tree. The commit stays in any case, and the record says that
 * the checks are due until they pass.
 *
 * @throws Problem `checks-failed`, or `not-approved` for configured checks (both with outcome incomplete).
 */
export async function passGate(merging: Merging, commit: string): Promise<ChecksOutcome> {
  const { workspace, target, keeper, options, source } = merging;
  const plan = await planChecks(workspace, target.root);
  if (!plan) {
    await keeper.close();
    return { state: 'none', command: undefined };
  }
  const { command } = plan;
  const again = againCommand(source);
  const { trial } = keeper.now;
  if (trial?.state === 'settled' && trial.tree === (await treeOf(merging, commit))) {
    // These very files have just passed.
    await keeper.close();
    return { state: 'passed', command };
  }
  if (!(await mayCheck(workspace, plan, options))) {
    if (!plan.configured) return { state: 'unapproved', command };
    throw new Problem(
      'not-approved',
      `${source.name} is merged as ${commit.slice(0, 12)}, but the checks \`${command}\` were not run, because you have not approved them.`,
      { next: `run \`${again} --approve\`, which approves them and runs them`, outcome: 'incomplete' },
    );
  }
  const answer = await runChecks(workspace, target.root, plan, options);
  if (answer.exitCode === 0) {
    await keeper.close();
    return { state: 'passed', command };
  }
  throw new Problem(
    'checks-failed',
    `${source.name} is merged as ${commit.slice(0, 12)}, but the checks \`${command}\` ${endWords(answer)}.`,
    {
      next: `correct it in ${target.root} and commit, then run \`${again}\` again, which runs only the checks`,
      items: answer.lastLines,
      outcome: 'incomplete',
    },
  );
}

async function treeOf(merging: Merging, commit: string): Promise<string | undefined> {
  return merging.workspace.git.line(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], reading(merging));
}
