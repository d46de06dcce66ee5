import { undo } from '../../core/recovery/undo.ts';
import type { CommandRun } from '../command.ts';
import { tellTakenBack } from './redo.ts';
import { openWorkspace, readFollowing } from '../context.ts';

export const run: CommandRun = async (cli, [id]) => {
  const { workspace } = await openWorkspace(cli);
  await readFollowing(cli, workspace);
  return tellTakenBack(cli, workspace, await undo(workspace, id, cli.signal));
};
