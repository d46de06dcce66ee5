import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isWithin, realPathOf, samePath } from '../base/paths.ts';
import { withoutWaiting } from '../base/plainFile.ts';
import { locateActive } from './activeWorktree.ts';
import { findMainRoot, type FoundRoot } from './mainRoot.ts';
import { shellWord } from '../base/quoted.ts';
import { readReminder, removeIfStill, type ActiveReminder } from './stateReader.ts';

/** The reminder of the active worktree. */
export interface Reminder {
  /** For the person. */
  readonly systemMessage: string;
  /** For the model. */
  readonly additionalContext: string;
}

/**
 * Reminds a session that was started or restored of the active worktree. Deletes a state file whose worktree was removed; one whose
 * worktree merely cannot be reached now stays, and the reminder says so. A session must always be able to start, so every failure gives
 * no reminder.
 *
 * @param cwd where the session is.
 */
export async function activeReminder(
  environment: Environment,
  cwd: string = environment.cwd,
): Promise<Reminder | undefined> {
  try {
    const folder = cwd === '' ? environment.cwd : cwd;
    const projectFolder = environment.variables['CLAUDE_PROJECT_DIR'];
    const root = (await findMainRoot(folder)) ?? (projectFolder ? await findMainRoot(projectFolder) : undefined);
    if (!root) return undefined;
    const file = join(root.mainRoot, '.claude', 'dev-worktree.local.md');
    const text = await readFile(file, { encoding: 'utf8', flag: withoutWaiting }).catch(() => undefined);
    if (text === undefined) return undefined;
    const active = readReminder(text);
    if (!active) return undefined;
    const location = locateActive(root, active);
    if (location.kind === 'gone') {
      await removeIfStill(file, text, `${file}.${environment.pid}`);
      return undefined;
    }
    if (location.kind === 'unreachable') return unreachable(active, environment.now());
    const { path } = location;
    return reminderOf({ ...active, path }, await whereIs(root, folder, path), environment.now());
  } catch (thrown) {
    environment.log.warn(`session-start: ${String(thrown)}`);
    return undefined;
  }
}

/** Where the session is, relative to the active worktree. */
type Whereabouts = { readonly in: 'active' | 'main' } | { readonly in: 'other'; readonly root: string };

async function whereIs(root: FoundRoot, folder: string, active: string): Promise<Whereabouts> {
  const [realFolder, realActive] = await Promise.all([realPathOf(folder), realPathOf(active)]);
  if (isWithin(realActive, realFolder)) return { in: 'active' };
  return samePath(root.worktreeRoot, root.mainRoot) ? { in: 'main' } : { in: 'other', root: root.worktreeRoot };
}

function reminderOf({ path, branch }: ActiveReminder, where: Whereabouts, now: Date): Reminder {
  const there = `ACTIVE WORKTREE: You have an active worktree at ${path} (branch: ${branch}).`;
  const go = `Run: cd ${shellWord(path)}`;
  const reminder = `${there} You MUST cd to this directory before running any commands. ${go}`;
  // A worker that was started in a worktree of its own is where it belongs; only its person needs to know of the active one.
  const forModel =
    where.in === 'other'
      ? `${there} This session was started in another worktree, ${where.root}: stay in it, unless you are asked to go on with the work in the active one. Then: ${go}`
      : where.in === 'active'
        ? `${reminder} (The session is in it already; stay there.)`
        : reminder;
  return stamped(reminder, forModel, now);
}

function unreachable({ path, branch }: ActiveReminder, now: Date): Reminder {
  const there = `ACTIVE WORKTREE: The active worktree ${path} (branch: ${branch}) cannot be seen now: its folder is not there.`;
  const help =
    'Mount its disk, or, if it was moved, run `git worktree repair <its new path>` in the main working tree. `wt list` tells what there is; `wt active --clear` ends this reminder.';
  return stamped(`${there} ${help}`, `${there} Do not do its work in another folder; tell the person. ${help}`, now);
}

/** Claude Code does not repeat a text to the model that it has had before, so each names its time and what it replaces. */
function stamped(systemMessage: string, forModel: string, now: Date): Reminder {
  const stamp = `This was true at ${now.toISOString()} and replaces earlier reminders of an active worktree.`;
  return { systemMessage, additionalContext: `${forModel} ${stamp}` };
}
