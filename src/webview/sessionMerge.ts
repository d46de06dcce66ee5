import '@vscode-elements/elements/dist/vscode-button/index.js';
import { byId, element, icon } from './elements.ts';
import { EntryList, type ListState } from './entryList.ts';
import { Head } from './head.ts';
import type { Frame, FromPage, PageNotice, ToPage, PageLabels } from './protocol.ts';
import { ResultPane } from './resultPane.ts';

/** What VS Code gives every page of a web view. */
interface VsCodeApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: Remembered): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** What the page remembers of itself while it is hidden, and over a reload of the window. */
interface Remembered extends ListState {
  readonly key: string;
  readonly current: string | undefined;
  readonly scroll: number;
  readonly resultOpen: boolean;
}

const vscode = acquireVsCodeApi();
const send = (message: FromPage): void => vscode.postMessage(message);
const scroller = byId('scroller');
const accept = byId('accept');
let frame: Frame | undefined;

const result = new ResultPane(remember);
const list = new EntryList({
  choose: (id, choice) => send({ type: 'choose', id, choice }),
  edit: (id, text) => send({ type: 'edit', id, text }),
  review: (id, reviewed) => send({ type: 'review', id, reviewed }),
  focused: (id) => {
    result.reveal(id);
    head.drawPosition();
    remember();
  },
  changed: remember,
});

const head = new Head(list);

accept.addEventListener('click', () => send({ type: 'act', action: 'accept' }));
// It is a key binding of the workbench, which hears of it too; a browser has a use of its own for the key.
window.addEventListener('keydown', (event) => {
  if (event.key === 'F7') event.preventDefault();
});
scroller.addEventListener('scrollend', remember);
// A window that comes back puts the focus on the page as a whole; the keys are for the list.
window.addEventListener('focus', () => {
  if (document.activeElement === document.body) list.focus();
});
window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.type === 'show') show(data);
  else if (data.type === 'go') list.goToReview(data.to);
  else {
    const spoken = list.update(data.entries);
    draw(data.frame);
    if (spoken !== '') byId('spoken').textContent = spoken;
  }
});
send({ type: 'ready' });

function show({ words, frame: next, entries }: Extract<ToPage, { type: 'show' }>): void {
  const state = remembered();
  const known = state?.key === next.key ? state : undefined;
  frame = undefined;
  writeLabel(words);
  result.open = known?.resultOpen ?? true;
  list.show(entries, next.groups, words, known);
  draw(next);
  if (known) scroller.scrollTop = known.scroll;
  if (document.hasFocus()) list.focus(known?.current);
  document.body.dataset['shown'] = next.key;
}

function draw(next: Frame): void {
  frame = next;
  byId('title').textContent = next.title;
  byId('subtitle').textContent = next.subtitle;
  head.show(next);
  accept.toggleAttribute('disabled', !next.canAccept);
  list.canChoose = next.canChoose;
  drawNotice(next.notice);
  result.show(next, list.entries);
}

function writeLabel(words: PageLabels): void {
  accept.textContent = words.accept;
  accept.setAttribute('title', words.acceptHint);
  byId('keys').textContent = words.keys;
  result.setLabel(words);
  head.setLabel(words);
}

/** Drawn anew only if it is another one: a screen reader reads it then. */
let shownNotice = '';
function drawNotice(notice: PageNotice | null): void {
  const now = JSON.stringify(notice);
  if (now === shownNotice) return;
  shownNotice = now;
  const box = byId('notice');
  box.hidden = notice === null;
  box.classList.toggle('warning', notice?.warning ?? false);
  if (!notice) return box.replaceChildren();
  const buttons = notice.actions.map(({ action, label }, index) => {
    const button = document.createElement('vscode-button');
    button.textContent = label;
    if (index > 0) button.setAttribute('secondary', '');
    button.addEventListener('click', () => send({ type: 'act', action }));
    return button;
  });
  box.replaceChildren(
    icon(notice.warning ? 'look' : 'check'),
    element('p', {}, notice.text),
    element('div', { class: 'actions' }, ...buttons),
  );
}

function remember(): void {
  if (!frame) return;
  vscode.setState({
    key: frame.key,
    ...list.state,
    current: list.current,
    scroll: scroller.scrollTop,
    resultOpen: result.open,
  });
}

function remembered(): Remembered | undefined {
  return (vscode.getState() ?? undefined) as Remembered | undefined;
}
