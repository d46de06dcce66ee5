import type { Batch, Operation } from '../operations/operation.ts';
import type { OperationKind } from '../operations/runner.ts';
import { readOperation } from '../operations/store.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { restackKind } from './apply.ts';
import { renameKind } from './rename.ts';

/** An operation on branches as earlier versions wrote it down: only its id; the log had the rest. */
export interface EarlierData {
  readonly id: string;
}

/** Recovers operations on branches that were interrupted before an update. */
export const earlierStackKind: OperationKind<EarlierData> = {
  name: 'stack',
  describe: ({ id }) => id,
  startsGit: true,
  isCommitted: (workspace, data) => within(workspace, data, (kind, known) => kind.isCommitted(workspace, known), false),
  finish: (workspace, data) =>
    within(workspace, data, (kind, known) => kind.finish(workspace, known), { operation: undefined }),
  rollBack: (workspace, data) => within(workspace, data, (kind, known) => kind.rollBack(workspace, known), undefined),
};

/** Does something as the kind of today would. @param otherwise what is given where nothing was in progress. */
async function within<Result>(
  workspace: Workspace,
  { id }: EarlierData,
  task: (kind: OperationKind<object>, data: object) => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  const logged: (Operation & { readonly pending?: Batch }) | undefined = await readOperation(workspace, id);
  if (!logged) return otherwise;
  const { pending: batch, ...operation } = logged;
  if (operation.renaming && operation.state === 'applying') return task(renameKind, { operation });
  return batch ? task(restackKind, { operation, batch }) : otherwise;
}
