import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellScript } from '../../../src/cli/shellScripts.ts';
import { agentDefinition } from '../../../src/core/claude/agentDefinition.ts';
import { powerShellAsciiWord, powerShellWord } from '../../../src/core/base/quoted.ts';
import { hooksForWindows } from '../../../src/core/claude/pluginHooks.ts';
import { inTurn, startOf } from '../../../src/extension/base/shellLine.ts';
import { powerShellGrammar, type PowerShellGrammar } from '../../support/powerShellGrammar.ts';

/** Every `command` of hooks for PowerShell. */
function commandsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { command, shell } = value as { command?: unknown; shell?: unknown };
  const own = shell === 'powershell' && typeof command === 'string' ? [command] : [];
  return [...own, ...Object.values(value).flatMap(commandsOf)];
}

describe('what is written for PowerShell', () => {
  let grammar: PowerShellGrammar;
  before(async () => void (grammar = await powerShellGrammar()));

  const odd = "C:\\Users\\O'Neil & Sons; $(x) `y {1} @z “q” 100%\\Füße 日";

  it('is told from what is no PowerShell', () => {
    for (const broken of ["$x = 'abc", 'if ($x) {', 'foo ) {', '"$(x"'])
      assert.notDeepEqual(grammar.faults(broken), [], broken);
  });

  it('is a script, all in ASCII, which the one of Windows would read in a code page', () => {
    const script = shellScript('pwsh');
    assert.deepEqual(grammar.faults(script), []);
    assert.match(script, /^[\n\x20-\x7e]*$/);
  });

  it('is a script where a name has whatever means something to it', () => {
    for (const word of [powerShellWord(odd), powerShellAsciiWord(odd)])
      assert.deepEqual(grammar.faults(`if (Test-Path -LiteralPath ${word}) { . ${word} }`), []);
    for (const kind of ['pwsh', 'powershell'] as const)
      assert.deepEqual(grammar.faults(inTurn([startOf(odd, kind), 'wt list', startOf(odd, kind)], 'powershell')), []);
  });

  it('starts the hooks of the plugin and the guards of agents, wherever their launcher lies', async () => {
    const plugin = await readFile(join(import.meta.dirname, '../../../plugin/hooks/hooks.json'), 'utf8');
    const agent = agentDefinition(
      { name: odd, slug: 'odd', path: odd, branch: 'it’s/$x' },
      { launcher: odd, throughBash: true, batch: `${odd}\\run.cmd` },
    );
    const matter = /^hooks: (.*)$/m.exec(agent)?.[1] ?? '';
    for (const text of [hooksForWindows(plugin, 'powershell'), matter]) {
      const commands = commandsOf(JSON.parse(text));
      assert.ok(commands.length > 1, text);
      for (const command of commands) assert.deepEqual([command, grammar.faults(command)], [command, []]);
    }
  });
});
