import type { ActiveRun } from '../core/repository/activeRun.ts';
import type { Holder } from '../core/claude/runs/claimRun.ts';
import { Problem } from '../core/base/problem.ts';
import { verbatim, type Message } from '../core/messages/message.ts';
import { cliMessages } from './cliMessages.ts';
import { oneLine } from './factLabels.ts';

/** Names a run for people: its id, what it works on, since when, and by what it is known. */
export function runMessage(run: ActiveRun): Message {
  const { run_id: id, work_id: work, session_id: session, pid, program, started_at: since } = run;
  const facts = [
    ...(work === null ? [] : [`work item ${oneLine(work)}`]),
    ...(since === '' ? [] : [`since ${since}`]),
    ...(session === null ? [] : [`session ${oneLine(session)}`]),
    ...(pid === null ? [] : [`process ${pid}${program === null ? '' : `, ${oneLine(program)}`}`]),
  ];
  const name = oneLine(id);
  return facts.length === 0 ? verbatim(name) : cliMessages.runWith({ name, facts });
}

/** The problem of a run that keeps another one out. */
export function heldProblem(message: Message, { run, state }: Holder, next: Message): Problem {
  const { host, pid } = run;
  const why = pid === null ? cliMessages.nothingToCheck() : cliMessages.otherComputer({ host: host ?? '' });
  return new Problem('in-use', state === 'unknown' ? cliMessages.heldUnknown({ message, why }) : message, {
    next,
    outcome: 'incomplete',
  });
}
