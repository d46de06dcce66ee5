import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { CommitObject } from '../git/commitObject.ts';
import { encodingOf } from '../git/commitObject.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { restackMessages } from '../messages/restack.ts';

/** The settings with which git makes commits in a worktree. */
export interface CommitSettings {
  /** The committer, as `git var GIT_COMMITTER_IDENT` gives it. */
  readonly committer: string;
  /** New commits are signed. */
  readonly sign: boolean;
  /** Notes follow rewritten commits, which only git's own rebase does. */
  readonly notes: boolean;
  /** The folder to run git in for these settings, and its first arguments. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** Arguments that pass the settings to git elsewhere; empty where they are the same everywhere. */
  readonly overrides: readonly string[];
}

/** The settings that new commits depend on. */
const relevant = '(user|author|committer|commit|gpg|i18n|notes|rebase|merge|diff)';

type Settings = readonly (readonly [name: string, value: string])[];

/**
 * Reads the settings for new commits of some worktrees. A worktree may have settings of its own: `config.worktree`, and files that
 * `includeIf` names for its git directory or its branch. Where there can be none, two processes answer for all.
 *
 * @param checkouts by branch; the branch is checked out there. A branch without a worktree has the settings of the main one.
 * @returns the settings of a branch.
 * @throws Problem `git-failed` when git knows no identity to commit with.
 */
export async function readCommitSettings(
  workspace: Workspace,
  checkouts: ReadonlyMap<string, Checkout>,
  signal?: AbortSignal,
): Promise<(branch: string) => CommitSettings> {
  const { commonDir } = workspace.repository;
  const inGit = [`--git-dir=${commonDir}`];
  const common = { cwd: commonDir, args: inGit };
  const [settings, special] = await readCommon(workspace, [...checkouts.values()], signal);
  const byBranch = new Map<string, CommitSettings>();
  if (special) {
    await Promise.all(
      [...checkouts].map(async ([branch, { path }]) => {
        const own = await read(workspace, { cwd: path, args: [] }, relevantPattern, signal);
        const where = { cwd: path, args: [] };
        byBranch.set(branch, await settingsOf(workspace, where, own, overridesOf(own), signal));
      }),
    );
  }
  const needsCommon = [...checkouts.keys()].length > byBranch.size || byBranch.size === 0;
  const shared = needsCommon ? await settingsOf(workspace, common, settings, [], signal) : undefined;
  return (branch) => {
    const found = byBranch.get(branch) ?? shared;
    if (!found) throw new Error(`the settings of ${branch} were not read`);
    return found;
  };
}

/** The arguments that give git the settings of a worktree while its branch is not checked out there, as during a rebase. */
export async function overridesFor(workspace: Workspace, checkout: Checkout, signal?: AbortSignal): Promise<string[]> {
  const [, special] = await readCommon(workspace, [checkout], signal);
  return special ? overridesOf(await read(workspace, { cwd: checkout.path, args: [] }, relevantPattern, signal)) : [];
}

/**
 * The arguments that make git keep the bytes of some commits' messages: git recodes them to one encoding. Where they have several, that
 * is UTF-8.
 */
export function encodingArgs(commits: readonly CommitObject[]): string[] {
  const encodings = new Set(commits.map((commit) => encodingOf(commit) ?? 'UTF-8'));
  const [only = 'UTF-8'] = encodings;
  return ['-c', `i18n.commitEncoding=${encodings.size === 1 ? only : 'UTF-8'}`];
}

const relevantPattern = `^${relevant}\\.`;

/** The settings of the main worktree, and whether others may have different ones. */
async function readCommon(
  workspace: Workspace,
  checkouts: readonly Checkout[],
  signal: AbortSignal | undefined,
): Promise<[Settings, boolean]> {
  const { commonDir } = workspace.repository;
  const pattern = `^(${relevant}\\.|includeif\\.|extensions\\.worktreeconfig$)`;
  const all = await read(workspace, { cwd: commonDir, args: [`--git-dir=${commonDir}`] }, pattern, signal);
  const has = (test: RegExp): boolean => all.some(([name]) => test.test(name));
  // `hasconfig:` conditions are the same in every worktree.
  if (has(/^includeif\.(?!hasconfig:)/)) return [all, true];
  if (!all.some(([name, value]) => name === 'extensions.worktreeconfig' && isOn(value))) return [all, false];
  const files = [commonDir, ...checkouts.map(({ gitDir }) => gitDir)].map((folder) => join(folder, 'config.worktree'));
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  return [all, found.some((each) => each !== undefined)];
}

async function read(
  { git }: Workspace,
  { cwd, args }: { readonly cwd: string; readonly args: readonly string[] },
  pattern: string,
  signal: AbortSignal | undefined,
): Promise<Settings> {
  const { stdout } = await git.run([...args, 'config', '-z', '--get-regexp', pattern], { cwd, signal });
  return fieldsOf(stdout).map((entry) => {
    const end = entry.indexOf('\n');
    // A name without a value is on.
    return end < 0 ? ([entry, 'true'] as const) : ([entry.slice(0, end), entry.slice(end + 1)] as const);
  });
}

async function settingsOf(
  { git }: Workspace,
  where: { readonly cwd: string; readonly args: readonly string[] },
  settings: Settings,
  overrides: readonly string[],
  signal: AbortSignal | undefined,
): Promise<CommitSettings> {
  const identity = await git.run([...where.args, 'var', 'GIT_COMMITTER_IDENT'], { cwd: where.cwd, signal });
  if (identity.exitCode !== 0) {
    throw new Problem('git-failed', restackMessages.noIdentity(), {
      next: restackMessages.setGitConfig(),
      items: identity.stderr.trim().split('\n'),
    });
  }
  // The last one holds.
  const last = new Map(settings);
  return {
    ...where,
    committer: identity.stdout.trim(),
    sign: isOn(last.get('commit.gpgsign') ?? ''),
    notes: last.has('notes.rewriteref') && !/^(false|no|off|0)$/i.test(last.get('notes.rewrite.rebase') ?? ''),
    overrides,
  };
}

/** Settings that we set for every rebase ourselves, and settings that only affect how differences are displayed. */
const notOverridden =
  /^(rebase|includeif|extensions)\.|^commit\.(cleanup|status|verbose|template)$|^diff\..*(external|textconv|command)$/;

function overridesOf(settings: Settings): string[] {
  return settings.filter(([name]) => !notOverridden.test(name)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function isOn(value: string): boolean {
  return /^(true|yes|on|[1-9]\d*)$/i.test(value);
}
