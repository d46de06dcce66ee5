import { join } from 'node:path';
import { environmentOf } from '../core/base/environment.ts';
import { silentLog } from '../core/base/log.ts';
import type { HookHost, LazyHandlers } from './hookCall.ts';
import { answerHook, failure, isGuard } from './hookEvents.ts';
import { readHookInput } from './readInput.ts';
import { readStdinSync, writeSyncWhole } from '../shims/stdioSync.ts';

/** For `wt hook`, which loads this bundle for it: the guards are in no other. */
export { answerHook };

declare const WORKTREE_STACKS_VERSION: string;

async function main(from: NodeJS.Process): Promise<void> {
  const [event = '', ...args] = from.argv.slice(2);
  const host: HookHost = {
    environment: environmentOf(from, silentLog, from.env),
    version: WORKTREE_STACKS_VERSION,
    commands: { wt: join(__dirname, 'wt.js'), hook: join(__dirname, 'hook.js') },
    lazy: async () => {
      const { createRequire } = await import('node:module');
      const wt = createRequire(__filename)('./wtProgram.js') as { lazyHandlers: () => Promise<LazyHandlers> };
      return wt.lazyHandlers();
    },
  };
  // Guards run at every tool call, and Claude Code ends one that gets no input; the other hooks stop waiting by themselves.
  const read = async (): Promise<string> => (isGuard(event) ? readStdinSync() : undefined) ?? readHookInput(from.stdin);
  const answer = await read()
    .then((text) => answerHook(host, event, args, text))
    .catch((thrown: unknown) => failure(event, thrown));
  writeSyncWhole(1, answer.output);
  writeSyncWhole(2, answer.message);
  from.exitCode = answer.exitCode;
  // A guard has nothing left to finish, and all that it had to say is written.
  if (isGuard(event)) from.exit();
}

/** Answers the hook that this process was started for, and sets its exit code. */
export function runHook(from: NodeJS.Process): void {
  // Half of the cost of a missing file is a stack trace that nobody sees.
  Error.stackTraceLimit = 0;
  main(from).catch((thrown: unknown) => {
    const guards = isGuard(from.argv[2] ?? '');
    // An answer that cannot be printed must not pass for consent.
    from.exitCode = guards ? 2 : 1;
    from.stderr.write(
      `${guards ? 'The action was blocked, because its guard' : 'The hook'} could not answer: ${String(thrown)}\n`,
    );
  });
}
