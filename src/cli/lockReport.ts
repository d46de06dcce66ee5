import type { LockState } from '../core/worktree/lock.ts';
import type { Worktree } from '../core/worktree/model.ts';
import type { CommandLine, ExitCode } from './command.ts';
import { oneLine } from './factLabels.ts';

/** Prints whether a worktree is locked now, and the reason that holds or held. */
export function tellLock({ output }: CommandLine, { name, path }: Worktree, state: LockState): ExitCode {
  const { locked, reason, already } = state;
  output.done();
  if (output.json) {
    output.answerJson({ success: true, name, path, locked, reason: locked ? reason : null, changed: !already });
    return 0;
  }
  output.answer(name);
  const why = reason === '' ? '' : `: ${oneLine(reason)}`;
  if (locked) output.tell(`${name} is ${already ? 'locked already' : 'locked'}${why}`.replace(/[^.]$/, '$&.'));
  else
    output.tell(
      already ? `${name} is not locked.` : `Unlocked ${name}${reason === '' ? '' : `; it was locked${why}`}.`,
    );
  return 0;
}
