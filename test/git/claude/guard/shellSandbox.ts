import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that ran, with its arguments: `['git', 'push']`. */
export type Run = readonly string[];

/** Programs that only write down that they were run. */
const marked = ['git', 'gh', 'wt', 'hub', 'git-push', 'git-fetch'];
/** Real programs that scripts may use; all others are not found. */
const tools =
  'sh bash dash env xargs cat head tail tr rev base64 timeout nice nohup stdbuf sed awk find tee sort uniq seq grep true false printf echo basename'.split(
    ' ',
  );

const separator = '\x1f';
const end = '\x1e';

/** Runs scripts in real bash, in an empty folder each, where `git` and the like are markers and hardly anything else is found. */
export interface ShellSandbox {
  /** What each script ran of the marked programs. */
  run(scripts: readonly string[]): Promise<Run[][]>;
  dispose(): Promise<void>;
}

/** Whether a script can be run here without touching anything outside: it names no path and signals no process. */
export function isHarmless(script: string): boolean {
  const rest = script.replaceAll(/\/dev\/(?:null|stdin|fd\/\d+)|\.\/(?!\.)/g, ' ');
  return !/[/~\0]|\.\.|\b(?:kill|exec\s+-c|ulimit|command\s+-p|suspend|login|logout)\b|https?:/.test(rest);
}

/** Whether this machine has what the sandbox is made of. */
export function canSandbox(): boolean {
  return ['/bin/bash', '/bin/mkdir', '/bin/cp', '/usr/bin/timeout'].every((file) => existsSync(file));
}

/** Makes a sandbox in a temporary folder. */
export async function shellSandbox(): Promise<ShellSandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'wt-shell-')));
  const [bin, log] = [join(root, 'bin'), join(root, 'log')];
  await Promise.all([mkdir(bin), mkdir(join(root, 'home'))]);
  const dash = existsSync('/bin/dash');
  for (const name of marked) {
    const file = join(bin, name);
    // Read as a script (`source git`, `bash git`) the real program would do nothing, and so does this.
    const isRun = `[ "\${0##*/}" = ${name} ]${dash ? ' && [ -z "$BASH_VERSION" ]' : ''} || exit 1`;
    const write = `{ printf '%s${separator}' ${name} "$@"; printf '${end}'; } >> '${log}'`;
    await writeFile(file, `#!${dash ? '/bin/dash' : '/bin/sh'}\n${isRun}\n${write}\n`);
    await chmod(file, 0o755);
  }
  for (const name of tools) {
    const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) await symlink(found, join(bin, name));
  }
  const driver = join(root, 'driver.sh');
  await writeFile(
    driver,
    `exec 2> /dev/null
ulimit -f 2048 -t 5
cd '${root}/cwd'
for script in ../in/*; do
  name=\${script##*/}
  /bin/mkdir "$name"
  cd "$name"
  : > '${log}'
  /usr/bin/timeout -s KILL 3 /bin/bash -O expand_aliases -c "$(< "../$script")" < /dev/null > /dev/null 2>&1 &
  wait $!
  # What it left running in the background would write into the next one's record.
  kill -KILL -- -$!
  [ -s '${log}' ] && /bin/cp '${log}' "../../out/$name"
  cd '${root}/cwd'
done
`,
  );
  return {
    run: (scripts) => runAll(root, driver, scripts),
    dispose: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function runAll(root: string, driver: string, scripts: readonly string[]): Promise<Run[][]> {
  const folders = ['in', 'out', 'cwd'].map((name) => join(root, name));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  await Promise.all(folders.map((folder) => mkdir(folder)));
  const nameOf = (index: number): string => String(index).padStart(6, '0');
  await Promise.all(scripts.map((script, index) => writeFile(join(root, 'in', nameOf(index)), script)));
  const environment = { PATH: join(root, 'bin'), HOME: join(root, 'home'), LC_ALL: 'C.UTF-8', TERM: 'dumb' };
  const child = spawn('/bin/bash', [driver], { env: environment, stdio: 'ignore', detached: true });
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  endGroup(child.pid);
  const ran: Run[][] = scripts.map(() => []);
  for (const name of await readdir(join(root, 'out'))) {
    const text = await readFile(join(root, 'out', name), 'utf8');
    ran[Number(name)] = text
      .split(end)
      .filter((each) => each !== '')
      .map((each) => each.split(separator).slice(0, -1));
  }
  return ran;
}

/** Ends what a script left running in the background. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}
