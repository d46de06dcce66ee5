import type { CommandRun } from '../command.ts';
import { answerHook } from '../hookEvents.ts';
import { readHookInput } from '../readInput.ts';

export const run: CommandRun = async ({ environment, output, input }, [event = '']) => {
  const result = await answerHook(environment, event, await readHookInput(input));
  output.write(result.output);
  if (result.message !== '') output.tell(result.message.trimEnd());
  return result.exitCode;
};
