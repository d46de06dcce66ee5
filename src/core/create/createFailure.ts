import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { tellWriteFailure } from '../git/writeFailure.ts';
import { quoted } from '../base/quoted.ts';
import { createMessages } from '../messages/create.ts';
import { isMessage, type Message } from '../messages/message.ts';

/**
 * Tells why a worktree could not be made, in a sentence and with the way out, where that is something that a person can change.
 * Everything else is given back as it is.
 *
 * @param called what the worktree was to be called, where that is known.
 * @param folder where it was to be, or one above: asked for its free space where nothing else tells the cause. To be called before
 *   anything is rolled back.
 */
export async function explainFailure(thrown: unknown, called: string | undefined, folder: string): Promise<unknown> {
  const own = Problem.is(thrown);
  if (own ? !['git-failed', 'not-writable'].includes(thrown.reason) : errorCode(thrown) === undefined) return thrown;
  if (own && isExplained(thrown.what)) return thrown;
  const words = own ? [thrown.message, ...thrown.items, said(thrown.cause)].join('\n') : said(thrown);
  const command = called === undefined ? 'wt create' : `wt create ${quoted(called)}`;
  const cause = await tellWriteFailure(words, command, folder);
  if (!cause) return thrown;
  const name = called ?? createMessages.theWorktree();
  const { why } = cause;
  return new Problem(
    own ? thrown.reason : 'not-writable',
    own && thrown.id === createMessages.couldNotInitialised.id
      ? createMessages.notCreatedWithSubmodule({ name, why, what: thrown.what })
      : createMessages.notCreatedBecause({ name, why }),
    {
      next: cause.next,
      items: own ? (thrown.items.length > 0 ? thrown.items : [thrown.message]) : [messageOf(thrown)],
      ...(own && thrown.file !== undefined ? { file: thrown.file } : {}),
      outcome: 'incomplete',
      cause: thrown,
    },
  );
}

/** Whether it was explained before; rolling back may have added to it since. */
function isExplained({ id, args: { what } }: Message): boolean {
  if (id === createMessages.notCreatedBecause.id || id === createMessages.notCreatedWithSubmodule.id) return true;
  return isMessage(what) && isExplained(what);
}

function said(thrown: unknown): string {
  return thrown instanceof Error ? `${errorCode(thrown) ?? ''} ${thrown.message}` : '';
}
