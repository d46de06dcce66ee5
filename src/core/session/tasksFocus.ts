import { nameKey } from './lines.ts';
import { isIndented, isListItem } from './markdownLines.ts';
import { groupBy } from './pairing.ts';
import type { Section } from './sections.ts';
import type { SessionDocument, Task } from './sessionDocument.ts';
import { withMarkAndMarker } from './taskLine.ts';

/** The sections that tell about tasks without being tasks. */
const aboutTasks = /^(?:blockers|gotchas|reference)\b/;

/**
 * The session file of a worktree that is made for one task: the task, and of the blockers and reference files those that belong to
 * it. An item belongs to a task when it names it, its plan, or a path or command of it; an item that names no task and no plan at all
 * belongs to every task.
 *
 * @param task one of the document's own.
 */
export function focusedSession(document: SessionDocument, task: Task): string {
  const eol = document.source.eol ?? '\n';
  const belongs = belongingTo(
    [task],
    document.tasks.filter((each) => each !== task),
  );
  const lines = [
    `# Session: Worktree — ${task.first.name}`,
    '',
    '## Pending Tasks',
    '',
    withMarkAndMarker(task.first, task.first.mark, undefined),
    ...task.rest,
  ];
  for (const section of document.sections) {
    if (section.role !== 'text' || !aboutTasks.test(nameKey(section.title))) continue;
    const items = itemsOf(document, section).filter(belongs);
    if (items.length > 0) lines.push('', `## ${section.title}`, '', ...items.flat());
  }
  return lines.map((line) => line + eol).join('');
}

/** Tells which items belong to some tasks and not to others alone. */
function belongingTo(own: readonly Task[], others: readonly Task[]): (item: readonly string[]) => boolean {
  const wordsOfOwn = own.map(wordsOf);
  const namesOfOthers = groupBy(
    others.flatMap((task) => wordsOf(task).names),
    firstWord,
  );
  return (item) => {
    const text = nameKey(item.join(' '));
    const isNear = ({ names, paths }: TaskWords): boolean => [...names, ...paths].some((word) => holds(text, word));
    if (wordsOfOwn.some(isNear)) return true;
    const starts = new Set(['', ...(text.match(words) ?? [])]);
    return ![...starts].some((start) => namesOfOthers.get(start)?.some((name) => holds(text, name)));
  };
}

const words = /[\p{L}\p{N}_]+/gu;

/** The word that a text has to have to hold a name; empty where the name has none. */
const firstWord = (name: string): string => name.match(words)?.[0] ?? '';

/**
 * Tells which items of a session file a focused one has left out because they are about other tasks. What it has not left out for that
 * reason and does not have any more was changed or deleted in it.
 */
export function leftOutBy(focused: SessionDocument, document: SessionDocument): (item: readonly string[]) => boolean {
  if (!isFocused(focused)) return () => false;
  let belongs: ((item: readonly string[]) => boolean) | undefined;
  return (item) => {
    const names = new Set(belongs ? [] : focused.tasks.map((task) => task.nameKey));
    belongs ??= belongingTo(
      focused.tasks,
      document.tasks.filter((task) => !names.has(task.nameKey)),
    );
    return !belongs(item);
  };
}

/** Whether a session file is that of a worktree made for one task, as its title says. */
export function isFocused({ marked }: SessionDocument): boolean {
  const title = marked.find((line) => line.role === 'heading' && line.level === 1);
  return title?.role === 'heading' && /^session: worktree\b/i.test(nameKey(title.title));
}

/** What a text has to hold to be about a task. */
interface TaskWords {
  /** The task's name and its plan's. */
  readonly names: readonly string[];
  readonly paths: readonly string[];
}

function wordsOf({ first, texts }: Task): TaskWords {
  const text = texts.join('\n');
  const plans = [...text.matchAll(/\bPlan:\s*`?([^\s|`]+)/gi)].map((match) => match[1] ?? '');
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const paths = [...text.matchAll(/[\w.-]+(?:\/[\w.-]+)+/g)].map((match) => match[0]);
  const longEnough = (word: string): boolean => word.length > 3;
  return {
    names: [first.name, ...plans.filter((plan) => plan !== '-' && plan !== '—')].map(nameKey).filter(longEnough),
    paths: [...code, ...paths].map(nameKey).filter(longEnough),
  };
}

/** Whether a text holds a word, not as a part of a longer one. */
function holds(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const isApart = (letter: string | undefined): boolean => letter === undefined || !/[\p{L}\p{N}_]/u.test(letter);
    if (isApart(text[at - 1]) && isApart(text[at + word.length])) return true;
  }
  return false;
}

/** The items of a section, each with the lines below it; paragraphs are items too. Headings and placeholders are none. */
function itemsOf({ blocks }: SessionDocument, section: Section): string[][] {
  const items: string[][] = [];
  let current: string[] | undefined;
  let joined = false;
  for (const { kind, lines, blanks, section: holder, isPlaceholder } of blocks) {
    if (holder !== section || kind === 'heading' || kind === 'start' || isPlaceholder) continue;
    // What is indented after a blank line goes on with the item above, and so does what comes without one.
    if (!joined && isIndented(lines[0]?.text ?? '')) current?.push('');
    else if (!joined) current = undefined;
    joined = blanks.length === 0;
    for (const { text } of lines) {
      if (current === undefined || isListItem(text)) items.push((current = [text]));
      else current.push(text);
    }
  }
  return items;
}
