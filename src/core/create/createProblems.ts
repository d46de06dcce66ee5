import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import type { CreateData } from './createData.ts';
import { createMessages } from '../messages/create.ts';
import { verbatim } from '../messages/message.ts';

/** The worktree stays, since it holds files that are not ours. */
export function keptProblem(thrown: unknown, data: CreateData, foreign: readonly string[]): unknown {
  if (!Problem.is(thrown)) return thrown;
  const message = `${thrown.message.replace(/; nothing was left behind\.$/, '.')} ${data.path} was kept, because it holds files that are not from the commit.`;
  return new Problem(thrown.reason, verbatim(message), {
    file: data.path,
    next: createMessages.lookFilesBelow({ name: quoted(data.name) }),
    items: foreign.slice(0, 20),
    outcome: thrown.outcome,
    cause: thrown,
  });
}
