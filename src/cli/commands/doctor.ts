import { Problem } from '../../core/base/problem.ts';
import { missingIn, requireGit } from '../../core/git/version.ts';
import { examine, repairAll, type Treated } from '../../core/doctor/doctor.ts';
import type { CommandRun } from '../command.ts';

import { openWorkspace } from '../context.ts';
import { failureJson } from '../output.ts';
import { bundledPrograms } from '../programs.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOf } from '../../core/messages/message.ts';

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
  const left = treated.filter(({ outcome, finding }) => outcome !== 'repaired' && !finding.isInformation);
  const problem = left.length === 0 && problems.length === 0 ? undefined : summary(left, fix);
  if (output.json) {
    output.answerJson({
      success: problem === undefined,
      git: { version: version.join('.'), missing },
      findings: treated.map(({ finding, outcome, problem: why }) => ({
        kind: finding.kind,
        severity: finding.isInformation ? 'information' : 'problem',
        subject: finding.subject,
        message: textOf(finding.message),
        next: finding.next ? textOf(finding.next) : null,
        repairable: finding.repair !== undefined,
        outcome,
        why: why?.message ?? null,
      })),
      ...(problem ? { error: failureJson(problem).error } : {}),
    });
  } else {
    output.answer(treated.map((each) => lineOf(each)).join('\n'));
    if (left.length === 0 && treated.every(({ outcome }) => outcome === 'left') && problems.length === 0)
      output.tell('No problems found.');
  }
  if (!output.json) for (const each of missing) output.tell(`${textOf(each)}.`);
  if (problem) output.report(problem);
  return problem ? 1 : 0;
};

function lineOf({ finding, outcome, problem, done }: Treated): string {
  const mark = outcome === 'repaired' ? 'repaired: ' : '';
  const more = [
    problem ? `  not repaired: ${problem.message}` : '',
    outcome === 'repaired' && done !== undefined ? `  ${textOf(done)}` : '',
    outcome !== 'repaired' && finding.next ? `  ${textOf(finding.next)}` : '',
  ];
  return [`${mark}${textOf(finding.message)}`, ...more.filter((line) => line !== '')].join('\n');
}

function summary(left: readonly Treated[], fixed: boolean): Problem {
  const repairable = left.filter(({ finding }) => finding.repair !== undefined).length;
  const next = !fixed && repairable > 0 ? cliMessages.doctorRepairs({ repairable }) : cliMessages.doWhatIsSaid();
  return new Problem('inconsistent', cliMessages.notShould({ count: left.length }), {
    next,
    outcome: 'incomplete',
  });
}
