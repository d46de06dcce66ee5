import assert from 'node:assert/strict';
import { guardCommand } from '../../../../src/core/claude/guard/bashGuard.ts';
import { guardFile } from '../../../../src/core/claude/guard/fileGuard.ts';
import { answerOf } from '../../../../src/core/claude/hookAnswer.ts';
import type { Permission } from '../../../../src/core/claude/hookDecision.ts';
import { parseHookInput } from '../../../../src/core/claude/hookInput.ts';

const environment = { variables: {}, milliseconds: () => 0 };
const worktree = '/w/feat-auth';

const bash = (
  stdin: unknown,
  [path = '', branch = '']: readonly string[] = [worktree, 'feat-auth'],
): Promise<Permission> =>
  guardCommand(
    parseHookInput(typeof stdin === 'string' ? stdin : JSON.stringify(stdin)),
    { path, branch },
    environment,
  );
const call = (tool_input: unknown, tool_name = 'Bash'): unknown => ({
  session_id: '00000000-0000-4000-8000-000000000001',
  cwd: worktree,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: 'toolu_000000000001',
});

/** The decision in a hook's answer, which must have the form that Claude Code reads. */
function decisionIn(permission: Permission): string {
  const { output, message, exitCode } = answerOf(permission);
  assert.deepEqual([message, exitCode], ['', 0]);
  if (output === '') return 'none';
  const { hookSpecificOutput: said, ...others } = JSON.parse(output) as { hookSpecificOutput: Record<string, string> };
  assert.deepEqual(others, {});
  assert.deepEqual(Object.keys(said), ['hookEventName', 'permissionDecision', 'permissionDecisionReason']);
  assert.equal(said['hookEventName'], 'PreToolUse');
  assert.ok((said['permissionDecisionReason'] ?? '').length > 0);
  return said['permissionDecision'] ?? '';
}

suite('the hook bash-guard', () => {
  test('a harmless command gets no answer at all, so that the permissions in force decide', async () => {
    assert.equal(
      decisionIn(await bash(call({ command: 'npm test', timeout: 60000, description: 'Run tests' }))),
      'none',
    );
  });

  test('a push is denied', async () => {
    assert.equal(decisionIn(await bash(call({ command: 'git push', description: 'Publish' }))), 'deny');
  });

  test('a background task may poll, and nothing more', async () => {
    const background = (command: string): unknown => call({ command, run_in_background: true });
    assert.equal(decisionIn(await bash(background('wt poll x'))), 'none');
    assert.equal(decisionIn(await bash(background('wt poll x && git push'))), 'deny');
    assert.equal(decisionIn(await bash(call({ command: 'wt poll x', run_in_background: 'true' }))), 'deny');
  });

  test('what a monitor runs is judged; one without a command runs nothing', async () => {
    assert.equal(decisionIn(await bash(call({ command: 'git fetch' }, 'Monitor'))), 'deny');
    assert.equal(decisionIn(await bash(call({ ws: 'ws://localhost:1' }, 'Monitor'))), 'none');
  });

  const unreadable: Readonly<Record<string, unknown>> = {
    'nothing on standard input': '',
    'text that is not JSON': 'not json',
    'half of a JSON text': '{"tool_input":{"command":"ls"',
    'JSON that is no object': '[1]',
    null: 'null',
    'no tool input': { tool_name: 'Bash' },
    'a tool input that is no object': call('ls'),
    'no command': call({ description: 'x' }),
    'a command that is no text': call({ command: ['ls'] }),
  };
  for (const [what, stdin] of Object.entries(unreadable)) {
    test(`${what}: denied`, async () => {
      assert.equal(decisionIn(await bash(stdin)), 'deny');
    });
  }

  const wrongArguments: Readonly<Record<string, readonly string[]>> = {
    'without arguments': [],
    'without a branch': [worktree],
    'with an empty worktree': ['', 'feat-auth'],
    'with a blank worktree': ['  ', 'feat-auth'],
    'with a relative worktree': ['w/feat-auth', 'feat-auth'],
    'with the root of the disk': ['/', 'feat-auth'],
    'with the root of the disk in disguise': ['/w/..', 'feat-auth'],
  };
  for (const [what, argv] of Object.entries(wrongArguments)) {
    test(`started ${what}: denied`, async () => {
      assert.equal(decisionIn(await bash(call({ command: 'ls' }), argv)), 'deny');
    });
  }

  test('a clock that fails denies', async () => {
    const broken = {
      variables: {},
      milliseconds: () => {
        throw new Error('no time');
      },
    };
    const input = parseHookInput(JSON.stringify(call({ command: 'ls' })));
    const result = await guardCommand(input, { path: worktree, branch: 'x' }, broken);
    assert.equal(decisionIn(result), 'deny');
    assert.match(answerOf(result).output, /no time/);
  });
});

suite('the hook file-guard', () => {
  const unreadable: Readonly<Record<string, unknown>> = {
    'text that is not JSON': 'not json',
    'no file': call({ content: 'x' }, 'Write'),
    'an empty file name': call({ file_path: '' }, 'Write'),
    'a file name that is no text': call({ file_path: 7 }, 'Write'),
    'two files': call({ file_path: '/w/a', notebook_path: '/w/b' }, 'NotebookEdit'),
    'no tool input': { tool_name: 'Write' },
  };
  for (const [what, stdin] of Object.entries(unreadable)) {
    test(`${what}: denied`, async () => {
      const text = typeof stdin === 'string' ? stdin : JSON.stringify(stdin);
      assert.equal(decisionIn(guardFile(parseHookInput(text), worktree)), 'deny');
    });
  }

  test('a worktree that is not there: denied', async () => {
    const text = JSON.stringify(call({ file_path: '/nowhere/at/all/a.ts' }, 'Write'));
    const result = guardFile(parseHookInput(text), '/nowhere/at/all');
    assert.equal(decisionIn(result), 'deny');
    assert.match(answerOf(result).output, /is not there/);
  });

  for (const root of ['', ' ', '/', 'relative', '/a/..']) {
    test(`started with ${JSON.stringify(root)} as the worktree: denied`, async () => {
      const text = JSON.stringify(call({ file_path: '/tmp/a.ts' }, 'Write'));
      assert.equal(decisionIn(guardFile(parseHookInput(text), root)), 'deny');
    });
  }
});
