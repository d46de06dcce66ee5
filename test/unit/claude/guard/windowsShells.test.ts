import assert from 'node:assert/strict';
import { guardCommand } from '../../../../src/core/claude/guard/bashGuard.ts';
import { readCases } from './cases.ts';

/** A command of Windows with the answer that it must get, of the tool Bash or, where `shell` says so, PowerShell. */
interface WindowsCase {
  readonly command: string;
  readonly expect: string;
  readonly shell?: 'powershell';
}

async function decide({ command, shell }: WindowsCase): Promise<string> {
  const input = { tool_name: shell === undefined ? 'Bash' : 'PowerShell', tool_input: { command }, cwd: '/w/feat' };
  const environment = { variables: { PATH: '' }, milliseconds: () => 0 };
  return (await guardCommand(input, { path: '/w/feat', branch: 'feat' }, environment)).kind;
}

describe('the shell guard on commands of Windows', () => {
  for (const row of readCases<WindowsCase>('windows-commands.jsonl')) {
    it(`${row.expect}: ${row.shell ?? 'bash'}: ${JSON.stringify(row.command).slice(0, 100)}`, async () => {
      assert.equal(await decide(row), row.expect);
    });
  }
});
