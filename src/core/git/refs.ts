import { Problem } from '../base/problem.ts';
import type { Git } from './git.ts';
import { gitProblem, type GitAnswer } from './gitError.ts';

/** A local branch. */
export interface Branch {
  /** The short name, without `refs/heads/`. */
  readonly name: string;
  /** Its last commit. */
  readonly oid: string;
  /** The full name of the upstream, where one is set; it may be gone. */
  readonly upstream: string | undefined;
  /** When its last commit was made, in seconds since 1970; 0 when git could not read it. */
  readonly committed: number;
  /** The first line of its last commit's message. */
  readonly subject: string;
}

/** The branches of all remotes, as the last fetch left them. */
export interface RemoteBranches {
  /** The commits, by full name `refs/remotes/…`. */
  readonly oids: ReadonlyMap<string, string>;
  /** The full name of what each remote's `HEAD` stands for, by the full name of that `HEAD`. */
  readonly defaults: ReadonlyMap<string, string>;
}

/** How far ahead of its upstream a branch is is left out: git would walk the history once for each branch. */
const branchFields = fields('refname', 'objectname', 'upstream', 'committerdate:unix', 'subject', 'symref');
/** The same without what is in the commits: git gives nothing at all when one of them is lost. */
const branchFieldsOnly = fields('refname', 'objectname', 'upstream', '', '', 'symref');
const remoteFields = fields('refname', 'objectname', 'symref');

/** All local branches by short name, in one process. */
export async function readBranches(git: Git, commonDir: string, signal?: AbortSignal): Promise<Map<string, Branch>> {
  // Where a commit is lost some versions of git fail, and 2.55 crashes.
  let answer = await list(git, commonDir, branchFields, 'refs/heads', signal).catch(unlessCancelled);
  if (answer?.exitCode !== 0) answer = await list(git, commonDir, branchFieldsOnly, 'refs/heads', signal);
  if (answer.exitCode !== 0) throw gitProblem(['for-each-ref', 'refs/heads'], answer);
  return new Map(parseBranches(answer.stdout).map((branch) => [branch.name, branch]));
}

/** All branches of all remotes, in one process. */
export async function readRemoteBranches(git: Git, commonDir: string, signal?: AbortSignal): Promise<RemoteBranches> {
  const answer = await list(git, commonDir, remoteFields, 'refs/remotes', signal);
  if (answer.exitCode !== 0) throw gitProblem(['for-each-ref', 'refs/remotes'], answer);
  return parseRemoteBranches(answer.stdout);
}

/** Reads lines of NUL-separated fields; a subject holds no line break, so a line is a record. Aliases are left out. */
export function parseBranches(output: string): Branch[] {
  const branches: Branch[] = [];
  for (const line of output.split('\n')) {
    const [name, oid, upstream, committed, subject, symref] = line.split('\0');
    if (!name || !oid || symref) continue;
    branches.push({
      name: name.replace(/^refs\/heads\//, ''),
      oid,
      upstream: upstream || undefined,
      committed: Number(committed ?? 0),
      subject: subject ?? '',
    });
  }
  return branches;
}

/** The same for the branches of remotes, where an alias is a remote's `HEAD`. */
export function parseRemoteBranches(output: string): RemoteBranches {
  const oids = new Map<string, string>();
  const defaults = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [name, oid, symref] = line.split('\0');
    if (!name || !oid) continue;
    if (symref) defaults.set(name, symref);
    else oids.set(name, oid);
  }
  return { oids, defaults };
}

function unlessCancelled(thrown: unknown): undefined {
  if (!Problem.is(thrown, 'git-failed')) throw thrown;
  return undefined;
}

function fields(...names: string[]): string {
  return `--format=${names.map((name) => (name === '' ? '' : `%(${name})`)).join('%00')}`;
}

function list(
  git: Git,
  commonDir: string,
  format: string,
  below: string,
  signal: AbortSignal | undefined,
): Promise<GitAnswer> {
  // The directory is named, not found: `safe.bareRepository=explicit` forbids finding it.
  return git.in(commonDir).run(['for-each-ref', format, below], { signal });
}
