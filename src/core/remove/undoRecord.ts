import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { relativeTo, samePlace } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { agentFile } from '../claude/agentFiles.ts';
import { readActive, type ActiveWorktree } from '../repository/stateFile.ts';
import { readTracking } from '../repository/trackingFile.ts';
import { recordOf } from '../repository/trackingRecords.ts';
import { readTaskFile, textHash } from '../tasks/taskFile.ts';
import { withoutTasksOf } from '../tasks/unassign.ts';
import { sparsePatterns } from '../worktree/adminDir.ts';
import { newOperationId, type RemoveOperation, type RemovedWorktree } from '../operations/operation.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { StagedRemoval } from './stageDeletion.ts';
import type { RemoveData } from './removeData.ts';
import type { Removal, Inspected } from './inspect.ts';
import { sizeLabel } from '../trash/treeSize.ts';
import { fieldsOf } from '../git/repositoryGit.ts';

/** So many ignored files are named. */
const namedIgnored = 10;

/** The id under which a removal that begins will be remembered. */
export const newRemovalId = (workspace: Workspace): string => newOperationId(workspace, 'cleanup');

/** What removals that are to be undone together share. */
export const newRemovalGroup = (workspace: Workspace): string => newOperationId(workspace, 'cleanups');

/**
 * The operation that remembers a removal, so that it can be undone.
 *
 * @param id as {@link newRemovalId} gave it.
 * @param was what it was like, and what of it was kept.
 * @returns `undefined` for a worktree that never had a commit: there is nothing to restore.
 */
export async function removalOperation(
  workspace: Workspace,
  id: string,
  removal: Removal,
  was: {
    readonly inspected: Inspected;
    readonly staged: StagedRemoval;
    readonly prefix: string;
    readonly group: string | undefined;
  },
): Promise<RemoveOperation | undefined> {
  const removed = await describe(workspace, removal, was);
  return (
    removed && {
      version: 1,
      id,
      kind: 'cleanup',
      title: `remove ${removal.worktree.name}`,
      started: workspace.environment.now().toISOString(),
      state: 'done',
      ...{ moves: [], entries: [], remaining: [] },
      group: was.group,
      removal: removed,
    }
  );
}

async function describe(
  workspace: Workspace,
  removal: Removal,
  { inspected, staged, prefix }: Parameters<typeof removalOperation>[3],
): Promise<RemovedWorktree | undefined> {
  const { repository } = workspace;
  const { worktree, branch } = removal;
  const { name, slug, path, entry, ports } = worktree;
  const on = /^ref: refs\/heads\/(.+)$/.exec(inspected.adminDir.head)?.[1] ?? headInReftable(removal, inspected);
  const head = inspected.state?.head ?? (on === undefined ? inspected.adminDir.head : branch?.oid);
  const { decided, backups: kept, logged, ignored, folder } = staged;
  const isCommit = head !== undefined && /^[0-9a-f]{40,64}$/.test(head);
  // Git's admin directory of a worktree is brought back also when it never had a commit.
  if (!isCommit && decided.keep === undefined) return undefined;
  const { index, bytes } = kept;
  const changes = kept.files === undefined ? undefined : `${prefix}/changes`;
  const from = worktree.branch;
  return {
    ...{ name, slug, path, entry, ports, changes, index, bytes },
    head: isCommit ? head : '',
    branch: on,
    branchSettings: branch?.decision === 'delete' ? await settingsOf(workspace, branch.name) : [],
    others: kept.backups.filter(({ ref }) => ref !== changes && ref !== index),
    repointed:
      removal.newBase === undefined || from === undefined
        ? []
        : removal.dependents.map((each) => ({ name: each, from, to: removal.newBase ?? from })),
    active: await activeAt(workspace, path),
    hadAgent: await isThere(agentFile(repository.mainRoot, slug)),
    hadSubmodules: inspected.adminDir.modules,
    operation: inspected.adminDir.operation,
    settings: await ownSettings(inspected.gitDir),
    ignored: {
      some: ignored.gone.slice(0, namedIgnored).map(({ path: gone, size }) => `${gone} (${sizeLabel(size)})`),
      count: ignored.gone.length,
    },
    kept: folder && decided.kept,
    logged: logged?.ref,
    tasks: await tasksOf(workspace, decided),
    tracked: await trackedAt(workspace, path),
    bin: decided.bin,
    admin:
      decided.keep === undefined
        ? undefined
        : { folder: decided.keep, gitDir: decided.gitDir, branch: branchOf(decided) },
  };
}

function branchOf({ branch }: RemoveData): { name: string; oid: string } | undefined {
  return branch && { name: branch.name, oid: branch.oid };
}

/** What the admin directory of a worktree says of how git works in it: its own configuration, and which files are to be there. */
async function ownSettings(gitDir: string): Promise<RemovedWorktree['settings']> {
  const files = ['config.worktree', sparsePatterns];
  const texts = await Promise.all(files.map((file) => readFile(join(gitDir, file), 'utf8').catch(() => undefined)));
  return files.flatMap((file, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ file, text }];
  });
}

/** A session file that cannot be read is not changed by the removal either. */
async function tasksOf(
  workspace: Workspace,
  { slug, tasks = { merged: false, open: [] } }: RemoveData,
): Promise<RemovedWorktree['tasks']> {
  try {
    const file = await readTaskFile(workspace);
    const after = file && withoutTasksOf(file.document, slug, tasks);
    return after && { before: file.text, after: textHash(after.text) };
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return undefined;
  }
}

/** With the reftable format the file `HEAD` says nothing. */
function headInReftable({ worktree }: Removal, { adminDir }: Inspected): string | undefined {
  return adminDir.head.startsWith('ref: ') && adminDir.operation === undefined ? worktree.branch : undefined;
}

async function settingsOf({ git, repository }: Workspace, branch: string): Promise<[string, string][]> {
  const text = await readFile(join(repository.commonDir, 'config'), 'utf8').catch(() => '');
  if (!text.includes('[branch "')) return [];
  const start = `branch.${branch}.`;
  const args = ['config', '--local', '-z', '--get-regexp', '^branch\\.'];
  const { stdout } = await git.in(repository.commonDir).run(args);
  return fieldsOf(stdout).flatMap((entry): [string, string][] => {
    const [key = '', ...value] = entry.split('\n');
    return key.startsWith(start) ? [[key, value.join('\n')]] : [];
  });
}

async function activeAt({ repository }: Workspace, path: string): Promise<ActiveWorktree | undefined> {
  try {
    const active = await readActive(repository);
    return active && (await samePlace(active.path, path)) ? active : undefined;
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    return undefined;
  }
}

/** A tracking file that cannot be read is not changed by the removal either. */
async function trackedAt({ repository, configuration }: Workspace, path: string): Promise<RemovedWorktree['tracked']> {
  try {
    const records = await readTracking(repository, configuration);
    return recordOf(records, relativeTo(repository.mainRoot, path), repository.mainRoot);
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return undefined;
  }
}
