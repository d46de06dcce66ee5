import { chmod, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { modeOfNewFile } from '../base/sharing.ts';
import type { Repository } from './identity.ts';
import { hookLauncher, isRuntime, launchedProgram } from './launcherFile.ts';
import { batchHook, batchStart } from './batchLauncher.ts';

/** The bundled programs, as absolute paths. */
export interface Programs {
  /** `wt.js` */
  readonly wt: string;
  /** `hook.js` */
  readonly hook: string;
}

/** A launcher as it should be on disk. */
export interface Launcher {
  readonly file: string;
  readonly text: string;
}

/**
 * The launchers of a repository, below `.worktrees/`: `bin/wt`, and `hooks/run` for Claude Code's hooks, each for a POSIX
 * shell and for Windows. They start the bundled program with the JavaScript runtime that wrote them, or the `node` on the path.
 *
 * `hooks/run` fails closed: when nothing can be started, or the hook does not end well, it prints nothing on standard output
 * and exits 2, which Claude Code takes for a denial. With `--must-answer` as its first argument silence is a failure too.
 */
export function launchersFor(environment: Environment, repository: Repository, programs: Programs): Launcher[] {
  const folder = join(repository.mainRoot, '.worktrees');
  const { runtime, variables } = environment;
  const onWindows = { runtime, program: programs.hook, variables };
  return [
    ...commandLaunchers(environment, join(folder, 'bin'), programs.wt),
    { file: join(folder, 'hooks', 'run'), text: shellLauncher(runtime, programs.hook, startHook) },
    { file: join(folder, 'hooks', 'run.cmd'), text: batchHook(onWindows, quickStart) },
  ];
}

/** The launchers of `wt` alone, for a folder that is on somebody's path. */
export function commandLaunchers({ runtime, variables }: Environment, folder: string, wt: string): Launcher[] {
  return [
    { file: join(folder, 'wt'), text: shellLauncher(runtime, wt, startProgram) },
    { file: join(folder, 'wt.cmd'), text: batchStart({ runtime, program: wt, variables }) },
  ];
}

/**
 * Writes the launchers that are missing, or not as they should be: after an update of the product they name the old program.
 *
 * @returns the files that were written.
 * @throws Problem `not-writable`, `unreadable-file`.
 */
export async function writeLaunchers(
  environment: Environment,
  repository: Repository,
  programs: Programs,
): Promise<string[]> {
  return writeLauncherFiles(environment, launchersFor(environment, repository, programs));
}

/**
 * Writes the launchers anew when the program that they start is not there: a container and its host, which use the same folder in turn,
 * have it at two places. One that starts another program which is there is left alone; which one it should be is not decided here.
 *
 * @returns the files that were written; none where there have been no launchers.
 * @throws Problem as {@link writeLaunchers}.
 */
export async function repairLaunchers(
  environment: Environment,
  repository: Repository,
  programs: Programs,
): Promise<string[]> {
  const own = launchersFor(environment, repository, programs);
  const text = await readTextIfThere(hookLauncher(repository.mainRoot)).catch(() => undefined);
  if (text === undefined) return [];
  const program = launchedProgram(text);
  const there = program !== undefined && (await stat(program).catch(() => undefined)) !== undefined;
  return there ? [] : writeLauncherFiles(environment, own);
}

/** The same for any launchers. */
export async function writeLauncherFiles(environment: Environment, launchers: readonly Launcher[]): Promise<string[]> {
  const written = await Promise.all(
    launchers.map(async ({ file, text }) => {
      const mode = modeOfNewFile(file, 0o755) ?? 0o755;
      if ((await readTextIfThere(file)) === text && (await isExecutable(environment, file, mode))) return [];
      await writeAtomically(file, text, { mode: 0o755 });
      // An existing file keeps its mode when it is replaced.
      await chmod(file, mode);
      return [file];
    }),
  );
  return written.flat();
}

async function isExecutable({ platform }: Environment, file: string, mode: number): Promise<boolean> {
  const wanted = mode & 0o111;
  return platform === 'win32' || ((await stat(file)).mode & wanted) === wanted;
}

const shellWord = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function shellLauncher(runtime: string, program: string, start: string): string {
  const asNode = isRuntime(basename(runtime)) ? '' : '\n  ELECTRON_RUN_AS_NODE=1; export ELECTRON_RUN_AS_NODE';
  return `#!/bin/sh
# Written by Worktree Stacks, and anew whenever it differs. Starts the bundled program.
program=${shellWord(program)}
runtime=${shellWord(runtime)}
fail() {
  printf 'Worktree Stacks: %s\\n' "$1" >&2
  exit 2
}
[ -f "$program" ] || fail "$program is missing; reinstall Worktree Stacks, then run \\\`wt doctor --fix\\\`."
if [ -x "$runtime" ]; then
  :${asNode}
else
  runtime=$(command -v node) || fail "no JavaScript runtime was found; install Node.js 20 or later."
fi
${start}
`;
}

const startProgram = 'exec "$runtime" "$program" "$@"';

/**
 * Options of Node for a fast start. The first one leaves out a protection against predictable hashes, which takes an eighth of a guard's
 * time; a guard's own limits hold for text that is made to be slow. The others switch off two compilers, which take a twelfth and pay only in
 * programs that run longer. A Node that does not know one of them exits with 9 and has read nothing.
 */
export const quickStart: readonly string[] = ['--no-rehash-snapshot', '--no-sparkplug', '--no-maglev'];

/**
 * The output is held back until the hook has ended well, so that half an answer never looks like one. Node would obey two variables
 * before our program: a preload that fails ends it, and reading certificates doubles the time it takes to start.
 */
const startHook = `unset NODE_OPTIONS NODE_EXTRA_CA_CERTS
must_answer=
if [ "$1" = --must-answer ]; then
  must_answer=yes
  shift
fi
answer() {
  output=$("$runtime" "$@")
  code=$?
}
code=9
case \${runtime##*/} in
node | nodejs) answer ${quickStart.join(' ')} "$program" "$@" ;;
esac
[ "$code" -ne 9 ] || answer "$program" "$@"
[ "$code" -eq 2 ] && exit 2
[ "$code" -eq 0 ] || fail "the hook ended with exit code $code, so nothing is allowed."
[ -n "$output" ] || [ -z "$must_answer" ] || fail "the hook gave no answer, so nothing is allowed."
# Claude Code lets a call through whose guard says something that it does not understand.
case $output in
'' | '{'*'}') ;;
*) fail "the hook gave no answer that can be understood, so nothing is allowed." ;;
esac
[ -z "$output" ] || printf '%s\\n' "$output"
exit 0`;
