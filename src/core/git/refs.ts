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
  /** When its last commit was made, in seconds since 1970; 0 when git could not read it, or was not asked to. */
  readonly committed: number;
  /** The first line of its last commit's message; empty where {@link committed} is 0. */
  readonly subject: string;
}

/** All branches of a repository, as they were at one moment. */
export interface AllRefs {
  /** The local ones by short name. */
  readonly local: ReadonlyMap<string, Branch>;
  readonly remote: RemoteBranches;
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

/**
 * All branches without what is in their commits, in one process: opening a thousand commits takes three times as long as reading as many
 * names.
 */
export async function readRefs(git: Git, commonDir: string, signal?: AbortSignal): Promise<AllRefs> {
  const answer = await list(git, commonDir, branchFieldsOnly, ['refs/heads', 'refs/remotes'], signal);
  if (answer.exitCode !== 0) throw gitProblem(['for-each-ref', 'refs/heads', 'refs/remotes'], answer);
  // Both kinds are listed by their full names, the local ones first.
  const remotes = answer.stdout.search(/^refs\/remotes\//m);
  const end = remotes < 0 ? answer.stdout.length : remotes;
  return {
    local: byName(parseBranches(answer.stdout.slice(0, end))),
    remote: parseRemoteBranches(answer.stdout.slice(end)),
  };
}

/** All local branches by short name, in one process. */
export async function readBranches(git: Git, commonDir: string, signal?: AbortSignal): Promise<Map<string, Branch>> {
  // Where a commit is lost some versions of git fail, and 2.55 crashes.
  let answer = await list(git, commonDir, branchFields, ['refs/heads'], signal).catch(unlessCancelled);
  if (answer?.exitCode !== 0) answer = await list(git, commonDir, branchFieldsOnly, ['refs/heads'], signal);
  if (answer.exitCode !== 0) throw gitProblem(['for-each-ref', 'refs/heads'], answer);
  return byName(parseBranches(answer.stdout));
}

/** All branches of all remotes, in one process. */
export async function readRemoteBranches(git: Git, commonDir: string, signal?: AbortSignal): Promise<RemoteBranches> {
  const answer = await list(git, commonDir, remoteFields, ['refs/remotes'], signal);
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

/** The same for the branches of remotes, where an alias is a remote's `HEAD`: what an alias stands for is the last field. */
export function parseRemoteBranches(output: string): RemoteBranches {
  const oids = new Map<string, string>();
  const defaults = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [name, oid, ...others] = line.split('\0');
    if (!name || !oid) continue;
    const symref = others.at(-1);
    if (symref) defaults.set(name, symref);
    else oids.set(name, oid);
  }
  return { oids, defaults };
}

function byName(branches: readonly Branch[]): Map<string, Branch> {
  return new Map(branches.map((branch) => [branch.name, branch]));
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
  below: readonly string[],
  signal: AbortSignal | undefined,
): Promise<GitAnswer> {
  // The directory is named, not found: `safe.bareRepository=explicit` forbids finding it.
  return git.in(commonDir).run(['for-each-ref', format, ...below], { signal });
}
