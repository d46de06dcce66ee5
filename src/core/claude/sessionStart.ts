import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import { errorCode } from '../base/problem.ts';
import { findMainRoot, type FoundRoot } from './mainRoot.ts';

/** What Claude Code reads: the first is shown to the person, the second is given to the model. */
export interface SessionStartAnswer {
  readonly systemMessage: string;
  readonly hookSpecificOutput: { readonly hookEventName: 'SessionStart'; readonly additionalContext: string };
}

/** Of the state file only what the reminder names. */
interface Active {
  readonly path: string;
  readonly branch: string;
}

/**
 * Answers the SessionStart hook: leads a session that was started or restored back to the active worktree. A state file whose
 * worktree is gone is removed. Whatever goes wrong, a session must be able to start: then there is no answer.
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
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const active = readQuickly(text) ?? (await readThoroughly(text, file));
    if (await isMissing(active.path)) {
      await clear(environment, root, active.path);
      return undefined;
    }
    return answer(active, await whereItIs(root, folder, active.path), environment.now());
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

/**
 * Reads the state file as this product and the scripts of other tools write it, with one plain or double-quoted text in a line.
 * `undefined` where it takes a YAML reader, which costs more than all the rest.
 */
function readQuickly(text: string): Active | undefined {
  const [, matter] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  if (matter === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const line of matter.split(/\r?\n/)) {
    const [, key, value] =
      /^([a-z_]+): (\/(?:(?!: | #)[^\t])*\S|[A-Za-z][\w/.-]*|\d[\w.:-]*|"[^"\\]*")$/.exec(line) ?? [];
    if (key === undefined || value === undefined || fields.has(key)) return undefined;
    fields.set(key, value.startsWith('"') ? value.slice(1, -1) : value);
  }
  const path = fields.get('active_worktree');
  return path === undefined || path === '' ? undefined : { path, branch: fields.get('branch') ?? '' };
}

async function readThoroughly(text: string, file: string): Promise<Active> {
  const { parseStateFile } = await import('../repository/stateFile.ts');
  return parseStateFile(text, file);
}

async function isMissing(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch (thrown) {
    const code = errorCode(thrown);
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}

async function clear(environment: Environment, { mainRoot, commonDir }: FoundRoot, path: string): Promise<void> {
  const { clearActive } = await import('../repository/stateFile.ts');
  await clearActive(environment, { mainRoot, commonDir, bare: false, name: mainRoot }, path);
}

/** Where the session is, seen from the active worktree. */
type Whereabouts = { readonly place: 'active' | 'elsewhere' } | { readonly place: 'other'; readonly root: string };

async function whereItIs(root: FoundRoot, folder: string, active: string): Promise<Whereabouts> {
  const [realFolder, realActive] = await Promise.all([realPathOf(folder), realPathOf(active)]);
  if (isWithin(realActive, realFolder)) return { place: 'active' };
  return root.worktreeRoot === root.mainRoot ? { place: 'elsewhere' } : { place: 'other', root: root.worktreeRoot };
}

function answer({ path, branch }: Active, where: Whereabouts, now: Date): SessionStartAnswer {
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
  // A text that the model has seen before is not given to it again, so each one names its time and what it replaces.
  const stamp = `This was true at ${now.toISOString()} and replaces earlier reminders of an active worktree.`;
  return {
    systemMessage: reminder,
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: `${forModel} ${stamp}` },
  };
}

/** A path as a shell takes it; most need no quotes. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
