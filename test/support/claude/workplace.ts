import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { testHome, type TestHome, type TestRepository } from '../tempRepo.ts';
import { clientVariables, prepareClientHome, runClient, type ClientResult, type ClientRun } from './client.ts';
import { ensureClient } from './install.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
/** The plugin, as it is in a clone: beside it, a level up, are the bundles. */
export const pluginFolder = resolve(root, 'plugin');
/** The folder of the marketplace. */
export const marketplaceFolder = root;
const wtProgram = resolve(root, 'dist/wt.js');

/** A repository in a throw-away home, with Claude Code and `wt` at hand. */
export interface Workplace {
  readonly home: TestHome;
  readonly repository: TestRepository;
  /** Claude Code's program. */
  readonly program: string;
  /** Makes a worktree; its absolute path. */
  create(name: string, ...options: string[]): Promise<string>;
  /** Runs `wt` in a folder; its standard output. */
  wt(folder: string, ...args: string[]): Promise<string>;
  /** Runs Claude Code, in the repository unless told otherwise, with the plugin unless told otherwise. */
  run(options: Partial<ClientRun> & { readonly plugin?: string | false }): Promise<ClientResult>;
  /** Runs a command of Claude Code that needs no model. */
  command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  dispose(): Promise<void>;
}

/** Makes a {@link Workplace}. The main root is trusted, as a person would have said. */
export async function makeWorkplace(): Promise<Workplace> {
  assert.ok(existsSync(wtProgram), 'dist/wt.js is missing: run `npm run build` first');
  const program = await ensureClient();
  const home = await testHome({ bundles: true });
  const repository = await home.repository();
  await prepareClientHome(home, [repository.root]);
  const wt = async (folder: string, ...args: string[]): Promise<string> => {
    const { stdout } = await execute(process.execPath, [wtProgram, ...args], { cwd: folder, env: home.variables });
    return stdout.trimEnd();
  };
  return {
    home,
    repository,
    program,
    wt,
    create: async (name, ...options) => resolve(repository.root, await wt(repository.root, 'create', name, ...options)),
    run: ({ plugin = pluginFolder, args = [], ...run }) =>
      runClient(program, home, {
        cwd: repository.root,
        prompts: ['Begin.'],
        routes: [],
        ...run,
        args: [...(plugin === false ? [] : ['--plugin-dir', plugin]), ...args],
      }),
    command: async (...args) => {
      try {
        const running = execute(program, args, { cwd: repository.root, env: clientVariables(home) });
        // It would wait a while for input.
        running.child.stdin?.end();
        const { stdout, stderr } = await running;
        return { code: 0, stdout, stderr };
      } catch (thrown) {
        const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
        return { code, stdout, stderr };
      }
    },
    dispose: () => home.dispose(),
  };
}
