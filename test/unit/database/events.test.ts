import assert from 'node:assert/strict';
import type { LogEntry } from '../../../src/core/claude/decisionLog.ts';
import { eventsOf } from '../../../src/core/database/events.ts';
import type { Operation } from '../../../src/core/operations/operation.ts';
import type { RegistryEntry } from '../../../src/core/repository/registry.ts';
import type { Worktree } from '../../../src/core/worktree/model.ts';
import { sessionIn, sessionKinds } from '../../support/databases.ts';
import { worktreeModel } from '../../support/worktreeModel.ts';

const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T10:00:00.000Z`;
const main = worktreeModel('main', undefined, { main: true, id: undefined, path: '/orchard' });
const entry = (more: Partial<RegistryEntry> = {}): RegistryEntry => ({
  path: '',
  branch: 'pear',
  base: 'main',
  pr: null,
  ...more,
});
const pear = worktreeModel('pear', 'main', {
  entry: entry({ created: day(10), createdBy: 'wt', task: 'Bake it', workId: '258' }),
});

/** The sessions whose beginning is an event of a worktree. */
const sessionsIn = (worktree: Worktree, log: readonly LogEntry[], operations: readonly Operation[] = []): unknown[] =>
  eventsOf({ log, operations, worktrees: [main, pear, worktree] }, worktree).flatMap(({ kind, session }) =>
    kind === 'session_started' ? [session] : [],
  );
const began = (session: string, at: string, more: Partial<LogEntry>): LogEntry => ({
  ...{ at, event: 'SessionStart', decision: 'none', session },
  ...more,
});
const renamed = (from: string, to: string, at: string): Operation => ({
  ...{
    version: 1,
    id: at,
    kind: 'rename',
    title: '',
    started: at,
    state: 'done',
    moves: [],
    entries: [],
    remaining: [],
  },
  renaming: { from: { name: from, branch: from, path: '' }, to: { name: to, branch: to, path: '' } },
});

describe('the events of a worktree', () => {
  it('are what a session did there, each once, and the task that it was made for', () => {
    const log = sessionIn('pear', '/orchard/pear', 's1');
    const events = eventsOf({ log, operations: [], worktrees: [main, pear] }, pear);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['task_taken', ...sessionKinds],
    );
    assert.deepEqual([events[0]?.task, events[0]?.agent, events[0]?.at], ['Bake it', 'wt', day(10)]);
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    const again = eventsOf({ log: [...log, ...log], operations: [], worktrees: [main, pear] }, pear);
    assert.deepEqual(again, events, 'the ids do not depend on when the log is read');
  });

  it('are those of the name that it had then, and not of another worktree that had its name before', () => {
    const log = [
      began('before', day(5), { worktree: 'pear' }),
      began('as apple', day(11), { worktree: 'apple' }),
      began('of the new apple', day(14), { worktree: 'apple' }),
      began('as pear', day(15), { worktree: 'pear' }),
    ];
    const operations = [renamed('apple', 'pear', day(13)), renamed('plum', 'apple', day(12))];
    assert.deepEqual(sessionsIn(pear, log, operations.slice(0, 1)), ['as apple', 'as pear']);
    assert.deepEqual(sessionsIn(pear, log), ['as pear']);
    const plum = [began('as plum', day(11), { worktree: 'plum' }), ...log.slice(2)];
    assert.deepEqual(sessionsIn(pear, plum, operations), ['as plum', 'as pear']);
  });

  it('are those of the innermost worktree around the folder, where the log names none', () => {
    const nested = worktreeModel('other', undefined, { path: '/orchard/.claude/worktrees/other' });
    const log = [
      began('main', day(11), { cwd: '/orchard/src' }),
      began('other', day(11), { cwd: '/orchard/.claude/worktrees/other/src' }),
      began('elsewhere', day(11), { cwd: '/' }),
    ];
    assert.deepEqual(sessionsIn(main, log), ['main', 'other'], 'a worktree that nobody knows is a folder');
    const worktrees = [main, nested];
    const of = (worktree: Worktree): unknown[] =>
      eventsOf({ log, operations: [], worktrees }, worktree).map(({ session }) => session);
    assert.deepEqual([of(main), of(nested)], [['main'], ['other']]);
  });

  it('name who waits, who was sent back, who handed over and what a workflow did', () => {
    const all = { worktree: 'pear', session: 's', decision: 'none' } as const;
    const kinds = (...entries: Partial<LogEntry>[]): unknown[] =>
      eventsOf(
        {
          log: entries.map((each) => ({ at: day(11), event: '', ...all, ...each })),
          operations: [],
          worktrees: [pear],
        },
        { ...pear, entry: undefined },
      ).map(({ kind, run, task, detail }) => [kind, ...[run, task, detail].filter((text) => text !== undefined)]);
    assert.deepEqual(kinds({ event: 'Notification', detail: 'permission_prompt' }), [['waits', 'permission_prompt']]);
    assert.deepEqual(kinds({ event: 'Notification', detail: 'idle_prompt' }), []);
    assert.deepEqual(kinds({ event: 'TaskCompleted', decision: 'block', reason: 'not committed' }), [
      ['sent_back', 'not committed'],
    ]);
    assert.deepEqual(kinds({ event: 'TeammateIdle', decision: 'notified' }), [['handed_over']]);
    assert.deepEqual(
      kinds({ event: 'PreToolUse', decision: 'allow' }, { event: 'UserPromptSubmit' }, { event: 'Stop' }),
      [],
    );
    for (const [event, kind] of [
      ['WorkflowBegin', 'task_taken'],
      ['WorkflowTakeOver', 'handed_over'],
      ['WorkflowEnd', 'task_completed'],
    ] as const)
      assert.deepEqual(kinds({ event, run: 'r1', words: '258' }), [[kind, 'r1', '258', event]]);
  });
});
