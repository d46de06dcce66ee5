import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { commitTextOf } from './backupTree.ts';
import { branchLogOf } from '../operations/keptFolder.ts';
import { inTree } from '../worktree/treeState.ts';
import type { Backup } from '../operations/backups.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeMessages } from '../messages/remove.ts';
import { textOf } from '../messages/message.ts';

/** Commits that nothing but logs name which go with a worktree, or its like: `ORIG_HEAD`. No branch, tag, stash or other ref reaches them. */
export interface LoggedCommits {
  /** Those that also the log of its branch names: lost only when the branch goes too. */
  readonly inBranchLog: readonly LoggedCommit[];
  /** Those that only the log of its `HEAD` and its own refs name. */
  readonly elsewhere: readonly LoggedCommit[];
  /** How long the log of its `HEAD` was, in bytes: it grows with whatever git does there. */
  readonly length: number;
}

/** One such commit. */
export interface LoggedCommit {
  readonly oid: string;
  readonly parents: readonly string[];
}

/**
 * Finds the commits that only the logs of a worktree name. However many they are, git is asked once; where all that the logs name is checked
 * out somewhere, it is not asked at all.
 *
 * @throws Problem when git cannot tell.
 */
export async function readLoggedCommits(
  workspace: Workspace,
  { worktrees }: Pick<Snapshot, 'worktrees'>,
  { branch }: Pick<Worktree, 'branch'>,
  gitDir: string,
  signal?: AbortSignal,
): Promise<LoggedCommits> {
  const { git, repository } = workspace;
  const length = await logLength(gitDir);
  const [own, ofBranch] = await Promise.all([
    oidsInAdminDir(workspace, gitDir, signal),
    branch === undefined ? new Set<string>() : oidsIn(branchLogOf(repository.commonDir, branch)),
  ]);
  // Its own HEAD does not count when it is detached: that is backed up elsewhere.
  const heads = new Set(worktrees.filter((each) => each.branch !== undefined).map(({ head }) => head));
  const named = [...new Set([...own, ...ofBranch])].filter((oid) => !heads.has(oid));
  if (named.length === 0) return { inBranchLog: [], elsewhere: [], length };
  const args = ['rev-list', '--ignore-missing', '--parents', '--stdin', '--not', '--single-worktree', '--all'];
  const input = named.map((oid) => `${oid}\n`).join('');
  const answer = await git.in(repository.commonDir).run(args, { input, signal });
  // A log may name what has been pruned since.
  const output =
    answer.exitCode === 0
      ? answer.stdout
      : await git.in(repository.commonDir).text(args, { input: await existing(), signal });
  const commits = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LoggedCommit => {
      const [oid = '', ...parents] = line.split(' ');
      return { oid, parents };
    });
  const isNamed = new Set(named);
  const found = commits.filter(({ oid }) => isNamed.has(oid));
  return {
    inBranchLog: found.filter(({ oid }) => ofBranch.has(oid)),
    elsewhere: found.filter(({ oid }) => !ofBranch.has(oid)),
    length,
  };

  async function existing(): Promise<string> {
    const check = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];
    const types = await git.in(repository.commonDir).text(check, { input, signal });
    return types
      .split('\n')
      .filter((line) => line.endsWith(' commit'))
      .map((line) => `${line.slice(0, line.indexOf(' '))}\n`)
      .join('');
  }
}

/**
 * Keeps commits that only logs name: one ref holds all of them.
 *
 * @param ref the ref; there must be none of that name.
 */
export async function keepLogged(
  { git, repository }: Workspace,
  commits: readonly LoggedCommit[],
  ref: string,
  signal: AbortSignal | undefined,
): Promise<Backup | undefined> {
  const inner = new Set(commits.flatMap(({ parents }) => parents));
  const tips = commits.map(({ oid }) => oid).filter((oid) => !inner.has(oid));
  const [first] = tips;
  if (first === undefined) return undefined;
  const at = { writes: true, signal };
  const what = removeMessages.commitsOnlyLogged({ count: commits.length });
  let oid = first;
  let restore = `git branch <name> ${ref}`;
  if (tips.length > 1) {
    const tree = await git.in(repository.commonDir).text(['rev-parse', `${first}^{tree}`], at);
    const input = commitTextOf(tree.trim(), tips, `Backup of ${textOf(what)}`);
    oid = (
      await git.in(repository.commonDir).text(['hash-object', '-t', 'commit', '-w', '--stdin'], { ...at, input })
    ).trim();
    restore = `git log ${ref}^@, then git branch <name> <commit>`;
  }
  await git.in(repository.commonDir).text(['update-ref', ref, oid, ''], at);
  return { ref, what, restore };
}

/** {@link LoggedCommits.length} as it is now. */
export async function logLength(gitDir: string): Promise<number> {
  return (await stat(join(gitDir, 'logs', 'HEAD')).catch(() => undefined))?.size ?? 0;
}

/**
 * Those of some commits that go when a worktree goes.
 *
 * @param branchGoes its branch goes too, with its log.
 * @param kept commits that are kept anyway: what they reach needs nothing else.
 */
export function lostCommits(
  { inBranchLog, elsewhere }: LoggedCommits,
  branchGoes: boolean,
  kept: readonly string[],
): LoggedCommit[] {
  const all = [...elsewhere, ...(branchGoes ? inBranchLog : [])];
  const byOid = new Map(all.map((each) => [each.oid, each]));
  const open = [...kept];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    const commit = byOid.get(oid);
    if (!commit) continue;
    byOid.delete(oid);
    open.push(...commit.parents);
  }
  return [...byOid.values()];
}

/** All that the admin directory of a worktree names in logs, and in files that name a commit that was left. */
async function oidsInAdminDir(
  { git }: Workspace,
  gitDir: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const oids = new Set<string>();
  const add = (some: Iterable<string>): void => {
    for (const oid of some) oids.add(oid);
  };
  const logs = await filesBelow(join(gitDir, 'logs'));
  for (const log of logs) add(await oidsIn(log));
  for (const name of ['ORIG_HEAD', 'REBASE_HEAD', join('rebase-merge', 'orig-head'), join('sequencer', 'head')])
    add(await oidsIn(join(gitDir, name)));
  const fetched = await readText(join(gitDir, 'FETCH_HEAD'));
  add(oidsOf(fetched.replace(/^.*\tnot-for-merge\t.*$/gm, '')));
  const hasReftable = logs.length === 0 && (await readdir(join(gitDir, 'reftable')).catch(() => [])).length > 0;
  if (hasReftable) {
    const args = inTree({ path: gitDir, gitDir }, 'log', '--walk-reflogs', '--format=%H', 'HEAD', '--');
    add(oidsOf((await git.line(args, { cwd: gitDir, signal })) ?? ''));
  }
  return oids;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    }),
  );
  return below.flat();
}

async function oidsIn(file: string): Promise<Set<string>> {
  const text = await readText(file);
  // A line of a log has the commit before, the one after, and then a message that may look like one.
  const lines = text.split('\n').map((line) => /^[0-9a-f]{40,64}(?: [0-9a-f]{40,64}(?= ))?/.exec(line)?.[0] ?? '');
  return new Set(lines.flatMap(oidsOf));
}

function oidsOf(text: string): string[] {
  return (text.match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []).filter((oid) => !/^0+$/.test(oid));
}

function readText(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '');
}
