import { l10n } from 'vscode';
import type { Git } from '../../core/git/git.ts';
import type { Sides } from '../../core/merge/conflictSides.ts';
import type { Worktree } from '../../core/worktree/model.ts';

/** What VS Code's merge editor says of one side: the commit, and behind it the branch. */
export interface SideLabel {
  readonly title: string;
  readonly description?: string;
  readonly detail?: string;
}

/** The two sides of a conflict as git has them: what is checked out, and what comes in. */
export interface SideLabels {
  readonly current: SideLabel;
  readonly incoming: SideLabel;
}

/** Where git keeps the commit that comes in. */
const heads: Readonly<Partial<Record<NonNullable<Worktree['operation']>, string>>> = {
  merge: 'MERGE_HEAD',
  rebase: 'REBASE_HEAD',
  'cherry-pick': 'CHERRY_PICK_HEAD',
  revert: 'REVERT_HEAD',
};

/** Reads which commits a conflict is between, and names them like VS Code's own git does. */
export async function sideLabels(git: Git, worktree: Worktree, { ours, theirs, swapped }: Sides): Promise<SideLabels> {
  const { operation, path } = worktree;
  const head = operation && heads[operation];
  const [here, there] = await Promise.all([
    commitAt(git, path, 'HEAD'),
    head === undefined ? undefined : commitAt(git, path, head),
  ]);
  // In a rebase git checks out what the branch is put onto, and its own commits come in.
  const [current, incoming] = swapped ? [theirs, ours] : [ours, theirs];
  const named = operation === 'merge' || swapped ? incoming : undefined;
  return {
    current: label(l10n.t('Current'), here, current),
    incoming:
      operation === undefined
        ? label(l10n.t('Incoming'), undefined, undefined)
        : operation === 'revert'
          ? label(l10n.t('Incoming'), there, there && l10n.t('without “{0}”', there.subject))
          : label(l10n.t('Incoming'), there, [named, there?.subject].filter((each) => each !== undefined).join(': ')),
  };
}

interface Commit {
  readonly id: string;
  readonly subject: string;
}

async function commitAt(git: Git, cwd: string, name: string): Promise<Commit | undefined> {
  const line = await git.line(['log', '-1', '--no-show-signature', '--format=%h %s', name, '--'], { cwd });
  const [, id, subject] = /^(\S+) (.*)$/.exec(line ?? '') ?? [];
  return id === undefined || subject === undefined ? undefined : { id, subject };
}

function label(title: string, commit: Commit | undefined, name: string | undefined): SideLabel {
  return {
    title,
    ...(commit ? { description: `$(git-commit) ${commit.id}` } : {}),
    ...(name ? { detail: name } : {}),
  };
}
