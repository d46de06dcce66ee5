import { Problem } from '../../core/base/problem.ts';
import { missingIn, requireGit } from '../../core/git/version.ts';
import { examine, repairAll, type Treated } from '../../core/doctor/doctor.ts';
import type { CommandRun } from '../command.ts';

import { openWorkspace } from '../context.ts';
import { failureJson } from '../output.ts';
import { bundledPrograms } from '../programs.ts';
import { counts } from '../../core/messages/counts.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { output, signal } = cli;
  const { workspace, problems } = await openWorkspace(cli, { tolerant: true });
  const version = await requireGit(workspace.git, workspace.repository.commonDir);
  const missing = missingIn(version);
  output.progress('Checking everything');
  const fix = options['fix'] === true;
  const look = { programs: bundledPrograms(), signal };
  const treated = fix
    ? await repairAll(workspace, look)
    : (await examine(workspace, look)).map((finding): Treated => ({ finding, outcome: 'left', problem: undefined }));
  output.done();
  const left = treated.filter(({ outcome }) => outcome !== 'repaired');
  const problem = left.length === 0 && problems.length === 0 ? undefined : summary(left, fix);
  if (output.json) {
    output.answerJson({
      success: problem === undefined,
      git: { version: version.join('.'), missing },
      findings: treated.map(({ finding, outcome, problem: why }) => ({
        kind: finding.kind,
        subject: finding.subject,
        message: finding.message,
        next: finding.next ?? null,
        repairable: finding.repair !== undefined,
        outcome,
        why: why?.message ?? null,
      })),
      ...(problem ? { error: failureJson(problem).error } : {}),
    });
  } else {
    output.answer(treated.map((each) => lineOf(each)).join('\n'));
    if (treated.length === 0 && problems.length === 0) output.tell('No problems found.');
  }
  if (!output.json) for (const sentence of missing) output.tell(`${sentence}.`);
  if (problem) output.report(problem);
  return problem ? 1 : 0;
};

function lineOf({ finding, outcome, problem, done }: Treated): string {
  const mark = outcome === 'repaired' ? 'repaired: ' : '';
  const more = [
    problem ? `  not repaired: ${problem.message}` : '',
    outcome === 'repaired' && done !== undefined ? `  ${done}` : '',
    outcome !== 'repaired' && finding.next ? `  ${finding.next}` : '',
  ];
  return [`${mark}${finding.message}`, ...more.filter((line) => line !== '')].join('\n');
}

function summary(left: readonly Treated[], fixed: boolean): Problem {
  const repairable = left.filter(({ finding }) => finding.repair !== undefined).length;
  const next = !fixed && repairable > 0 ? `\`wt doctor --fix\` repairs ${repairable} of them` : 'do what is said there';
  return new Problem(
    'inconsistent',
    cliMessages.notShould({
      things: counts.things({ count: left.length }),
      detail: left.length === 1 ? cliMessages.is() : cliMessages.are(),
    }),
    {
      next,
      outcome: 'incomplete',
    },
  );
}
