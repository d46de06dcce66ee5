import { join } from 'node:path';
import { environmentOf } from '../core/base/environment.ts';
import { silentLog } from '../core/base/log.ts';
import { answerHook, failure, isGuard } from './hookEvents.ts';
import { readAtOnce, writeOut } from './stdio.ts';
import { readHookInput } from './readInput.ts';
import type * as hookHandlers from './hookHandlersLazy.ts';

/** For `wt hook`, which loads this file for it: the guards are in no other. */
export { answerHook };

declare const WORKTREE_STACKS_VERSION: string;

async function main(from: NodeJS.Process): Promise<void> {
  const [event = '', ...args] = from.argv.slice(2);
  const host = {
    environment: environmentOf(from, silentLog, from.env),
    version: WORKTREE_STACKS_VERSION,
    get programs() {
      return { wt: join(__dirname, 'wt.js'), hook: join(__dirname, 'hook.js') };
    },
    slow: async () => {
      const { createRequire } = await import('node:module');
      const program = createRequire(__filename)('./wtProgram.js') as { slowHooks(): Promise<typeof hookHandlers> };
      return program.slowHooks();
    },
  };
  // Guards run at every tool call, and the client ends one that gets no input; the others must not be waited for.
  const read = async (): Promise<string> => (isGuard(event) ? readAtOnce() : undefined) ?? readHookInput(from.stdin);
  const answer = await read()
    .then((text) => answerHook(host, event, args, text))
    .catch((thrown: unknown) => failure(event, thrown));
  writeOut(1, answer.output);
  writeOut(2, answer.message);
  from.exitCode = answer.exitCode;
  // A guard leaves nothing behind that would have to be taken down in order, and all that it had to say is written.
  if (isGuard(event)) from.exit();
}

/** Answers the hook that a process was started for, and sets how it ends. */
export function runHook(from: NodeJS.Process): void {
  // Looking for a file that is not there throws an error, and half of what that costs is a stack that nobody ever sees.
  Error.stackTraceLimit = 0;
  main(from).catch((thrown: unknown) => {
    const guards = isGuard(from.argv[2] ?? '');
    // An answer that cannot even be given must not pass for consent.
    from.exitCode = guards ? 2 : 1;
    from.stderr.write(
      `${guards ? 'The action was blocked, because its guard' : 'The hook'} could not answer: ${String(thrown)}\n`,
    );
  });
}
