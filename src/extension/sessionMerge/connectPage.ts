import { env, l10n, window, type WebviewPanel } from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { FromPage, ToPage } from '../../webview/protocol.ts';
import { showFailure } from '../base/messages.ts';
import type { SessionMergeHost } from './host.ts';
import { acceptSessionMerge } from './accept.ts';
import type { SessionMergeDocument } from './document.ts';
import { fromPage } from './fromPage.ts';
import { openAsText } from './openAsText.ts';
import { openFileInMergeEditor } from './openMergeEditor.ts';
import { pageFolder, pageHtml } from './page.ts';
import { entriesOf, frameOf, namesOf } from './pageState.ts';
import { sessionMergeTabs } from './viewType.ts';
import { pageText } from './pageLabels.ts';

/** What a page shows: which entries, and how each of them looks. */
interface Shown {
  readonly shape: string;
  readonly looks: ReadonlyMap<string, string>;
}

/** Fills a page with a document, keeps it up to date, and does what the person asks for there. */
export function connectPage(host: SessionMergeHost, document: SessionMergeDocument, panel: WebviewPanel): void {
  const { webview } = panel;
  const { extensionUri } = host.context;
  const store = new DisposableStore();
  let shown: Shown | undefined;
  const send = (message: ToPage): void => void webview.postMessage(message);

  const draw = (whole: boolean): void => {
    const entries = entriesOf(document);
    const frame = frameOf(document);
    const names = namesOf(document.conflict);
    const before = shown;
    shown = {
      shape: JSON.stringify([frame.key, names, entries.map(({ id, section }) => [id, section])]),
      looks: new Map(entries.map((entry) => [entry.id, JSON.stringify(entry)])),
    };
    if (whole || before?.shape !== shown.shape) return send({ type: 'show', words: pageText(names), frame, entries });
    const { looks } = shown;
    send({ type: 'change', frame, entries: entries.filter(({ id }) => before.looks.get(id) !== looks.get(id)) });
  };

  store.add(document.onDidChange(() => shown && draw(false)));
  store.add(document.onDidAskToGo((to) => panel.active && send({ type: 'go', to })));
  store.add(
    webview.onDidReceiveMessage((received: unknown) => {
      const message = fromPage(received);
      if (message?.type === 'ready') draw(true);
      else if (message) void answer(host, document, message);
    }),
  );
  panel.onDidDispose(() => store.dispose());
  webview.options = { enableScripts: true, localResourceRoots: [pageFolder(extensionUri)] };
  webview.html = pageHtml(webview, extensionUri, env.language);
}

async function answer(
  host: SessionMergeHost,
  document: SessionMergeDocument,
  message: Exclude<FromPage, { type: 'ready' }>,
): Promise<void> {
  try {
    if (message.type === 'act') await actions[message.action](host, document);
    else change(document, message);
  } catch (thrown) {
    showFailure(host.channel, l10n.t('Session Merge'), thrown);
  }
}

/** Changes what becomes of an entry, as a step that can be undone. */
function change(document: SessionMergeDocument, message: Exclude<FromPage, { type: 'ready' | 'act' }>): void {
  const entry = document.outcome?.entries.find(({ id }) => id === message.id);
  if (!entry || document.mode !== 'rules') return;
  const { choices, chosen } = pageText(namesOf(document.conflict));
  const label = (what: string): string => chosen.replace('{0}', entry.name).replace('{1}', what);
  switch (message.type) {
    case 'choose':
      return document.choose(entry, message.choice, label(choices[message.choice]));
    case 'edit':
      return document.edit(entry, message.text, label(l10n.t('edited')));
    case 'review':
      return document.review(entry, message.reviewed, label(l10n.t('reviewed')));
  }
}

const actions: Readonly<
  Record<
    Extract<FromPage, { type: 'act' }>['action'],
    (host: SessionMergeHost, document: SessionMergeDocument) => Promise<unknown> | void
  >
> = {
  accept: acceptSessionMerge,
  openAsText: (host, { uri }) => openAsText(host, uri),
  useFile: (_host, document) => document.decide('file'),
  useRules: (_host, document) => document.decide('rules'),
  openMergeEditor: (host, { uri }) => openFileInMergeEditor(host, uri),
  close: (_host, { uri }) => Promise.resolve(window.tabGroups.close(sessionMergeTabs(uri))),
};
