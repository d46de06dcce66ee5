import { rm } from '../base/heldFiles.ts';
import { claudeMessages } from '../messages/claude.ts';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { isWithin } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { Configuration } from '../repository/configuration.ts';
import type { Repository } from '../repository/identity.ts';
import { ensureIgnored } from '../repository/ignoreRules.ts';
import { findGitShell } from '../base/windowsShell.ts';
import { batchHookLauncher, hookLauncher } from '../repository/launcherFile.ts';
import { plainSlugOf } from '../repository/plainSlug.ts';
import { refuseLinksOut } from '../repository/places.ts';
import { agentDefinition, generatedBy, type AgentSubject, type HookLauncher } from './agentDefinition.ts';
import { agentNameOf, agentPrefix, readKnownWorktrees } from './knownWorktrees.ts';
import type { Message } from '../messages/message.ts';

/** Where agents are written; a workspace is one. */
export interface AgentContext {
  readonly environment: Environment;
  readonly git: Git;
  readonly repository: Repository;
  readonly configuration: Configuration;
}

/** The result of writing or repairing agents. */
export interface AgentsWritten {
  /** The absolute paths of the files that were not as they are now. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Sentences for the person: where an agent could not be put, and why. */
  readonly notes: readonly Message[];
}

/** What the hooks of an agent start: the launcher, which fails closed. */
function launcherOf({ environment, repository }: AgentContext): HookLauncher {
  const { mainRoot } = repository;
  const launcher = hookLauncher(mainRoot);
  if (environment.platform !== 'win32') return { launcher, throughBash: false };
  // Claude Code runs hooks in the Bash of Git for Windows, and in PowerShell where that is not.
  const hasBash = findGitShell(environment.variables) !== undefined;
  return { launcher, throughBash: true, batch: hasBash ? undefined : batchHookLauncher(mainRoot) };
}

/** The folder of a working tree that holds its agents. */
function agentsFolder(root: string): string {
  return join(root, '.claude', 'agents');
}

/** The file of a worktree's agent, in a working tree. */
export function agentFile(root: string, slug: string): string {
  return join(agentsFolder(root), `${agentNameOf(slug)}.md`);
}

/**
 * Writes or repairs the agent of a worktree: into the main root, and into the worktree itself where that has a folder of agents of
 * its own, because Claude Code reads only that one there. Of a bare repository it reads no folder but the worktree's.
 *
 * A file that is as it should be is left alone. Nothing is written that git would commit.
 *
 * @param options.isIgnored the caller has just made sure that git ignores the product's files in the main root.
 * @throws Problem `not-writable`; `not-ignored` when a rule of the user's takes the agent of the main root back in.
 */
export async function writeAgent(
  context: AgentContext,
  subject: AgentSubject,
  options: { readonly isIgnored?: boolean } = {},
): Promise<AgentsWritten> {
  const { environment, git, repository, configuration } = context;
  const text = agentDefinition(subject, launcherOf(context));
  const written: string[] = [];
  const notes: Message[] = [];
  const write = async (root: string, prepare: () => Promise<Message | string | undefined>): Promise<void> => {
    const file = agentFile(root, subject.slug);
    if ((await readTextIfThere(file)) === text) return;
    const why = await prepare();
    if (why !== undefined) {
      notes.push(claudeMessages.agentNotWritten({ file, why }));
      return;
    }
    await writeAtomically(file, text);
    written.push(file);
  };
  if (!repository.bare) {
    await write(repository.mainRoot, async () => {
      if (options.isIgnored) return undefined;
      await refuseLinksOut(git, repository, claudeMessages.noAgent({ name: subject.name }));
      await ensureIgnored(environment, git, repository, configuration);
      return undefined;
    });
  }
  if (repository.bare || (await hasOwnAgents(subject.path)))
    await write(subject.path, () => whyNotIn(context, subject));
  return { written, removed: [], notes };
}

/** Removes the agent of a worktree that is gone or about to go. A folder of that name is not ours and stays. */
export async function removeAgent(repository: Repository, slug: string): Promise<void> {
  const file = agentFile(repository.mainRoot, slug);
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isDirectory()) await rm(file, { force: true });
}

/**
 * Makes the generated agents match the worktrees: writes what is missing or has drifted, and removes those of worktrees that are no
 * more. One that the registry still names may only be out of sight, and keeps its agent. Files that were not generated are left alone,
 * whatever they are called.
 */
export async function repairAgents(context: AgentContext, subjects: readonly AgentSubject[]): Promise<AgentsWritten> {
  const results: AgentsWritten[] = [];
  for (const subject of subjects) {
    const there = await stat(subject.path).catch(() => undefined);
    if (there?.isDirectory()) results.push(await writeAgent(context, subject));
  }
  const orphans = await orphanedAgents(context.repository.mainRoot, subjects);
  const removed = orphans.map((name) => join(agentsFolder(context.repository.mainRoot), name));
  for (const file of removed) await rm(file, { force: true });
  return {
    written: results.flatMap(({ written }) => written),
    removed,
    notes: results.flatMap(({ notes }) => notes),
  };
}

/** The names of the files of generated agents whose worktrees are no more. A folder with such a name is somebody else's. */
export async function orphanedAgents(mainRoot: string, subjects: readonly AgentSubject[]): Promise<string[]> {
  const folder = agentsFolder(mainRoot);
  const wanted = wantedAgents(mainRoot, subjects);
  const orphans: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const { name } = entry;
    if (entry.isDirectory() || !name.startsWith(agentPrefix) || !name.endsWith('.md')) continue;
    // Some disks of macOS give names with their accents in another way than they were written.
    if (wanted.has(name) || wanted.has(name.normalize('NFC'))) continue;
    if ((await readTextIfThere(join(folder, name)))?.includes(generatedBy)) orphans.push(name);
  }
  return orphans;
}

/** The names of the files of all generated agents that are to stay: those of the worktrees, and of all that the registry names. */
function wantedAgents(mainRoot: string, subjects: readonly AgentSubject[]): Set<string> {
  const known = readKnownWorktrees(mainRoot);
  const listed = new Set(subjects.map(({ name }) => name));
  const unseen = typeof known === 'string' ? [] : known.filter(({ name }) => !listed.has(name));
  const slugs = [
    ...subjects.map(({ slug }) => slug),
    ...unseen.flatMap(({ name, path }) => [basename(path), plainSlugOf(name)]),
  ];
  return new Set(slugs.map((slug) => `${agentNameOf(slug)}.md`));
}

/** Even an empty folder hides the one of the main root. */
async function hasOwnAgents(worktree: string): Promise<boolean> {
  return (await stat(agentsFolder(worktree)).catch(() => undefined))?.isDirectory() ?? false;
}

/** Why the agent cannot go into the worktree; `undefined` when it can. Git ignores it afterwards. */
async function whyNotIn(context: AgentContext, { path, slug }: AgentSubject): Promise<Message | string | undefined> {
  const { environment, git, repository, configuration } = context;
  const folder = await realpath(agentsFolder(path)).catch(() => agentsFolder(path));
  const root = await realpath(path).catch(() => path);
  if (!isWithin(root, folder)) return claudeMessages.linkLeadsOutside({ folder });
  const tracked = await git.text(['ls-files', '-z', '--', agentFile(path, slug)], { cwd: path });
  if (tracked !== '') return claudeMessages.fileIsCommitted();
  try {
    // The rules that a team has committed may be missing on this branch; those of the user count in every worktree.
    await ensureIgnored(
      environment,
      git,
      { ...repository, mainRoot: path, bare: false },
      { ...configuration, ignore: 'exclude' },
    );
    return undefined;
  } catch (thrown) {
    if (Problem.is(thrown, 'not-ignored')) return thrown.items[0] ?? claudeMessages.gitWouldCommit();
    throw thrown;
  }
}
