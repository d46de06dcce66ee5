import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { realPathOf } from '../../src/core/base/paths.ts';
import type { Engine, Row } from '../../src/core/database/engine.ts';
import { loadLibrary } from '../../src/core/database/libraryEngine.ts';
import { databaseFile, type DatabaseOwner } from '../../src/core/database/ownership.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { databaseWorktrees, type DatabaseWorktree } from '../../src/core/database/worktrees.ts';
import type { LogEntry } from '../../src/core/claude/decisionLog.ts';
import { testWorkspace } from './workspace.ts';
import type { TestHome } from './tempRepo.ts';

/** The real engine. It is an optional dependency: where it could not be installed, the tests of the database fail and say so. */
export function realEngine(): Engine {
  const engine = loadLibrary(resolve(import.meta.dirname, '../..'));
  assert.ok(engine, '@duckdb/node-api is not installed: run `npm ci` on a system that it knows');
  return engine;
}

/** Runs statements on a file as another tool would, and gives the rows of the last one. */
export async function onFile(engine: Engine, file: string, ...statements: string[]): Promise<readonly Row[]> {
  const connection = await engine.open(file);
  try {
    return await connection.run(statements);
  } finally {
    connection.close();
  }
}

/** The rows of several queries on a file, which is opened once for all of them. */
export async function askFile(engine: Engine, file: string, ...queries: string[]): Promise<(readonly Row[])[]> {
  const connection = await engine.open(file);
  try {
    const answers: (readonly Row[])[] = [];
    for (const query of queries) answers.push(await connection.run([query]));
    return answers;
  } finally {
    connection.close();
  }
}

/** Makes the database of a worktree as an earlier tool has left it. */
export async function earlierDatabase(
  engine: Engine,
  { root }: DatabaseOwner,
  ...statements: string[]
): Promise<string> {
  const file = databaseFile(root);
  await mkdir(join(root, '.claude-state'), { recursive: true });
  await onFile(engine, file, ...statements, 'CHECKPOINT');
  return file;
}

/** The worktrees of the repository at a folder, by name. */
export async function worktreesAt(home: TestHome, folder: string): Promise<(name: string) => DatabaseWorktree> {
  const workspace = await testWorkspace(home, await realPathOf(folder));
  const { signal } = new AbortController();
  const all = await databaseWorktrees(await readSnapshot(workspace, { signal, withChanges: false }));
  return (name) => {
    const found = all.find((each) => each.name === name);
    assert.ok(found, `there is no worktree ${name}`);
    return found;
  };
}

/** Writes the log of the hooks anew. */
export async function writeLog(commonDir: string, entries: readonly LogEntry[]): Promise<void> {
  const folder = join(commonDir, 'worktree-stacks', 'log');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'hooks.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

/** A session in a worktree, as hooks log it: begun, denied a push twice at once, waiting, with a task done, ended. */
export function sessionIn(
  worktree: string,
  cwd: string,
  session: string,
  from = Date.parse('2099-01-01T10:00:00Z'),
): LogEntry[] {
  const at = (seconds: number): string => new Date(from + seconds * 1000).toISOString();
  const all = { session, worktree, cwd, decision: 'none' } as const;
  const denied = { ...all, event: 'PreToolUse', decision: 'deny', tool: 'Bash', toolUse: `${session}-1` } as const;
  return [
    { ...all, at: at(0), event: 'SessionStart', detail: 'startup' },
    { ...all, at: at(1), event: 'UserPromptSubmit' },
    { ...denied, at: at(2), words: 'git push', reason: "the lead pushes, that's all" },
    { ...denied, at: at(2.01), words: 'git push', reason: 'the same call, refused by the plugin' },
    { ...all, at: at(3), event: 'PermissionRequest', tool: 'Bash' },
    { ...all, at: at(4), event: 'TaskCompleted' },
    { ...all, at: at(5), event: 'SubagentStop', agent: 'helper', agentId: 'a1' },
    { ...all, at: at(6), event: 'SessionEnd', detail: 'exit' },
  ];
}

/** The kinds of the events of {@link sessionIn}, in order. */
export const sessionKinds = ['session_started', 'denied', 'waits', 'task_completed', 'handed_over', 'session_ended'];
