import type { RetroFinding, RetroFindingKind } from '../../core/claude/retro/findings.ts';
import { findingKinds } from '../../core/claude/retro/findings.ts';
import { lookBack, parseSince, type Retrospective } from '../../core/claude/retro/retrospective.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { textOption, type CommandRun } from '../command.ts';
import { counted } from '../../core/base/phrases.ts';

import { openWorkspace } from '../context.ts';
import { entriesBefore } from '../database.ts';
import type { Output } from '../output.ts';

const titles: Readonly<Record<RetroFindingKind, string>> = {
  'allowed-dangerous': 'Let through, looks dangerous',
  'denied-harmless': 'Refused, looks harmless',
  'missing-poll': 'Pull requests that nobody watched',
  'skipped-rebase': 'Published on an old base',
  'failed-hook': 'Hooks that failed',
};
/** So many findings of a kind are told to a person. */
const told = 20;

export const run: CommandRun = async (cli, _words, options) => {
  const { environment, output, signal } = cli;
  const since = parseSince(textOption(options, 'since') ?? '7d', environment.now());
  const { workspace } = await openWorkspace(cli, { tolerant: true });
  const snapshot = await readSnapshot(workspace, { signal, withChanges: false });
  output.progress('Reading the log and the transcripts');
  const worktrees = snapshot.worktrees.filter((each) => !each.main);
  const earlier = (before: string) => entriesBefore(cli, snapshot, { since, before });
  const retrospective = await lookBack(environment, workspace.repository.commonDir, worktrees, since, earlier);
  output.done();
  if (output.json) output.answerJson(toJson(retrospective));
  else output.answer(toText(retrospective, output));
  return 0;
};

function toJson({ since, events, denied, transcripts, findings }: Retrospective): object {
  return {
    success: true,
    since,
    events,
    denied,
    transcripts,
    findings: findings.map(({ worktree, session, transcript, ...rest }) => ({
      ...rest,
      worktree: worktree ?? null,
      session: session ?? null,
      transcript: transcript ?? null,
    })),
  };
}

function toText(retrospective: Retrospective, { colours }: Output): string {
  const { since, events, denied, transcripts, findings } = retrospective;
  const read = `Since ${since}: ${counted(events, 'event')} in the log, ${counted(denied, 'call')} refused, ${counted(transcripts, 'transcript')} read.`;
  const parts = findingKinds.flatMap((kind) => {
    const all = findings.filter((each) => each.kind === kind);
    if (all.length === 0) return [];
    const rest = all.length > told ? [`  … and ${all.length - told} more; \`wt retro --json\` lists all`] : [];
    return [
      [colours.bold(`${titles[kind]} (${all.length})`), ...all.slice(0, told).flatMap(linesOf), ...rest].join('\n'),
    ];
  });
  return [read, ...(parts.length === 0 ? ['Nothing that needs a look.'] : parts)].join('\n\n');
}

function linesOf({ at, worktree, words, why, transcript }: RetroFinding): string[] {
  return [
    `  ${at.slice(0, 16).replace('T', ' ')}  ${worktree ?? '(no worktree)'}: ${words}`,
    `    ${why}`,
    ...(transcript === undefined ? [] : [`    ${transcript}`]),
  ];
}
