import { join } from 'node:path';
import { Uri, l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { acceptSessionMerge } from '../sessionMerge/accept.ts';
import type { SessionMergeDocument } from '../sessionMerge/document.ts';
import { openAsText } from '../sessionMerge/openAsText.ts';
import { openWhereResolved } from '../sessionMerge/openWhereResolved.ts';
import { findSessionConflicts } from '../sessionMerge/sessionConflicts.ts';
import { sessionMergeTabs, sessionMergeUri } from '../sessionMerge/viewType.ts';
import type { Services } from '../services/services.ts';
import { isNode } from '../views/nodes.ts';
import { uriOf } from '../base/uris.ts';
import { readyModels } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/**
 * Opens the session merge editor for a file: the one that the command was chosen on, the one that is open, the only one that is in
 * conflict, or the one that the person picks. A file that is no session file opens in VS Code's own merge editor.
 */
export async function openSessionMergeCommand(services: Services, argument?: unknown): Promise<void> {
  const uri = uriFrom(argument) ?? (await pickConflict(services));
  if (uri) await openWhereResolved(services, uri);
}

/** Shows the file of a session merge editor as text. */
export async function openMergeAsText(services: Services, argument?: unknown): Promise<void> {
  await openAsText(services, requireDocument(services, argument).uri);
}

/** Writes and stages what a session merge editor shows. With `ask: false` also where entries are not reviewed. */
export async function acceptMerge(services: Services, argument?: unknown): Promise<void> {
  const asks = typeof argument !== 'object' || argument === null || (argument as { ask?: unknown }).ask !== false;
  await acceptSessionMerge(services, requireDocument(services, argument), asks);
}

/** Goes to the next entry to review in the session merge editor that has the focus. */
export async function nextToReview(services: Services): Promise<void> {
  await Promise.resolve();
  requireDocument(services, undefined).go('next');
}

/** Goes to the one before. */
export async function previousToReview(services: Services): Promise<void> {
  await Promise.resolve();
  requireDocument(services, undefined).go('previous');
}

/** A Uri, a row of the tree, or what VS Code's source control view hands over. */
function uriFrom(argument: unknown): Uri | undefined {
  if (argument instanceof Uri) return argument;
  if (isNode(argument, 'change')) return uriOf(join(argument.parent.worktree.path, argument.change.path));
  if (isNode(argument, 'conflict')) return uriOf(join(argument.parent.worktree.path, argument.file.path));
  if (typeof argument !== 'object' || argument === null || !('resourceUri' in argument)) return undefined;
  return argument.resourceUri instanceof Uri ? argument.resourceUri : undefined;
}

async function pickConflict(services: Services): Promise<Uri | undefined> {
  await Promise.all((await readyModels(services)).map((model) => model.refresh()));
  const conflicts = await findSessionConflicts(services.repositories);
  const active = window.activeTextEditor?.document.uri.toString();
  const open = conflicts.find(({ uri }) => uri.toString() === active);
  if (open ?? conflicts.length === 1) return (open ?? conflicts[0])?.uri;
  if (conflicts.length === 0) throw new Problem('not-found', verbatim(l10n.t('No session file is in conflict.')));
  const items = conflicts.map(({ path, worktree, uri }) => ({ label: path, description: worktree.name, uri }));
  const title = l10n.t('Open Session Merge Editor');
  return (await window.showQuickPick(items, { title, placeHolder: l10n.t('Select a file') }))?.uri;
}

function requireDocument({ sessionMerge }: Services, argument: unknown): SessionMergeDocument {
  const { activeTab } = window.tabGroups.activeTabGroup;
  const uri = uriFrom(argument) ?? (activeTab && sessionMergeUri(activeTab)) ?? onlyOne();
  const document = uri && sessionMerge.find(uri);
  if (document) return document;
  throw new Problem('usage', verbatim(l10n.t('This is done in the session merge editor.')), {
    next: verbatim(l10n.t('open it for a session file that is in conflict')),
  });
}

function onlyOne(): Uri | undefined {
  const tabs = sessionMergeTabs();
  return tabs.length === 1 && tabs[0] ? sessionMergeUri(tabs[0]) : undefined;
}
