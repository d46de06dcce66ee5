import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { samePath } from '../base/paths.ts';
import { readTextIfThere } from '../base/atomicFile.ts';
import { hasDrifted } from '../claude/agentDrift.ts';
import { orphanedAgents, repairAgents } from '../claude/agentFiles.ts';
import { pollStateOf } from '../claude/pollMarker.ts';
import { ensureIgnored, findNotIgnored, rulesFor } from '../repository/ignoreRules.ts';
import { launchersFor, writeLaunchers, type Programs } from '../repository/launchers.ts';
import { registryFile } from '../repository/registry.ts';
import { predictIndex } from '../restack/predictLines.ts';
import { tempWorktrees } from '../restack/rebaseInTempWorktree.ts';
import { agentSubjects } from '../relocation/followMoves.ts';
import { rebuildPrefix } from '../relocation/rebuildAdminDir.ts';
import { findOrphanedState, removeOrphanedState } from '../remove/orphanedState.ts';
import { lostTrash, stuckTrash } from '../trash/stuckTrash.ts';
import type { Examination, Finding } from './finding.ts';
import { doctorMessages } from '../messages/doctor.ts';

/** What is made for one operation and is older than this, in milliseconds, has been forgotten. */
const oldLeftover = 60 * 60 * 1000;

/** Markers of polls that have died. */
export async function checkMarkers({ workspace, snapshot }: Examination): Promise<Finding[]> {
  const { environment } = workspace;
  const found: Finding[] = [];
  for (const { name, path, condition } of snapshot.worktrees) {
    if (condition !== 'fine') continue;
    if ((await pollStateOf(environment, path)) === 'dead') {
      const message = doctorMessages.pollDied({ name });
      const repair = (): Promise<void> => rm(join(path, '.poll-active'), { force: true });
      found.push({ kind: 'poll', subject: name, message, repair });
    }
  }
  return found;
}

/** Agents that do not match the worktrees, and launchers that cannot start the hooks. */
export async function checkClaude(
  { workspace, snapshot, state }: Examination,
  programs: Programs | undefined,
): Promise<Finding[]> {
  const { environment, repository } = workspace;
  // A repository in which nothing was made yet has neither, and without a registry that can be read nobody knows which there should be.
  if (!state || (await ageOf(registryFile(repository), environment.now())) === undefined) return [];
  const found: Finding[] = [];
  const subjects = agentSubjects(snapshot);
  const repair = async (): Promise<void> => void (await repairAgents(workspace, subjects));
  if (!repository.bare && (await hasDrifted(repository.mainRoot, subjects))) {
    found.push({
      kind: 'agents',
      subject: '.claude/agents',
      message: doctorMessages.generatedAgentMissing(),
      repair,
    });
  }
  const orphans = await orphanedAgents(repository.mainRoot, subjects);
  if (orphans.length > 0) {
    const message = doctorMessages.generatedAgentsLeft({ orphans: orphans.join(', ') });
    found.push({ kind: 'agents', subject: '.claude/agents', message, repair });
  }
  if (!programs) return found;
  for (const { file, text } of launchersFor(environment, repository, programs)) {
    if ((await readTextIfThere(file)) === text) continue;
    const message = doctorMessages.missingStartsAnother({ file });
    found.push({
      kind: 'launchers',
      subject: file,
      message,
      repair: async () => void (await writeLaunchers(environment, repository, programs)),
    });
    break;
  }
  return found;
}

/** Folders of removed worktrees that could not be deleted, where what helps is not ours to do, and those that nothing is known of any more. */
export async function checkTrash({ workspace }: Examination): Promise<Finding[]> {
  const stuck = await stuckTrash(workspace.repository);
  const lost = await lostTrash(workspace.repository);
  return [
    ...stuck.map(({ what, nextStep, file = '' }): Finding => ({
      kind: 'trash',
      subject: file,
      message: what,
      next: nextStep,
    })),
    ...lost.map((path): Finding => ({
      kind: 'trash',
      subject: path,
      message: doctorMessages.putAsideRemoval({ path }),
      next: doctorMessages.lookWhetherAnything(),
    })),
  ];
}

/** Files that git does not ignore, state whose worktree is gone, and what killed operations have left. */
export async function checkLeftovers({ workspace, snapshot, signal }: Examination): Promise<Finding[]> {
  const { environment, git, repository, configuration } = workspace;
  const found: Finding[] = [];
  // Where nothing of ours was written yet, there is nothing to ignore: the first that is written makes the rules.
  const isUsed = (await ageOf(registryFile(repository), environment.now())) !== undefined;
  const rules = repository.bare || !isUsed ? [] : rulesFor(configuration);
  const missing = rules.length === 0 ? [] : await findNotIgnored(git, repository, rules, signal);
  if (missing.length > 0) {
    const message = doctorMessages.notIgnored({ missing: missing.map(({ rule }) => rule.pattern).join(', ') });
    const undoneAlready = missing.find(({ takenBackBy }) => takenBackBy !== undefined)?.takenBackBy;
    found.push({
      kind: 'ignore',
      subject: repository.mainRoot,
      message,
      ...(undoneAlready === undefined
        ? { repair: async () => void (await ensureIgnored(environment, git, repository, configuration, signal)) }
        : { next: doctorMessages.removeRuleTakes({ undoneAlready }) }),
    });
  }
  for (const orphan of await findOrphanedState(workspace, snapshot).catch(() => [])) {
    if (orphan.kept !== undefined) continue;
    const message = doctorMessages.leftBehindWorktree({ state: orphan.state });
    found.push({ kind: 'state', subject: orphan.state, message, repair: () => removeOrphanedState(orphan) });
  }
  for (const path of await leftovers(repository.commonDir, environment.now())) {
    const repair = async (): Promise<void> => {
      if (samePath(dirname(path), tempWorktrees(repository.commonDir))) {
        const args = ['worktree', 'remove', '--force', '--force', path];
        await git.in(repository.commonDir).run(args, { writes: true });
      }
      await rm(path, { recursive: true, force: true });
    };
    found.push({
      kind: 'leftover',
      subject: path,
      message: doctorMessages.leftOperationKilled({ path }),
      repair,
    });
  }
  return found;
}

async function leftovers(commonDir: string, now: Date): Promise<string[]> {
  const own = join(commonDir, 'worktree-stacks');
  const aside = tempWorktrees(commonDir);
  const all = [
    ...(await readdir(aside).catch(() => [])).map((name) => join(aside, name)),
    ...(await readdir(own).catch(() => []))
      .filter((name) => /^(commits|follow)-/.test(name) || name.startsWith(rebuildPrefix))
      .map((name) => join(own, name)),
    ...(await Promise.all((await gitDirs(commonDir)).map(predictIndexes))).flat(),
  ];
  const old = await Promise.all(all.map(async (path) => ((await ageOf(path, now)) ?? 0) > oldLeftover));
  return all.filter((_, index) => old[index]);
}

/** The git directories of all working trees. */
async function gitDirs(commonDir: string): Promise<string[]> {
  const linked = join(commonDir, 'worktrees');
  return [commonDir, ...(await readdir(linked).catch(() => [])).map((name) => join(linked, name))];
}

/** Copies of the index that predictions were made with, and their locks. */
async function predictIndexes(gitDir: string): Promise<string[]> {
  const names = await readdir(gitDir).catch(() => []);
  return names.filter((name) => name.startsWith(`${predictIndex}-`)).map((name) => join(gitDir, name));
}

/** In milliseconds; `undefined` when it is not there. */
async function ageOf(path: string, now: Date): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && now.getTime() - found.mtimeMs;
}
