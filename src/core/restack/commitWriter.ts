import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { Problem } from '../base/problem.ts';
import { makeFolders, shareLikeGit } from '../base/sharing.ts';
import type { Git } from '../git/git.ts';
import { partsOf, recommit, stepCommit, type CommitObject } from '../git/commitObject.ts';
import { objectId } from '../git/objectId.ts';
import { ObjectWriter } from '../git/objectWriter.ts';
import { withTreeMerger, type TreeMerger } from '../git/treeMerger.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CommitSettings } from './commitSettings.ts';

/** The longest silence of the signing program in milliseconds: enough to type a passphrase. */
const signingPatience = 60_000;

/** A commit that could not be signed, because the program that signs has failed or needs a person. */
export interface Unsigned {
  /** Its first line of output. */
  readonly words: string;
}

/**
 * Makes commits without touching any branch or worktree. They may not be written yet: wait for `settled` before another process reads
 * them.
 */
export interface CommitWriter {
  /** The same commit with another tree and parent, made and if necessary signed with the settings of its worktree. */
  recommit(commit: CommitObject, tree: string, parent: string, settings: CommitSettings): Promise<string | Unsigned>;
  /** A commit for one question only, see {@link stepCommit}; it and all before it are written then. */
  step(tree: string, parents: readonly string[]): Promise<string>;
  /** See {@link TreeMerger}. */
  mergeTrees(base: string, ours: string, theirs: string): Promise<string | undefined>;
  /** Reads and changes trees; see {@link TreeMerger}. */
  readonly trees: Pick<TreeMerger, 'entryAt' | 'withEntry' | 'blob'>;
  /**
   * Waits until everything is written.
   *
   * @throws Problem `git-failed` when something could not be.
   */
  settled(): Promise<void>;
}

/**
 * Runs something with a {@link CommitWriter}. All commits of one run are by one git process, unless they are signed.
 */
export async function withCommitWriter<T>(
  workspace: Workspace,
  options: {
    readonly progress?: Progress | undefined;
    readonly signal?: AbortSignal | undefined;
  },
  task: (writer: CommitWriter) => Promise<T>,
): Promise<T> {
  const { git, repository } = workspace;
  const { commonDir } = repository;
  const { signal } = options;
  const parent = join(commonDir, 'worktree-stacks');
  await makeFolders(parent);
  const folder = await mkdtemp(join(parent, 'commits-'));
  await shareLikeGit(folder);
  try {
    const args = ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin-paths'];
    const at = { writes: true, signal };
    return await git.in(commonDir).converse(args, at, (conversation) => {
      const commits = new CommitFiles(new ObjectWriter(conversation), folder);
      return withTreeMerger(git, commonDir, signal, async (trees) => {
        const settled = async (): Promise<void> => void (await Promise.all([trees.settled(), commits.settled()]));
        const result = await task({
          step: async (tree, on) => {
            const oid = commits.write(stepCommit(tree, on), tree);
            await settled();
            return oid;
          },
          recommit: async (commit, tree, on, settings) => {
            if (!settings.sign) return commits.write(recommit(commit, tree, on, settings.committer), tree);
            await settled();
            // The program may ask for a passphrase in the terminal.
            options.progress?.(undefined);
            return recommitSigned(git, commit, { tree, parent: on }, settings, signal);
          },
          mergeTrees: (base, ours, theirs) => trees.merge(base, ours, theirs),
          trees,
          settled,
        });
        await settled();
        return result;
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Hands commits to git, each through a file of its own. */
class CommitFiles {
  readonly #writer: ObjectWriter;
  readonly #folder: string;
  #count = 0;

  constructor(writer: ObjectWriter, folder: string) {
    this.#writer = writer;
    this.#folder = folder;
  }

  /** @param like any id of this repository. */
  write(bytes: Buffer, like: string): string {
    const oid = objectId('commit', bytes, like);
    const file = join(this.#folder, `commit-${++this.#count}`);
    this.#writer.write(oid, async () => {
      await writeFile(file, bytes);
      return `${file}\n`;
    });
    return oid;
  }

  settled(): Promise<void> {
    return this.#writer.settled();
  }
}

/**
 * The same commit with another tree and parent, signed.
 *
 * @param settings where git has the settings to sign with.
 * @returns its id, or why it could not be signed.
 */
export async function recommitSigned(
  git: Git,
  commit: CommitObject,
  { tree, parent }: { readonly tree: string; readonly parent: string },
  settings: Pick<CommitSettings, 'cwd' | 'args'>,
  signal: AbortSignal | undefined,
): Promise<string | Unsigned> {
  const { author, message, encoding } = partsOf(commit);
  const args = ['-c', `i18n.commitEncoding=${encoding}`, 'commit-tree', '-S', tree, '-p', parent, '-F', '-'];
  const answer = await git
    .run([...settings.args, ...args], {
      cwd: settings.cwd,
      writes: true,
      signal,
      silenceLimit: signingPatience,
      input: message,
      variables: { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, GIT_AUTHOR_DATE: author.date },
    })
    .catch((thrown: unknown) => {
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      return {
        exitCode: 1,
        stdout: '',
        stderr: `The program that signs did not answer within ${signingPatience / 1000} s.`,
      };
    });
  if (answer.exitCode === 0) return answer.stdout.trim();
  const said = answer.stderr.split('\n').map((line) => line.replace(/^(error|fatal): /, '').trim());
  return { words: said.find((line) => line !== '') ?? 'the program that signs has failed' };
}
