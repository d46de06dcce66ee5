import { asProblem } from '../base/systemFailure.ts';
import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import type { CreateData } from './createData.ts';
import { createMessages } from '../messages/create.ts';

/** The worktree stays, since it holds files that are not ours. */
export function keptProblem(thrown: unknown, data: CreateData, foreign: readonly string[]): unknown {
  if (!Problem.is(thrown)) return thrown;
  return new Problem(thrown.reason, createMessages.keptForItsFiles({ what: thrown.whatElse, path: data.path }), {
    file: data.path,
    next: createMessages.lookFilesBelow({ name: quoted(data.name) }),
    items: foreign.slice(0, 20),
    outcome: thrown.outcome,
    cause: thrown,
  });
}

/** The failure of a creation whose worktree stays, since the uncommitted work that came along could not be brought back. */
export function keptWorkProblem(thrown: unknown, { name, path }: CreateData, why: Problem): unknown {
  const { reason, whatElse, outcome } = asProblem(thrown);
  return new Problem(reason, createMessages.keptForItsWork({ what: whatElse, path }), {
    file: path,
    next: createMessages.bringBack({ name: quoted(name), path }),
    items: why.items.length > 0 ? why.items : [why.message],
    outcome,
    cause: thrown,
  });
}
