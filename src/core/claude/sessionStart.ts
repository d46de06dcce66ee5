import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import { withoutWaiting } from '../base/plainFile.ts';
import { activePlace } from './activePlace.ts';
import { findMainRoot, type FoundRoot } from './mainRoot.ts';
import { shellWord } from '../base/quoted.ts';
import { readReminder, removeIfStill, type ActiveReminder } from './stateReader.ts';

/** What Claude Code reads: the first is shown to the person, the second is given to the model. */
export interface SessionStartAnswer {
  readonly systemMessage: string;
  readonly hookSpecificOutput: { readonly hookEventName: 'SessionStart'; readonly additionalContext: string };
}

/**
 * Answers the SessionStart hook: leads a session that was started or restored back to the active worktree. A state file whose
 * worktree was removed goes with it; one whose worktree merely cannot be seen now stays, and that is told. Whatever goes wrong, a session must be able to start: then there is no answer.
 *
 * @param input what Claude Code wrote to standard input; its `cwd` says where the session is.
 */
export async function sessionStart(environment: Environment, input: string): Promise<SessionStartAnswer | undefined> {
  try {
    const folder = sessionFolder(environment, input);
    const projectFolder = environment.variables['CLAUDE_PROJECT_DIR'];
    const root = (await findMainRoot(folder)) ?? (projectFolder ? await findMainRoot(projectFolder) : undefined);
    if (!root) return undefined;
    const file = join(root.mainRoot, '.claude', 'dev-worktree.local.md');
    const text = await readFile(file, { encoding: 'utf8', flag: withoutWaiting }).catch(() => undefined);
    if (text === undefined) return undefined;
    const active = readReminder(text);
    if (!active) return undefined;
    const place = activePlace(root, active);
    if (place.kind === 'gone') {
      await removeIfStill(file, text, `${file}.${environment.pid}`);
      return undefined;
    }
    if (place.kind === 'unseen') return unseen(active, environment.now());
    const { path } = place;
    return answer({ ...active, path }, await whereItIs(root, folder, path), environment.now());
  } catch (thrown) {
    environment.log.warn(`session-start: ${String(thrown)}`);
    return undefined;
  }
}

function sessionFolder(environment: Environment, input: string): string {
  try {
    const { cwd } = JSON.parse(input) as { cwd?: unknown };
    if (typeof cwd === 'string' && cwd !== '') return cwd;
  } catch {
    // No JSON: the hook was started by hand, and is where it was started.
  }
  return environment.cwd;
}

/** Where the session is, seen from the active worktree. */
type Whereabouts = { readonly place: 'active' | 'elsewhere' } | { readonly place: 'other'; readonly root: string };

async function whereItIs(root: FoundRoot, folder: string, active: string): Promise<Whereabouts> {
  const [realFolder, realActive] = await Promise.all([realPathOf(folder), realPathOf(active)]);
  if (isWithin(realActive, realFolder)) return { place: 'active' };
  return root.worktreeRoot === root.mainRoot ? { place: 'elsewhere' } : { place: 'other', root: root.worktreeRoot };
}

function answer({ path, branch }: ActiveReminder, where: Whereabouts, now: Date): SessionStartAnswer {
  const there = `ACTIVE WORKTREE: You have an active worktree at ${path} (branch: ${branch}).`;
  const go = `Run: cd ${shellWord(path)}`;
  const reminder = `${there} You MUST cd to this directory before running any commands. ${go}`;
  // A worker that was started in a worktree of its own is where it belongs; only its person needs to know of the other one.
  const forModel =
    where.place === 'other'
      ? `${there} This session was started in another worktree, ${where.root}: stay in it, unless you are asked to go on with the work in the active one. Then: ${go}`
      : where.place === 'active'
        ? `${reminder} (The session is in it already; stay there.)`
        : reminder;
  return told(reminder, forModel, now);
}

function unseen({ path, branch }: ActiveReminder, now: Date): SessionStartAnswer {
  const there = `ACTIVE WORKTREE: The active worktree ${path} (branch: ${branch}) cannot be seen now: its folder is not there.`;
  const help =
    'Mount its disk, or, if it was moved, run `git worktree repair <its new path>` in the main working tree. `wt list` tells what there is; `wt active --clear` ends this reminder.';
  return told(`${there} ${help}`, `${there} Do not do its work in another folder; tell the person. ${help}`, now);
}

/** A text that the model has seen before is not given to it again, so each one names its time and what it replaces. */
function told(forPerson: string, forModel: string, now: Date): SessionStartAnswer {
  const stamp = `This was true at ${now.toISOString()} and replaces earlier reminders of an active worktree.`;
  return {
    systemMessage: forPerson,
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: `${forModel} ${stamp}` },
  };
}
