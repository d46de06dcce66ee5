import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { knowsHook } from '../../../../src/cli/hookEvents.ts';
import { agentDefinition } from '../../../../src/core/claude/agentDefinition.ts';
import { ruleFor, isSought } from '../../../../src/core/claude/guard/commands/commandRules.ts';
import { wtTable } from '../../../../src/core/claude/guard/commands/wtTable.ts';
import { anyText, argument, commandName } from '../../../../src/core/claude/guard/shell/argument.ts';
import { bashTools, fileTools, matcherOf, shellTools } from '../../../../src/core/claude/guardedTools.ts';

const plugin = resolve(import.meta.dirname, '../../../../plugin');

interface PluginHooks {
  readonly hooks: Readonly<
    Record<
      string,
      readonly { readonly matcher?: string; readonly hooks: readonly { readonly args: readonly string[] }[] }[]
    >
  >;
}

/** Lists that are written down in one place and owned by another. */
describe('lists that must say the same', () => {
  const define = (throughBash: boolean): string =>
    agentDefinition(
      { name: 'x', slug: 'x', path: '/w/x', branch: 'x' },
      { launcher: '/w/.worktrees/hooks/run', throughBash },
    );
  const [agent, onWindows] = [define(false), define(true)];
  const hooks = async (): Promise<PluginHooks> =>
    JSON.parse(await readFile(join(plugin, 'hooks', 'hooks.json'), 'utf8')) as PluginHooks;

  it('the plugin guards the tools that the guards judge, and so does a generated agent', async () => {
    const all = (await hooks()).hooks;
    assert.deepEqual(
      all['PreToolUse']?.map(({ matcher }) => matcher),
      [matcherOf([...fileTools, ...shellTools])],
    );
    for (const [definition, shells] of [
      [agent, bashTools],
      [onWindows, shellTools],
    ] as const) {
      for (const tools of [fileTools, shells])
        assert.ok(definition.includes(`"matcher":"${matcherOf(tools)}"`), definition);
      const offered = /^tools: (.*)$/m.exec(definition)?.[1]?.split(', ') ?? [];
      for (const tool of [...fileTools, ...shells]) assert.ok(offered.includes(tool), tool);
    }
  });

  it('every hook that the plugin and the agents start has an answer', async () => {
    const started = Object.values((await hooks()).hooks).flatMap((groups) =>
      groups.flatMap((group) => group.hooks.map(({ args }) => args[2] ?? '')),
    );
    // Behind the launcher, whatever finds that.
    const byAgents = [...agent.matchAll(/"\/w\/\.worktrees\/hooks\/run","([a-z-]+)"/g)].map(([, event]) => event ?? '');
    assert.ok(started.length > 5 && byAgents.length === 2);
    assert.deepEqual(
      [...started, ...byAgents].filter((event) => !knowsHook(event)),
      [],
    );
  });

  it('agents and skills are told of commands that there are', async () => {
    const names = await readdir(join(plugin, 'skills'));
    const texts = await Promise.all(names.map((name) => readFile(join(plugin, 'skills', name, 'SKILL.md'), 'utf8')));
    const known = new Set(wtTable.commands.split(' '));
    const named = [agent, ...texts].flatMap((text) =>
      [...text.matchAll(/(?:^|`)wt ([a-z][a-z-]*)/gm)].map(([, name]) => name ?? ''),
    );
    assert.ok(named.length > 15, String(named));
    assert.deepEqual(
      [...new Set(named)].filter((name) => !known.has(name)),
      [],
    );
  });

  it('programs that are looked for by a pattern or among arguments are judged', () => {
    const found = new Set<string>();
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') found.add(commandName(argument(`${letter}${anyText}`)));
    const programs = [...found].filter((name) => !name.includes(anyText));
    assert.ok(programs.includes('git') && programs.includes('wt'), String(programs));
    for (const name of [...programs, 'gh', 'hub', 'wt.js', 'sh', 'bash', 'pwsh'])
      assert.ok(ruleFor(name) !== undefined, `nobody judges ${name}`);
    for (const name of ['git', 'gh', 'wt', 'wt.js', 'hub']) assert.ok(isSought(name), name);
  });
});
