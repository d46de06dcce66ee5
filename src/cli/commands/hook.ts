import { dirname, join, resolve } from 'node:path';
import type { CommandRun } from '../command.ts';
import { readHookInput } from '../readInput.ts';

declare const WORKTREE_STACKS_VERSION: string;

export const run: CommandRun = async ({ environment, output, input }, [event = '', ...args]) => {
  const wt = resolve(process.argv[1] ?? 'wt.js');
  const host = {
    environment,
    version: WORKTREE_STACKS_VERSION,
    commands: { wt, hook: join(dirname(wt), 'hook.js') },
    lazy: async () => (await import('../hookHandlersLazy.ts')).lazyHandlers,
  };
  // The guards are large, and in a bundle of their own, which `hook.js` needs anyway.
  const { answerHook } = await import('../hookProgram.ts');
  const answer = await answerHook(host, event, args, await readHookInput(input));
  output.write(answer.output);
  if (answer.message !== '') output.tell(answer.message.trimEnd());
  return answer.exitCode;
};
