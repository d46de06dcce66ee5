import { Problem } from '../base/problem.ts';
import type { CreateUnderWay } from './createData.ts';
import { createMessages } from '../messages/create.ts';

/** The problem of a worktree that another process is creating, or was when it was interrupted. */
export function beingCreated({ name, interrupted }: Pick<CreateUnderWay, 'name' | 'interrupted'>): Problem {
  const word = JSON.stringify(name);
  return interrupted
    ? new Problem('taken', createMessages.creatingWorktreeInterrupted({ word }), {
        next: createMessages.listRecovers(),
      })
    : new Problem('taken', createMessages.worktreeBeingCreated({ word }), {
        next: createMessages.chooseAnotherNameTry(),
      });
}
