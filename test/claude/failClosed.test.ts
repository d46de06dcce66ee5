import assert from 'node:assert/strict';
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ClientRun } from '../support/claude/client.ts';
import { makeWorkplace, pluginFolder, type Workplace } from '../support/claude/workplace.ts';

describe('a guard that cannot do its work', () => {
  let place: Workplace;
  let worktree: string;
  /** A plugin with bundles of its own, which can be broken. */
  let plugin: string;
  before(async () => {
    place = await makeWorkplace();
    worktree = await place.create('one');
  });
  after(() => place.dispose());
  beforeEach(async () => {
    plugin = join(place.home.root, 'plugin');
    await rm(plugin, { recursive: true, force: true });
    await cp(pluginFolder, plugin, { recursive: true });
    await mkdir(join(plugin, 'dist'));
    const dist = resolve(pluginFolder, '..', 'dist');
    for (const name of await readdir(dist)) {
      if (/\.js$|^package\.json$/.test(name)) await cp(join(dist, name), join(plugin, 'dist', name));
    }
  });

  /** Folders with every program that the launchers need, but without a JavaScript runtime. */
  const pathWithoutNode = async (): Promise<string> => {
    const folder = join(place.home.root, 'bin-without-node');
    await mkdir(folder, { recursive: true });
    for (const name of ['sh', 'git', 'cat', 'ls', 'env', 'touch', 'bash', 'zsh']) {
      for (const from of ['/usr/bin', '/bin', '/usr/local/bin']) {
        if (await there(join(from, name))) await symlink(join(from, name), join(folder, name)).catch(() => {});
      }
    }
    return folder;
  };
  /** Whether a command that makes a file was carried out. */
  const wasCarriedOut = async (
    run: Partial<ClientRun> & { plugin?: string | false },
  ): Promise<{ done: boolean; told: string }> => {
    const mark = join(place.home.root, 'carried-out');
    await rm(mark, { force: true });
    const result = await place.run({
      ...run,
      args: [...(run.args ?? []), '--allowedTools', 'Bash'],
      routes: [{ turns: [{ tools: [{ name: 'Bash', input: { command: `touch ${mark}`, description: 'Do it' } }] }] }],
    });
    assert.equal(result.exitCode, 0, result.stderr);
    return { done: await there(mark), told: result.requests.at(-1)?.results.at(-1)?.text ?? '' };
  };
  const there = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );

  describe('in the plugin, for a session in a worktree', () => {
    const inWorktree = async (variables: Record<string, string> = {}) =>
      wasCarriedOut({ cwd: worktree, plugin, variables });

    it('lets a harmless call through as long as it works', async () => {
      assert.equal((await inWorktree()).done, true);
    });

    it('blocks when there is no JavaScript runtime, and says what helps', async function () {
      if (
        await Promise.all(['/usr/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node'].map(there)).then((found) =>
          found.includes(true),
        )
      ) {
        // The launcher looks in these places as well: a runtime that cannot start stands for one that is missing.
        const broken = join(place.home.root, 'no-node');
        await writeFile(broken, '#!/nonexistent\n');
        await chmod(broken, 0o755);
        const { done, told } = await inWorktree({ WORKTREE_STACKS_NODE: broken });
        assert.equal(done, false);
        assert.match(told, /could not check it/);
        return;
      }
      const { done, told } = await inWorktree({ PATH: await pathWithoutNode() });
      assert.equal(done, false);
      assert.match(told, /no Node\.js was found; install Node\.js 20/);
    });

    it('blocks when its bundle is gone', async () => {
      await rm(join(plugin, 'dist'), { recursive: true });
      const { done, told } = await inWorktree();
      assert.equal(done, false);
      assert.match(told, /hook\.js is missing/);
    });

    it('blocks when its bundle is damaged', async () => {
      await writeFile(join(plugin, 'dist', 'hook.js'), 'this is (not JavaScript');
      assert.equal((await inWorktree()).done, false);
    });

    it('blocks when its bundle says something else than an answer', async () => {
      await writeFile(join(plugin, 'dist', 'hook.js'), 'console.log("all is well")');
      const { done, told } = await inWorktree();
      assert.equal(done, false);
      assert.match(told, /no answer that can be understood/);
    });

    it('blocks when the launcher itself is gone', async () => {
      await rm(join(plugin, 'bin', 'wt'));
      assert.equal((await inWorktree()).done, false);
    });

    it('blocks when it hangs', async () => {
      await writeFile(join(plugin, 'dist', 'hook.js'), 'setTimeout(() => {}, 1e8)');
      assert.equal((await inWorktree()).done, false);
    });

    it('blocks when the registry is damaged', async () => {
      const registry = join(place.repository.root, '.worktrees', 'stack.json');
      await rename(registry, `${registry}.kept`);
      try {
        await writeFile(registry, '{ "worktrees": { "one": ');
        const { done, told } = await inWorktree();
        assert.equal(done, false);
        assert.match(told, /stack\.json cannot be read/);
      } finally {
        await rename(`${registry}.kept`, registry);
      }
    });

    it('obeys no preload that would end it before it begins', async () => {
      assert.equal((await inWorktree({ NODE_OPTIONS: '--require=/nonexistent.js' })).done, true);
    });
  });

  it('does not stop a session in a repository without worktrees', async () => {
    const other = await place.home.repository('other');
    await rm(join(plugin, 'dist'), { recursive: true });
    assert.equal((await wasCarriedOut({ cwd: other.root, plugin })).done, true);
  });

  describe('of a generated agent', () => {
    const asAgent = async (): Promise<{ done: boolean; told: string }> =>
      wasCarriedOut({ plugin: false, args: ['--agent', 'wt-one'] });
    const launcher = (): string => join(place.repository.root, '.worktrees', 'hooks', 'run');
    const kept = (): string => `${launcher()}.kept`;
    beforeEach(() => cp(launcher(), kept()));
    afterEach(() => rename(kept(), launcher()));

    it('lets a harmless call through as long as it works', async () => {
      assert.equal((await asAgent()).done, true);
    });

    it('blocks when the launcher is gone', async () => {
      await rm(launcher());
      assert.equal((await asAgent()).done, false);
    });

    it('blocks when what it starts says something else than an answer', async () => {
      const text = await readFile(launcher(), 'utf8');
      const liar = join(place.home.root, 'liar.js');
      await writeFile(liar, 'console.log("all is well")');
      await writeFile(launcher(), text.replace(/^program=.*$/m, `program='${liar}'`));
      const { done, told } = await asAgent();
      assert.equal(done, false);
      assert.match(told, /no answer that can be understood/);
    });

    it('blocks when it ends with an error', async () => {
      await writeFile(launcher(), '#!/bin/sh\nexit 1\n');
      assert.equal((await asAgent()).done, false);
    });

    it('blocks when it hangs', async () => {
      await writeFile(launcher(), '#!/bin/sh\nexec sleep 1000\n');
      assert.equal((await asAgent()).done, false);
    });
  });
});
