import { completionScript } from '../completionScripts.ts';
import type { CommandRun } from '../command.ts';

export const run: CommandRun = async ({ output }, [shell = '']) => {
  const script = completionScript(shell);
  if (output.json) output.answerJson({ success: true, shell, script });
  else output.write(script);
  return 0;
};
