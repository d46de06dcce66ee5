import { basename } from 'node:path';
import { Problem } from '../../core/base/problem.ts';
import { cliMessages } from '../cliMessages.ts';
import type { CommandRun } from '../command.ts';
import { shellScript, shells } from '../shellScripts.ts';
import { installShellScript, shellOf, uninstallShellScript, type FileChange } from '../installShellScript.ts';

export const run: CommandRun = async ({ environment, output }, [word], options) => {
  const install = options['install'] === true;
  const uninstall = options['uninstall'] === true;
  if (install && uninstall)
    throw new Problem('usage', cliMessages.installOrUninstall(), { next: cliMessages.giveOneOfThem() });
  const shell = word ?? (install || uninstall ? shellOf(environment) : undefined);
  if (shell === undefined)
    throw new Problem('usage', cliMessages.whichShell(), { next: cliMessages.useOne({ shells: shells.join(', ') }) });
  if (!install && !uninstall) {
    const script = shellScript(shell);
    if (output.json) output.answerJson({ success: true, shell, script });
    else output.write(script);
    return 0;
  }
  const changes = await (install ? installShellScript : uninstallShellScript)(environment, shell);
  if (output.json)
    output.answerJson({
      success: true,
      shell,
      files: changes.map(({ file, change, backup }) => ({ file, change, backup: backup ?? null })),
    });
  else {
    for (const change of changes) output.answer(sentenceOf(change));
    if (changes.some(({ change }) => change !== 'unchanged')) output.tell(`A new ${shell} has the change.`);
  }
  return 0;
};

const verbs = { created: 'wrote', changed: 'changed', removed: 'removed', unchanged: 'left as it is' } as const;

function sentenceOf({ file, change, backup }: FileChange): string {
  return `${verbs[change]} ${file}${backup === undefined ? '' : ` (before: ${basename(backup)})`}`;
}
