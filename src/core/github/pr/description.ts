import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutWaiting } from '../../base/plainFile.ts';
import type { StackedWorktree } from '../../stack/graph.ts';

/** The title and the text that a new pull request begins with. */
export interface Description {
  readonly title: string;
  readonly body: string;
  /** How many commits are its own. */
  readonly commits: number;
}

/** Where a team keeps the text that every pull request begins with, the most usual place first. */
const templates = ['.github', '', 'docs'].flatMap((folder) =>
  ['pull_request_template.md', 'PULL_REQUEST_TEMPLATE.md'].map((file) => join(folder, file)),
);

/**
 * The title and text of a new pull request: of a single commit its own; of several the task of the worktree, or its name, with the commits listed.
 * The team's template comes after them.
 *
 * @param messages of the branch's own commits, the oldest first.
 * @param isNew it is about to be opened; for one that is there already the template is not looked for.
 */
export async function describePullRequest(
  { worktree }: StackedWorktree,
  messages: readonly string[],
  isNew: boolean,
): Promise<Description> {
  const [first = ''] = messages;
  const subjects = messages.map((message) => message.split('\n')[0] ?? '');
  const task = worktree.entry?.task?.trim();
  const single = messages.length === 1;
  const title = (single ? subjects[0] : task?.split('\n')[0]) ?? readable(worktree.name);
  const own = single ? first.slice(first.indexOf('\n') < 0 ? first.length : first.indexOf('\n')).trim() : '';
  const listed = single
    ? ''
    : subjects
        .filter((subject) => subject !== '')
        .map((subject) => `- ${subject}`)
        .join('\n');
  const text = [single ? own : (task ?? ''), listed, isNew ? await readTemplate(worktree.path) : ''];
  const body = text.filter((part) => part !== '').join('\n\n');
  return { title: title || readable(worktree.name), body, commits: messages.length };
}

/** The text that a team's pull requests begin with; empty where there is none. */
export async function readTemplate(folder: string): Promise<string> {
  for (const file of templates) {
    const text = await readFile(join(folder, file), { encoding: 'utf8', flag: withoutWaiting }).catch(() => undefined);
    if (text !== undefined) return text.trim();
  }
  return '';
}

function readable(name: string): string {
  const text = name.replace(/[-_/]+/g, ' ').trim();
  return text === '' ? name : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
