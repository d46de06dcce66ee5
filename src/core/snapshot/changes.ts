import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { limitTo } from '../base/concurrency.ts';
import type { Environment } from '../base/environment.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { readManyStatuses } from '../git/manyStatuses.ts';
import { parseStatus, type Status, type StatusEntry } from '../git/status.ts';
import type { Changes } from '../worktree/model.ts';
import { seeStatuses } from './seenStatuses.ts';
import type { SnapshotCache } from './snapshotCache.ts';

/** A working tree whose changes are to be read. */
export interface WorkingTree {
  readonly path: string;
  readonly gitDir: string;
  readonly head: string | undefined;
  readonly branch: string | undefined;
  /** It has submodules whose repositories are kept in its git directory. */
  readonly modules: boolean;
}

/** The changes, or why they could not be read. */
export type ChangesAnswer = { readonly changes: Changes } | { readonly trouble: string };

/** Told what git says of the paths of a working tree that was asked for, by its path. */
export type OnStatus = (path: string, entries: readonly StatusEntry[]) => void;

interface Options {
  readonly environment: Environment;
  readonly cache: SnapshotCache | undefined;
  readonly signal: AbortSignal;
  readonly onStatus?: OnStatus | undefined;
  /** Awaited before each process, and before looks at files. */
  readonly beforeEach?: (() => Promise<void>) | undefined;
}

/** A tree that git has to be asked for, and where the answer goes: the entries of its status, or why there are none. */
interface Question {
  readonly tree: WorkingTree;
  /** To be called before the tree is looked at: a change that is reported from then on makes the answer an old one. */
  readonly begin: () => void;
  readonly answer: (given: readonly StatusEntry[] | string) => void;
}

/** Status processes at a time: they keep processors busy and wait little. */
const statusesAtOnce = Math.max(4, availableParallelism());
/** The most trees that one process is asked for, and how long their paths may be together: Windows takes 32,767 characters. */
const mostTogether = 16;
const longestPaths = 12_000;

/**
 * Reads how many paths differ from the last commit in each working tree.
 *
 * @returns the answers by path.
 * @throws Problem `cancelled`; every other failure is an answer.
 */
export async function readChanges(
  git: Git,
  commonDir: string,
  trees: readonly WorkingTree[],
  { environment, cache, signal, onStatus, beforeEach }: Options,
): Promise<Map<string, ChangesAnswer>> {
  const answers = new Map<string, ChangesAnswer>();
  const shared = cache && trees.length > 0 ? sharedStamp(commonDir) : '';
  const questions = await Promise.all(
    trees.map(async (tree): Promise<Question | undefined> => {
      // The state of a submodule is in its own repository, whose files nobody watches.
      const fingerprint = cache && !tree.modules ? await fingerprintOf(tree, shared) : undefined;
      const known = fingerprint === undefined ? undefined : cache?.known(tree.path, fingerprint);
      if (known) answers.set(tree.path, { changes: known });
      if (known) return undefined;
      let keep: ((changes: Changes) => void) | undefined;
      const begin = (): void => {
        if (fingerprint !== undefined) keep = cache?.reading(tree.path, fingerprint);
      };
      const answer = (given: readonly StatusEntry[] | string): void => {
        if (typeof given === 'string') return void answers.set(tree.path, { trouble: given });
        const changes = countChanges(given);
        answers.set(tree.path, { changes });
        keep?.(changes);
        onStatus?.(tree.path, given);
      };
      return { tree, begin, answer };
    }),
  );
  const limit = limitTo(statusesAtOnce);
  const all = questions.filter((question) => question !== undefined);
  const byPath = new Map(all.map((question) => [question.tree.path, question]));
  const onLook = (path: string): void => byPath.get(path)?.begin();
  const looked = all.map(({ tree }) => tree);
  const known = cache?.trees;
  const seen = await seeStatuses(git, commonDir, looked, { environment, known, signal, beforeEach, onLook });
  for (const [path, entries] of seen) byPath.get(path)?.answer(entries);
  const open = all.filter(({ tree }) => !seen.has(tree.path));
  const inTurn = async (portion: readonly Question[]): Promise<void> => {
    await beforeEach?.();
    for (const { begin } of portion) begin();
    await ask(git, portion, signal);
  };
  await Promise.all(portions(open).map((portion) => limit(() => inTurn(portion))));
  return answers;
}

/** Shares the work out, so that the last processes end at about the same time. */
function portions(questions: readonly Question[]): Question[][] {
  const size = Math.min(mostTogether, Math.ceil(questions.length / (3 * statusesAtOnce)));
  const all: Question[][] = [];
  let length = 0;
  for (const question of questions) {
    const last = all.at(-1);
    length += question.tree.path.length;
    if (last && last.length < size && length <= longestPaths) last.push(question);
    else {
      all.push([question]);
      length = question.tree.path.length;
    }
  }
  return all;
}

async function ask(git: Git, portion: readonly Question[], signal: AbortSignal): Promise<void> {
  let rest = portion;
  while (rest.length > 1) {
    const roots = rest.map(({ tree }) => tree.path);
    const statuses = await readManyStatuses(git, roots, signal).catch(unlessCancelled);
    for (const [index, status] of (statuses ?? []).entries()) {
      const question = rest[index];
      if (!question) continue;
      if (isOf(question.tree, status)) question.answer(status.entries);
      else await askOne(git, question, signal);
    }
    const [next, ...others] = rest.slice(statuses?.length ?? 0);
    if (next) await askOne(git, next, signal);
    rest = others;
  }
  if (rest[0]) await askOne(git, rest[0], signal);
}

function unlessCancelled(thrown: unknown): undefined {
  if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
}

/** Whether a status is this tree's: of a folder that has just lost its `.git`, git would tell about the repository around it. */
function isOf({ head, branch }: WorkingTree, status: Status): boolean {
  return status.head === head && (status.branch === undefined || status.branch === branch);
}

/** Git is told the git directory, so that the answer is about this tree or there is none. */
async function askOne(git: Git, { tree, answer }: Question, signal: AbortSignal): Promise<void> {
  try {
    const args = [`--git-dir=${tree.gitDir}`, `--work-tree=${tree.path}`, 'status', '--porcelain=v2', '-z'];
    const output = await git.text([...args, '--untracked-files=normal'], { cwd: tree.path, signal });
    answer(parseStatus(output).entries);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    answer([thrown.message, ...thrown.items].slice(0, 2).join(' '));
  }
}

/** Counts the entries of a status by kind. */
export function countChanges(entries: readonly StatusEntry[]): Changes {
  const tracked = entries.filter(({ kind }) => kind === 'changed' || kind === 'renamed');
  const untracked = entries.filter(({ kind }) => kind === 'untracked').length;
  const conflicts = entries.filter(({ kind }) => kind === 'unmerged').length;
  return {
    total: tracked.length + untracked + conflicts,
    staged: tracked.filter(({ code }) => code[0] !== '.').length,
    unstaged: tracked.filter(({ code }) => code[1] !== '.').length,
    untracked,
    conflicts,
    submodules: entries.filter(({ submodule }) => submodule?.modified || submodule?.untracked).length,
  };
}

/** What the answers depend on outside of all working trees: configuration and the repository's own ignore rules. */
async function sharedStamp(commonDir: string): Promise<string> {
  return (await Promise.all([join(commonDir, 'config'), join(commonDir, 'info', 'exclude')].map(fileStamp))).join('/');
}

async function fingerprintOf(tree: WorkingTree, shared: string | Promise<string>): Promise<string> {
  const index = fileStamp(join(tree.gitDir, 'index'));
  return `${await shared}/${await index}/${tree.head ?? ''}`;
}

async function fileStamp(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found ? `${found.mtimeMs}:${found.ctimeMs}:${found.size}:${found.ino}` : '';
}
