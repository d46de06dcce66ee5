import { samePlace } from '../base/paths.ts';
import { followMoves, reallyMoved } from '../relocation/followMoves.ts';
import { activeHasMoved } from '../relocation/moves.ts';
import type { Examination, Finding } from './finding.ts';
import { doctorMessages } from '../messages/doctor.ts';

/** Worktrees that are not where the registry and the state file say, but were found. */
export async function checkMoves({ workspace, snapshot }: Examination): Promise<Finding[]> {
  const repair = async (): Promise<void> => {
    const { problems } = await followMoves(workspace, snapshot);
    const [problem] = problems;
    if (problem) throw problem;
  };
  const moved = (await reallyMoved(snapshot)).filter(({ before, after }) => before.path !== after.path);
  const found = moved.map(({ worktree: { name, path }, before }): Finding => {
    const message = doctorMessages.nowRegistrySays({ name, path, beforePath: before.path });
    return { kind: 'entry', subject: name, message, repair };
  });
  const { active, worktrees } = snapshot;
  const at = worktrees.find((each) => each.active);
  if (active && at && activeHasMoved(snapshot) && !(await samePlace(active.path, at.path))) {
    const message = doctorMessages.activeWorktreeNow({ name: at.name, path: at.path, activePath: active.path });
    found.push({ kind: 'state-file', subject: at.name, message, repair });
  }
  return found;
}
