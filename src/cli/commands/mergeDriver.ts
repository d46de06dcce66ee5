import { runMergeDriver } from '../../core/merge/mergeDriver.ts';
import { Problem } from '../../core/base/problem.ts';
import type { SessionKind } from '../../core/session/model.ts';
import { textOption, type CommandRun } from '../command.ts';
import { cliMessages } from '../cliMessages.ts';

const kinds: readonly string[] = ['session', 'learnings', 'jobs'] satisfies SessionKind[];

export const run: CommandRun = async (cli, [kind = '', base = '', ours = '', theirs = ''], options) => {
  const { environment, output } = cli;
  if (!isKind(kind)) {
    throw new Problem('usage', cliMessages.noRulesFiles({ kind }), { next: `say one of ${kinds.join(', ')}` });
  }
  const size = Number(textOption(options, 'markerSize'));
  const { clean, left } = await runMergeDriver(environment, {
    kind,
    base,
    ours,
    theirs,
    slug: textOption(options, 'slug'),
    markerSize: Number.isInteger(size) && size > 0 ? size : undefined,
    theirsLabel: textOption(options, 'theirsLabel'),
  });
  if (left !== undefined) output.tell(`${textOption(options, 'path') ?? ours} is merged by lines: ${left}`);
  if (output.json) output.answerJson({ success: clean, by: left === undefined ? 'rules' : 'lines', why: left ?? null });
  return clean ? 0 : 1;
};

function isKind(word: string): word is SessionKind {
  return kinds.includes(word);
}
