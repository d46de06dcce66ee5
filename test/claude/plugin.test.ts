import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { marketplaceFolder, makeWorkplace, pluginFolder, type Workplace } from '../support/claude/workplace.ts';

describe('the plugin', () => {
  let place: Workplace;
  before(async () => {
    place = await makeWorkplace();
    await place.create('one');
  });
  after(() => place.dispose());

  for (const [what, folder] of [
    ['the plugin', pluginFolder],
    ['the marketplace', marketplaceFolder],
  ] as const) {
    it(`has ${what} found valid, strictly`, async () => {
      const { code, stdout, stderr } = await place.command('plugin', 'validate', '--strict', folder);
      assert.equal(code, 0, `${stdout}${stderr}`);
      assert.match(stdout, /Validation passed/);
    });
  }

  it('is installed from a folder, and then works in every session', async () => {
    for (const args of [
      ['marketplace', 'add', marketplaceFolder],
      ['install', 'worktree-stacks@worktree-stacks'],
    ]) {
      const { code, stdout, stderr } = await place.command('plugin', ...args);
      assert.equal(code, 0, `${stdout}${stderr}`);
    }
    const result = await place.run({
      plugin: false,
      args: ['--allowedTools', 'Bash'],
      routes: [{ turns: [{ tools: [{ name: 'Bash', input: { command: 'wt --version', description: 'Ask' } }] }] }],
    });
    assert.match(
      result.requests[0]?.text ?? '',
      /ACTIVE WORKTREE: You have an active worktree at .*one \(branch: one\)/,
    );
    const { version } = JSON.parse(await readFile(join(marketplaceFolder, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(result.requests.at(-1)?.results[0]?.text, version);
  });

  it('is installed from the folder of an extension, which holds no sources', async () => {
    const extension = join(place.home.root, 'extension');
    for (const part of ['.claude-plugin', 'plugin', 'dist', 'package.json']) {
      await cp(join(marketplaceFolder, part), join(extension, part), { recursive: true });
    }
    await place.command('plugin', 'uninstall', 'worktree-stacks@worktree-stacks');
    await place.command('plugin', 'marketplace', 'remove', 'worktree-stacks');
    for (const args of [
      ['marketplace', 'add', extension],
      ['install', 'worktree-stacks@worktree-stacks'],
    ]) {
      const { code, stdout, stderr } = await place.command('plugin', ...args);
      assert.equal(code, 0, `${stdout}${stderr}`);
    }
    const result = await place.run({ plugin: false });
    assert.match(
      result.requests[0]?.text ?? '',
      /ACTIVE WORKTREE: You have an active worktree at .*one \(branch: one\)/,
    );
  });

  it('brings its skills along', async () => {
    const result = await place.run({});
    const init = result.events.find((event) => event['subtype'] === 'init') as { skills?: string[] } | undefined;
    for (const skill of ['worktree', 'worktree-lead', 'worktree-retrospective']) {
      assert.ok(init?.skills?.includes(`worktree-stacks:${skill}`), JSON.stringify(init?.skills));
    }
  });

  it('gives a generated agent the skill of a worker', async () => {
    const result = await place.run({
      prompts: ['MAIN-TASK'],
      routes: [
        {
          when: /MAIN-TASK/,
          turns: [
            {
              tools: [
                {
                  name: 'Agent',
                  input: { description: 'Work', prompt: 'SUB-TASK', subagent_type: 'wt-one', run_in_background: false },
                },
              ],
            },
          ],
        },
      ],
    });
    const inner = result.requests.find(({ text }) => /SUB-TASK/.test(text) && !/MAIN-TASK/.test(text));
    assert.match(inner?.text ?? '', /# Working in your worktree/);
    assert.deepEqual(
      inner?.tools.filter((tool) => /Agent|Task|Workflow|Cron|SendMessage/.test(tool)),
      [],
    );
  });
});
