import { basename, dirname, join } from 'node:path';
import { l10n, type Uri } from 'vscode';
import { realPathOf, relativeTo } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { readWorkingText, type ConflictedFile } from '../../core/merge/conflictedFile.ts';
import { readSides, type Sides } from '../../core/merge/conflictSides.ts';
import { readStages, readVersions, type ConflictStages, type Versions } from '../../core/merge/conflictStages.ts';
import type { Configuration } from '../../core/repository/configuration.ts';
import type { SessionKind } from '../../core/session/model.ts';
import { holderOf } from '../../core/worktree/find.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { verbatim } from '../../core/messages/message.ts';

/** A file of a working tree of this window's repositories. */
export interface Located {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
  /** From the worktree's root, with forward slashes. */
  readonly path: string;
}

/** A session file in conflict, with all that is known of it. */
export interface Conflict extends Located {
  readonly kind: SessionKind;
  readonly looked: ConflictedFile;
  readonly versions: Versions;
  readonly sides: Sides;
  /** Names this conflict: the same file with the same versions. */
  readonly key: string;
}

/** Which of the session files a path is, by the team's configuration. */
export function kindOf({ session }: Configuration, path: string): SessionKind | undefined {
  return (['session', 'learnings', 'jobs'] as const).find((kind) => normal(session[kind]) === path);
}

/** The configured paths of the session files, as git writes paths. */
export function sessionPaths({ session }: Configuration): string[] {
  return [session.session, session.learnings, session.jobs].map(normal);
}

function normal(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
}

/** Names a conflict by its versions. */
export function keyOf({ base, ours, theirs }: ConflictStages): string {
  return [base, ours, theirs].map((each) => each ?? '-').join(' ');
}

/**
 * The worktree that a file belongs to.
 *
 * @throws Problem `no-repository` when it is in none of this window's repositories.
 */
export async function locateFile(repositories: Repositories, file: string): Promise<Located> {
  await repositories.start();
  let best: { located: Located; length: number } | undefined;
  const real = join(await realPathOf(dirname(file)), basename(file));
  for (const model of repositories.models) {
    const snapshot = model.state?.snapshot;
    const worktree = snapshot && (await holderOf(snapshot, dirname(file)));
    if (!worktree) continue;
    const root = await realPathOf(worktree.path);
    const path = relativeTo(root, real);
    if (!best || root.length > best.length) best = { located: { model, worktree, path }, length: root.length };
  }
  if (best) return best.located;
  throw new Problem('no-repository', verbatim(l10n.t('{0} is not in a repository of this window.', file)), {
    file,
    next: verbatim(l10n.t('open the folder of its worktree')),
  });
}

/**
 * Reads the conflict of a session file; `undefined` when it is in none.
 *
 * @throws Problem `unsupported` when it is no session file, `unreadable-file` when a version is no text.
 */
export async function readConflict(repositories: Repositories, uri: Uri): Promise<Conflict | undefined> {
  const located = await locateFile(repositories, uri.fsPath);
  const { model, worktree, path } = located;
  const { git, configuration } = await model.workspace();
  const kind = kindOf(configuration, path);
  if (kind === undefined) {
    throw new Problem('unsupported', verbatim(l10n.t('{0} is not a session file.', path)), {
      next: verbatim(l10n.t('name it in .worktrees.yml under "session", or resolve it as text')),
    });
  }
  const root = worktree.path;
  const [stages, text] = await Promise.all([
    readStages(git, root, [path]).then((found) => found.get(path)),
    readWorkingText(join(root, path)),
  ]);
  if (!stages) return undefined;
  const [read, sides] = await Promise.all([readVersions(git, root, path, stages), sidesOf(located)]);
  const versions = sides.swapped ? { base: read.base, ours: read.theirs, theirs: read.ours } : read;
  return {
    ...located,
    kind,
    looked: { root, path, stages, text },
    versions,
    sides,
    key: keyOf(stages),
  };
}

/** Between whom a worktree's conflicts are, as far as the latest snapshot knows. */
export async function sidesOf({ model, worktree }: Located): Promise<Sides> {
  const snapshot = model.state?.snapshot;
  const now = snapshot?.worktrees.find(({ path }) => path === worktree.path) ?? worktree;
  const { git, repository } = await model.workspace();
  return readSides(
    git,
    snapshot ?? { repository, trunk: undefined, worktrees: [now], active: undefined, problems: [] },
    now,
  );
}
