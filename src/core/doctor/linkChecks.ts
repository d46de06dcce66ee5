import type { Worktree } from '../worktree/model.ts';
import { outOfLink, relink } from '../relocation/relink.ts';
import { stepsToSee, whereFolderIs } from '../remove/outOfSight.ts';
import { readPathState } from '../remove/pathState.ts';
import type { Examination, Finding } from './finding.ts';
import { doctorMessages } from '../messages/doctor.ts';

/** Worktrees that were moved, so that git or the registry expects them where they are not; and those that nobody finds. */
export async function checkLinks(examination: Examination): Promise<Finding[]> {
  const { snapshot } = examination;
  const moved = new Set(outOfLink(snapshot));
  const found = await Promise.all(
    snapshot.worktrees.map(async (worktree) => {
      if (worktree.main) return [];
      if (moved.has(worktree)) return [movedFinding(examination, worktree)];
      if (worktree.condition !== 'fine') return [await outOfSightFinding(examination, worktree)];
      return [];
    }),
  );
  return found.flat();
}

/** Its `.git` file names git's admin directory of it, which proves that it is the one. */
function movedFinding({ workspace }: Examination, worktree: Worktree): Finding {
  const { name, path, condition } = worktree;
  return {
    kind: 'worktree-moved',
    subject: name,
    message:
      condition === 'moved'
        ? doctorMessages.movedAndBroken({ name, path })
        : doctorMessages.movedGitLooks({ name, path }),
    repair: async () => {
      await relink(workspace, worktree);
      return doctorMessages.gitWorksNow({ path });
    },
  };
}

/** That a folder is not seen is no reason to drop anything. */
async function outOfSightFinding({ workspace }: Examination, worktree: Worktree): Promise<Finding> {
  const { name, path, gitDir, condition, trouble, lockReason } = worktree;
  const place =
    gitDir === undefined
      ? { condition, trouble, what: undefined, link: undefined }
      : await readPathState(workspace.repository, path, gitDir);
  const lock =
    lockReason === undefined
      ? ''
      : lockReason === ''
        ? doctorMessages.itIsLocked()
        : doctorMessages.itIsLockedBecause({ reason: lockReason });
  return {
    kind: 'worktree-missing',
    subject: name,
    message: doctorMessages.outSightKept({ name, whereFolderIs: whereFolderIs(worktree, place), lock }),
    next: stepsToSee(worktree, place),
  };
}
