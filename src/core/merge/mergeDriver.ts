import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { Git } from '../git/git.ts';
import { gitDirOf } from '../git/gitFile.ts';
import { mergeSessionText } from '../session/mergeText.ts';
import type { SessionKind } from '../session/model.ts';
import { isSettled, replaySessionText } from '../session/replayText.ts';
import { readAdministration } from '../worktree/adminDir.ts';
import { decode } from '../git/blobs.ts';
import { mergeMessages } from '../messages/merge.ts';

/** What git hands to a merge driver. */
export interface DriverInput {
  readonly kind: SessionKind;
  /** Files with the three versions; the result is written over ours. An empty base stands for none. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly slug?: string | undefined;
  /** How many characters a conflict marker has. */
  readonly markerSize?: number | undefined;
  /** What git calls theirs (`%Y`; older versions hand on those two characters). */
  readonly theirsLabel?: string | undefined;
}

/** How it went. `left` names why git's own merge of lines was taken instead; `clean` is false where that has conflicts. */
export interface DriverResult {
  readonly clean: boolean;
  readonly left: string | undefined;
}

/**
 * Merges one session file for git. What the rules are not for is merged as git does it, by lines, with conflict markers.
 *
 * @throws Problem `unreadable-file`, `not-writable`; the file of ours is then as it was.
 */
export async function runMergeDriver(environment: Environment, input: DriverInput): Promise<DriverResult> {
  const files = [input.base, input.ours, input.theirs].map((file) => resolve(environment.cwd, file));
  const [base, ours, theirs] = await Promise.all(files.map(readBytes));
  const why = await mergeByRules(
    environment,
    input,
    [base, ours, theirs].map((bytes) => decode(bytes ?? new Uint8Array())),
  );
  return why === undefined
    ? { clean: true, left: undefined }
    : { clean: await mergeByLines(environment, input), left: why };
}

/** Writes the result over ours; gives the reason if there is none. */
async function mergeByRules(
  environment: Environment,
  input: DriverInput,
  [base, ours, theirs]: readonly (string | undefined)[],
): Promise<string | undefined> {
  if (base === undefined || ours === undefined || theirs === undefined) return 'line 1: this is no UTF-8 text';
  if (input.theirsLabel?.startsWith('parent of ')) return 'a revert takes entries out again, and the rules keep them';
  // In a rebase what git calls theirs is the person's own commit, replayed.
  const isRebase = (await readAdministration(await ownGitDir(environment))).operation === 'rebase';
  const { kind, slug } = input;
  const common = base === '' ? undefined : base;
  const outcome = isRebase
    ? replaySessionText({ kind, base: common, commit: theirs, onto: ours })
    : mergeSessionText({ kind, base: common, ours, theirs, slug });
  if (!outcome.known) return outcome.unknown ?? 'its shape is unknown';
  if (isRebase && !isSettled(outcome)) return 'a line was changed by both sides, which takes a person';
  if (outcome.text !== ours) await writeAtomically(resolve(environment.cwd, input.ours), outcome.text);
  return undefined;
}

/** Git's own merge, written over ours; whether it is without conflicts. */
async function mergeByLines(environment: Environment, input: DriverInput): Promise<boolean> {
  const labels = ['ours', 'base', 'theirs'].flatMap((label) => ['-L', label]);
  const size = input.markerSize === undefined ? [] : [`--marker-size=${input.markerSize}`];
  const args = ['merge-file', '--quiet', ...size, ...labels, input.ours, input.base, input.theirs];
  const { exitCode } = await new Git(environment).run(args, { cwd: environment.cwd, writes: true });
  return exitCode === 0;
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (thrown) {
    throw new Problem('unreadable-file', mergeMessages.cannotRead({ file, reason: messageOf(thrown) }), {
      file,
      cause: thrown,
    });
  }
}

/** The git directory of the working tree that git runs the driver in: it starts it in the root. */
async function ownGitDir({ variables, cwd }: Environment): Promise<string> {
  if (variables['GIT_DIR']) return resolve(cwd, variables['GIT_DIR']);
  return (await gitDirOf(cwd)) ?? join(cwd, '.git');
}
