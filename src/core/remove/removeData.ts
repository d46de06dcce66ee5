import type { RemoveOperation } from '../operations/operation.ts';
import type { OpenTasks } from '../tasks/unassign.ts';
import type { BranchToDelete } from './deleteBranch.ts';
import type { LateCheck } from '../trash/lateChanges.ts';

/** All that is needed to roll a removal back or to finish it, without the process that began it. */
export interface RemoveData {
  /**
   * `begun`: the working tree may have been staged for deletion, and can come back. `decided`: it goes; whatever is left of it is
   * removed.
   */
  readonly step: 'begun' | 'decided';
  readonly name: string;
  readonly slug: string;
  /** The absolute path of the worktree. */
  readonly path: string;
  /** Git's admin directory of it. */
  readonly gitDir: string;
  /** The text of its file `gitdir`, which tells it from a later one under the same name. */
  readonly pointer: string;
  readonly bin: string;
  /** The id under which it is remembered; missing where it is not, and in the files of earlier versions. */
  readonly log?: string | undefined;
  /** What is remembered, once it is decided. Earlier versions wrote that to the log when they decided. */
  readonly operation?: RemoveOperation | undefined;
  /** The folder of what is kept of it in files, by `keptFolder`; missing in files of earlier versions. */
  readonly kept?: string | undefined;
  /** Where the working tree is staged; `undefined` where there is none to remove. */
  readonly aside: string | undefined;
  /** Where git's admin directory is kept as it is: its folder is out of sight. Without one it goes with the trash entry. */
  readonly keep?: string | undefined;
  /** What whoever deletes the working tree has to check; `undefined` when that was done after it was staged. */
  readonly look?: LateCheck | undefined;
  /** All that was in its folder is staged; the folder itself is in use, and is deleted later. */
  readonly left?: boolean | undefined;
  /** The working tree could not be staged and is deleted where it is; the text of its `.git` file proves that it is it. */
  readonly inPlace: { readonly gitFile: string } | undefined;
  readonly branch: BranchToDelete | undefined;
  /** The path as the registry's entry has it. */
  readonly entryPath: string | undefined;
  /** Dependents of the first branch get the second one as their base. */
  readonly repoint: { readonly from: string; readonly to: string } | undefined;
  /** What tells which of its tasks are done with. Missing in files of earlier versions. */
  readonly tasks?: { readonly merged: boolean; readonly open: OpenTasks };
}
