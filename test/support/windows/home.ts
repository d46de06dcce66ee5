import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { hookProgram, spawnAndWait, wtHome, type Patience, type Ran, type WtHome } from '../../cli/support/wt.ts';
import { isWine } from '../systems.ts';

/** Programs have hung there once in a while: this says which, before mocha only says that the test took too long. */
export const patience: Patience = { within: 240_000, whatRuns };

/** The programs for Windows that run below Wine, as Linux knows them. */
function whatRuns(): string {
  if (!isWine) return '';
  const of = (pid: string): string[] => {
    try {
      const words = readFileSync(`Z:\\proc\\${pid}\\cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return /\.exe\b/i.test(words) ? [`${pid}: ${words}`] : [];
    } catch {
      // It has ended.
      return [];
    }
  };
  const pids = readdirSync('Z:\\proc').filter((name) => /^\d+$/.test(name));
  return ['Running then:', ...pids.flatMap(of)].join('\n');
}

/** A throw-away home with Git for Windows as it is installed: its own settings hold, such as `core.autocrlf=true`. */
export interface WindowsHome extends WtHome {
  /** Runs a hook as Claude Code does, with its input; its answer has to come without an error. */
  hook(folder: string, args: readonly string[], input: object): Promise<Ran>;
  /** Runs a program with what stands behind it as it is, without any quoting of ours. */
  command(folder: string, program: string, line: string): Promise<Ran>;
}

/** Makes a {@link WindowsHome}. */
export async function windowsHome(): Promise<WindowsHome> {
  const home = await wtHome(patience);
  delete home.variables['GIT_CONFIG_NOSYSTEM'];
  return {
    ...home,
    hook: async (folder, args, input) => {
      const ran = await home.wt(folder, args, { program: hookProgram, input: JSON.stringify(input) });
      assert.equal(ran.code, 0, `hook ${args.join(' ')} ended with ${ran.code}:\n${ran.stderr}`);
      return ran;
    },
    command: (folder, program, line) =>
      spawnAndWait(program, [line], folder, home.variables, { verbatim: true, patience }),
  };
}

/** What a guard has decided; `none` for no decision. */
export function decisionOf({ stdout }: Ran): string {
  if (stdout === '') return 'none';
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { permissionDecision: string } };
  return answer.hookSpecificOutput.permissionDecision;
}

/** The same path with its drive letter in the other case, as VS Code and Node write it. */
export function otherDrive(path: string): string {
  const [letter = ''] = path;
  return (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()) + path.slice(1);
}

/** The sh of Git for Windows, from where git itself is. */
export async function gitShell(home: WindowsHome): Promise<string> {
  const { stdout } = await spawnAndWait('git', ['--exec-path'], home.root, home.variables, { patience });
  // …/Git/mingw64/libexec/git-core
  return stdout.trim().replace(/[\\/]mingw64[\\/].*$/, '') + '/bin/sh.exe';
}
