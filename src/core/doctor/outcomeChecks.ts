import { mergedRecordOf } from '../repository/standing.ts';
import { forgetMerge } from '../lifecycle/outcome.ts';
import { workOf } from '../snapshot/facts.ts';
import type { Examination, Finding } from './finding.ts';
import { doctorMessages } from '../messages/doctor.ts';

/** Work that is recorded as merged by `wt merge`, while the branch that it was merged into does not have that merge any more. */
export async function checkOutcomes({ workspace, snapshot, signal }: Examination): Promise<Finding[]> {
  const { git, repository } = workspace;
  const found: Finding[] = [];
  for (const worktree of snapshot.worktrees) {
    const { name, branch, entry } = worktree;
    const { commit, into } = mergedRecordOf(entry) ?? {};
    if (branch === undefined || commit === undefined || into === undefined || workOf(worktree) !== 'merged') continue;
    const args = ['for-each-ref', '--format=%(refname)', `refs/heads/${into}`];
    const [there, holds] = await Promise.all(
      [args, [...args, '--contains', commit]].map((each) => git.in(repository.commonDir).run(each, { signal })),
    );
    // A branch that is gone by now says nothing, and neither does an answer that failed.
    if (there?.stdout.trim() === '' || holds?.exitCode !== 0 || holds.stdout.trim() !== '') continue;
    found.push({
      kind: 'entry',
      subject: name,
      message: doctorMessages.recordedMergedInto({ name, into }),
      repair: async () => void (await forgetMerge(workspace, { branch, commit })),
    });
  }
  return found;
}
