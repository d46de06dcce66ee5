import assert from 'node:assert/strict';
import { decideBash } from '../../../../src/core/claude/guard/bashGuard.ts';
import { commandCases, type CommandCase } from './cases.ts';

const noAliases = async () => undefined;

const decide = ({ command, background = false }: CommandCase): ReturnType<typeof decideBash> =>
  decideBash({ command, background, branch: 'feat', worktree: '/w/feat', cwd: '/w/feat' }, () => 0, noAliases);

suite('the shell guard on commands with known answers', () => {
  // Rows that prepare a repository are in the git lane.
  for (const row of commandCases().filter(({ setup }) => setup === undefined)) {
    test(`${row.expect} (${row.id}, ${row.class}): ${JSON.stringify(row.command).slice(0, 100)}`, async () => {
      const decision = await decide(row);
      const right = [row.expect, ...(row.also ?? []), ...(row.limit ? ['deny', 'none'] : [])];
      assert.ok(
        right.includes(decision.kind),
        `${decision.kind}, not ${right.join(' or ')}: ${JSON.stringify(decision)}`,
      );
    });
  }
});
