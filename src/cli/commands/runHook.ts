import { readRun } from '../../core/hooks/keptRuns.ts';
import { planHooks } from '../../core/hooks/plan.ts';
import { goOnWith } from '../../core/hooks/runHooks.ts';
import { Problem } from '../../core/base/problem.ts';
import { hooksMessages } from '../../core/messages/hooks.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace } from '../context.ts';

export const run: CommandRun = async (cli, [id = '']) => {
  const { workspace } = await openWorkspace(cli);
  const kept = await readRun(workspace.repository, id);
  // The file may have been written by anybody: only what is configured and approved runs.
  const planned = kept ? await planHooks(workspace, kept.event) : [];
  const isPlanned = planned.some((each) => each.approved && each.run === kept?.run && each.origin === kept.origin);
  if (!kept || !isPlanned) throw new Problem('not-found', hooksMessages.unknownRun({ id }));
  return (await goOnWith(workspace, kept)).state === 'passed' ? 0 : 1;
};
