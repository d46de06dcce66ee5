import { dirname, join, resolve } from 'node:path';
import type { CommandRun } from '../command.ts';
import { readHookInput } from '../readInput.ts';

declare const WORKTREE_STACKS_VERSION: string;

export const run: CommandRun = async ({ environment, output, input }, [event = '', ...args]) => {
  const wt = resolve(process.argv[1] ?? 'wt.js');
  const host = {
    environment,
    version: WORKTREE_STACKS_VERSION,
    programs: { wt, hook: join(dirname(wt), 'hook.js') },
    slow: () => import('../hookHandlersLazy.ts'),
  };
  // A file of its own, which is there anyway: the shell syntax that guards read is large.
  const { answerHook } = await import('../hookProgram.ts');
  const answer = await answerHook(host, event, args, await readHookInput(input));
  output.write(answer.output);
  if (answer.message !== '') output.tell(answer.message.trimEnd());
  return answer.exitCode;
};
