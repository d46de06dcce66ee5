import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hooksForWindows } from '../../../src/core/claude/pluginHooks.ts';

interface Hook {
  readonly type: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly shell?: string;
  readonly timeout: number;
  readonly onFailure?: string;
  readonly async?: boolean;
}

interface Hooks {
  readonly hooks: Readonly<Record<string, readonly { readonly matcher?: string; readonly hooks: readonly Hook[] }[]>>;
}

const file = resolve(import.meta.dirname, '../../../plugin/hooks/hooks.json');
const allOf = ({ hooks }: Hooks): [event: string, hook: Hook][] =>
  Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map((hook): [string, Hook] => [event, hook])),
  );

describe("the plugin's hooks", () => {
  let text: string;
  before(async () => {
    text = await readFile(file, 'utf8');
  });

  it('start without a shell, once for each event, and end in a short time', () => {
    const all = allOf(JSON.parse(text) as Hooks);
    assert.equal(new Set(all.map(([event]) => event)).size, all.length);
    for (const [event, hook] of all) {
      assert.deepEqual(
        [hook.type, hook.command, hook.args?.slice(0, 2)],
        ['command', 'sh', ['${CLAUDE_PLUGIN_ROOT}/bin/wt', 'hook']],
        event,
      );
      assert.ok(hook.timeout > 0);
    }
  });

  it('block only where a guard fails, and keep nobody waiting to take notes', () => {
    const all = new Map(allOf(JSON.parse(text) as Hooks));
    assert.deepEqual(
      [...all].filter(([, hook]) => hook.onFailure !== undefined).map(([event]) => event),
      ['PreToolUse'],
    );
    assert.equal(all.get('PreToolUse')?.onFailure, 'block');
    for (const event of ['UserPromptSubmit', 'Notification', 'Stop', 'SubagentStart'])
      assert.equal(all.get(event)?.async, true, event);
  });

  it('guard every tool that writes', () => {
    const { hooks } = JSON.parse(text) as Hooks;
    assert.equal(hooks['PreToolUse']?.[0]?.matcher, 'Edit|Write|NotebookEdit|Bash|Monitor|PowerShell');
  });

  it('go through Bash on Windows, and are the same otherwise', () => {
    const before = allOf(JSON.parse(text) as Hooks);
    const after = allOf(JSON.parse(hooksForWindows(text)) as Hooks);
    assert.equal(after.length, before.length);
    for (const [index, [event, hook]] of after.entries()) {
      const right = before[index]?.[1] ?? assert.fail();
      const rest = Object.fromEntries(Object.entries(right).filter(([key]) => key !== 'args'));
      assert.deepEqual(hook, { ...rest, command: `sh "${right.args?.join('" "')}"`, shell: 'bash' }, event);
    }
  });

  it('go through PowerShell where Windows has no Bash, to the batch file beside the script', () => {
    const hooks = allOf(JSON.parse(hooksForWindows(text, 'powershell')) as Hooks);
    assert.equal(hooks.length, allOf(JSON.parse(text) as Hooks).length);
    for (const [event, hook] of hooks) {
      assert.equal((hook as { shell?: string }).shell, 'powershell', event);
      assert.match(
        hook.command,
        /^& "\$\{CLAUDE_PLUGIN_ROOT\}\/bin\/wt\.cmd" "hook" "[\w-]+"; exit \$LASTEXITCODE$/,
        event,
      );
    }
  });
});
