import { join } from 'node:path';
import { abortMerge } from '../../src/core/merge/abort.ts';
import { mergeWorktree } from '../../src/core/merge/mergeWorktree.ts';
import { findMergeSource } from '../../src/core/merge/source.ts';
import type { Aborted, Merged, MergeOptions, MergeSource } from '../../src/core/merge/model.ts';
import type { Problem } from '../../src/core/base/problem.ts';
import { approve } from '../../src/core/repository/approvals.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { Creations } from './creations.ts';

/** A repository with worktrees in which merges are made by the core, as the command line would. */
export class Merges {
  readonly at: Creations;

  private constructor(at: Creations) {
    this.at = at;
  }

  static async start(): Promise<Merges> {
    return new Merges(await Creations.start());
  }

  get root(): string {
    return this.at.repository.root;
  }

  /** Runs git in a folder: relative to the main root, or absolute. */
  git(folder: string, ...args: string[]): Promise<string> {
    return this.at.repository.gitIn(join(this.root, folder), ...args);
  }

  /** Commits files in a worktree, or in the main working tree for an empty name. */
  commit(name: string, files: Record<string, string>, message = `Change in ${name || 'main'}`): Promise<string> {
    return this.at.repository.commit(message, files, name === '' ? this.root : this.at.path(name));
  }

  async source(name: string): Promise<MergeSource> {
    const { workspace } = this.at;
    return findMergeSource(workspace, await readSnapshot(workspace, { withChanges: false }), name, this.root);
  }

  async merge(name: string, options: MergeOptions & { into?: string; message?: string } = {}): Promise<Merged> {
    const { into = this.root, message, ...rest } = options;
    return mergeWorktree(this.at.workspace, { source: await this.source(name), into, message }, rest);
  }

  abort(name: string, into = this.root): Promise<Aborted> {
    return abortMerge(this.at.workspace, name, into);
  }

  /** The problem that a merge ends with. */
  async refusal(name: string, options: MergeOptions & { into?: string } = {}): Promise<Problem> {
    return this.merge(name, options).then(
      (merged) => {
        throw new Error(`it was merged: ${JSON.stringify(merged)}`);
      },
      (thrown: unknown) => thrown as Problem,
    );
  }

  approve(command: string): Promise<void> {
    const { environment, repository } = this.at.workspace;
    return approve(environment, repository, [command]);
  }

  dispose(): Promise<void> {
    return this.at.dispose();
  }
}
