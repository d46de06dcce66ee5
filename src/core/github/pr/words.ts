import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutWaiting } from '../../base/plainFile.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { StackedWorktree } from '../../stack/graph.ts';

/** The title and the text that a new pull request begins with. */
export interface Words {
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
 * Words for a new pull request: of a single commit its own; of several the task of the worktree, or its name, with the commits listed.
 * The team's template comes after them.
 *
 * @param since the commit after which the branch's own commits begin.
 */
export async function wordsFor(
  { git, repository }: Workspace,
  { branch, worktree }: StackedWorktree,
  since: string,
  signal?: AbortSignal,
): Promise<Words> {
  const format = [
    'log',
    '--reverse',
    '--no-merges',
    '-z',
    '--encoding=UTF-8',
    '--format=%B',
    `${since}..refs/heads/${branch}`,
  ];
  const at = { cwd: repository.commonDir, signal };
  const messages = (await git.in(repository.commonDir).text(format, at)).split('\0');
  const commits = messages.map((message) => message.trim()).filter((message) => message !== '');
  const [first = ''] = commits;
  const subjects = commits.map((message) => message.split('\n')[0] ?? '');
  const task = worktree.entry?.task?.trim();
  const single = commits.length === 1;
  const title = (single ? subjects[0] : task?.split('\n')[0]) ?? readable(worktree.name);
  const own = single ? first.slice(first.indexOf('\n') < 0 ? first.length : first.indexOf('\n')).trim() : '';
  const listed = single ? '' : [...subjects].map((subject) => `- ${subject}`).join('\n');
  const text = [single ? own : (task ?? ''), listed, await template(worktree.path)].filter((part) => part !== '');
  return { title: title || readable(worktree.name), body: text.join('\n\n'), commits: commits.length };
}

async function template(folder: string): Promise<string> {
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
