import { nameKey } from './lines.ts';

/** `pending`: the tasks to do here; `worktree`: the tasks assigned to worktrees; `text`: anything else. */
export type SectionRole = 'pending' | 'worktree' | 'text';

/** A heading of the first or second level with what stands below it. */
export interface Section {
  readonly index: number;
  /** Empty before the first heading. */
  readonly title: string;
  readonly role: SectionRole;
  /** The level of the heading, 1 or 2. */
  readonly level: number;
  /** What stands before the first second-level heading: above and below the title. */
  readonly isTop: boolean;
}

const pendingTitles = new Set(['pending tasks', 'in-tree tasks', 'tasks', 'pending']);

/** What a section with this title is for. */
export function roleOf(title: string): SectionRole {
  const key = nameKey(title).replace(/:$/, '');
  return pendingTitles.has(key) ? 'pending' : key === 'worktree tasks' ? 'worktree' : 'text';
}

/** The title of a section as titles are compared; several are in use for two of them, and the first one has none. */
export function sectionKey({ title, isTop }: Section): string {
  if (isTop) return '';
  const key = nameKey(title).replace(/:$/, '');
  return /^(?:blockers?|gotchas?)\b/.test(key) ? 'blockers' : /^references?\b/.test(key) ? 'reference' : key;
}

/** What stands below such a heading is a report of one side, and no list of both. */
const reports = /\bcompleted?\b|^done\b|^next\b|^(?:current |session )?status\b/;

/** Whether the notes of a section stay as ours has them: those before the first heading, between tasks, status, completed and next steps. */
export function staysOurs({ title, role, isTop }: Section): boolean {
  return isTop || role !== 'text' || reports.test(nameKey(title));
}
