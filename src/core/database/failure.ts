import type { Message } from '../messages/message.ts';
import { verbatim } from '../messages/message.ts';
import { databaseMessages } from '../messages/database.ts';
import { Problem } from '../base/problem.ts';
import { EngineFailure } from './engine.ts';

/** Whether an engine could not open a file because another process has it open. */
export function isLocked(thrown: unknown): boolean {
  return thrown instanceof EngineFailure && /could not set lock|being used by another process/i.test(thrown.message);
}

const broken =
  /not a valid duckdb database|corrupt|checksum|could not read enough bytes|replaying wal|serialization error|deserializ|has been invalidated|INTERNAL Error/i;
const newer = /version number|newer version|storage version/i;

/**
 * What an engine refused, for a person: who has the file locked, or what is wrong with it. The file is as it was.
 *
 * @param otherwise what it is when the engine says nothing of the file: a query that is wrong, rows that are not taken.
 */
export function databaseProblem(
  file: string,
  thrown: unknown,
  otherwise: (why: Message) => Problem = (why) =>
    new Problem('unreadable-file', databaseMessages.fileFailed({ file, why }), {
      file,
      next: databaseMessages.lookAtFile(),
      outcome: 'incomplete',
      cause: thrown,
    }),
): Problem {
  if (Problem.is(thrown)) return thrown;
  if (!(thrown instanceof EngineFailure)) throw thrown;
  const why = verbatim(reasonOf(thrown));
  const details = { file, outcome: 'incomplete', cause: thrown } as const;
  if (/^INTERRUPT/i.test(thrown.message)) return Problem.cancelled();
  if (isLocked(thrown)) {
    return new Problem('locked-by-another', databaseMessages.fileLocked({ file, holder: holderIn(thrown.message) }), {
      ...details,
      next: databaseMessages.endHolder(),
    });
  }
  if (newer.test(thrown.message)) {
    return new Problem('unreadable-file', databaseMessages.fileNewer({ file, why }), {
      ...details,
      next: databaseMessages.updateEngine(),
    });
  }
  if (broken.test(thrown.message)) {
    return new Problem('unreadable-file', databaseMessages.fileBroken({ file, why }), {
      ...details,
      next: databaseMessages.moveBrokenAway(),
    });
  }
  return otherwise(why);
}

/** The first sentence of the engine's words, without where it stands in the statement and without a full stop. */
export function reasonOf(failure: EngineFailure): string {
  return (failure.message.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s*\n\s*/g, ' ').replace(/[.!]$/, '');
}

function holderIn(message: string): Message {
  const [, program, pid] = /lock is held in (.+?) \(PID (\d+)\)/i.exec(message) ?? [];
  return program === undefined || pid === undefined
    ? databaseMessages.anotherProgram()
    : databaseMessages.processHolding({ program, pid });
}
