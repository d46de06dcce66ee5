import { Problem } from '../core/base/problem.ts';
import { quoted } from '../core/base/quoted.ts';
import type { MergePreview } from '../core/merge/preview.ts';
import { previewHeadline, previewRows, type PreviewRow } from '../core/merge/previewMessages.ts';
import { textOf } from '../core/messages/message.ts';
import { cliMessages } from './cliMessages.ts';
import type { Colours } from './colour.ts';
import type { ExitCode } from './command.ts';
import { oneLine } from './factLabels.ts';
import { mergedFilesJson } from './mergedJson.ts';
import { failureJson, type Output } from './output.ts';

/**
 * Prints what a merge would do.
 *
 * @returns 0 when it would go through, 1 when something would wait for a person.
 */
export function reportPreview(output: Output, preview: MergePreview): ExitCode {
  const problem = problemOf(preview);
  if (output.json) output.answerJson({ ...previewJson(preview), ...(problem ? failureJson(problem) : {}) });
  else {
    output.answer(output.colours.bold(oneLine(textOf(previewHeadline(preview)))));
    for (const row of previewRows(preview)) output.answer(rowText(row, output.colours));
  }
  if (problem) output.report(problem);
  return problem ? 1 : 0;
}

function rowText({ kind, label, detail }: PreviewRow, { red, yellow, dim }: Colours): string {
  const text = oneLine(textOf(label));
  const coloured = kind === 'conflict' || kind === 'obstacle' ? red(text) : kind === 'review' ? yellow(text) : text;
  return `  ${coloured}${detail === undefined ? '' : dim(` (${oneLine(textOf(detail))})`)}`;
}

function problemOf({ name, conflicts, submodules, obstacle }: MergePreview): Problem | undefined {
  if (obstacle) return obstacle;
  const items = [
    ...conflicts.map(({ path }) => path),
    ...submodules.flatMap(({ path, conflicts: files }) => files.map((file) => `${path}/${file}`)),
  ];
  if (items.length === 0) return undefined;
  return new Problem('conflicts', cliMessages.wouldConflict({ name }), {
    next: cliMessages.mergeStopsThere({ name: quoted(name) }),
    items,
    outcome: 'incomplete',
  });
}

function previewJson(preview: MergePreview): Record<string, unknown> {
  const { name, branch, into, state, commits, files, conflicts, submodules, sessionFiles, checks, notes } = preview;
  const states = { merges: 'would-merge', already: 'already', underWay: 'under-way' } as const;
  return {
    success: true,
    dry_run: true,
    ...{ name, branch, into, state: states[state], commits, files, conflicts, submodules },
    session_files: mergedFilesJson(sessionFiles),
    checks: { command: checks?.command ?? null, approved: checks?.approved ?? null },
    notes,
  };
}
