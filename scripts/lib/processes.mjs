// Starting, watching and ending child processes. Node's own modules only: these scripts run before anything is installed.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

/** An end that a person can act on. It is printed as its sentence, never with a stack. */
export class Failure extends Error {}

/** Whether the person has ended us. */
let ending = false;

const windows = process.platform === 'win32';

/**
 * The children that run now, to be ended when the person ends us.
 * @type {Set<number | undefined>}
 */
const live = new Set();

/**
 * Tells the person what is being done. Progress goes to standard error, so that standard output stays an answer.
 * @param {string} sentence
 */
export function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

/**
 * Runs a script's main function and turns its end into an exit code and at most one sentence.
 * @param {() => Promise<number | void>} program
 */
export async function main(program) {
  try {
    process.exitCode = (await program()) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    // What broke because the person ended it needs no words.
    if (ending) return;
    // parseArgs words its errors for the person who typed.
    const typed = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (error instanceof Failure || typed) say(error.message);
    else if (process.env['DEBUG']) console.error(error);
    else say(`Unexpected: ${error instanceof Error ? error.message : String(error)} (DEBUG=1 shows where)`);
  }
}

/**
 * Calls back once when the person ends us, by Ctrl-C or otherwise, after our children were ended.
 * @param {() => Promise<void> | void} ended
 */
export function onEnd(ended) {
  const end = async () => {
    // The terminal and npm may both pass it on.
    if (ending) return;
    ending = true;
    clearInterval(orphaned);
    await Promise.all([...live].map((pid) => pid !== undefined && stopTree(pid)));
    await ended();
  };
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, end);
  // npm runs us in a shell, and hands its own SIGTERM to that shell only: a new parent is how we hear of it.
  const parent = process.ppid;
  const orphaned = setInterval(() => process.ppid !== parent && void end(), 250);
  orphaned.unref();
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [quiet] Keep what it prints, and show it only if it fails.
 * @property {string} [into] A file for what it prints.
 * @property {number} [niceness] How far it stands back behind others, 0 to 19.
 * @property {number} [deadline] Milliseconds after which it and its children are ended.
 */

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string, late: boolean }>} `code` is 127 when it could not be started.
 */
export function run(command, args, options = {}) {
  // npm and code are .cmd files there, which only a shell can start, and which sees blanks in a path.
  const shell = windows && /^npm$|\.cmd$/.test(command);
  const file = options.into === undefined ? undefined : openSync(options.into, 'w');
  const prints = file ?? (options.quiet ? 'pipe' : 'inherit');
  const child = spawn(command, shell ? args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)) : args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', prints, prints],
    shell,
  });
  if (file !== undefined) closeSync(file);
  live.add(child.pid);
  if (options.niceness && child.pid !== undefined) stepBack(child.pid, options.niceness);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
  let late = false;
  const timer = options.deadline
    ? setTimeout(() => {
        late = true;
        if (child.pid !== undefined) void stopTree(child.pid);
      }, options.deadline)
    : undefined;
  return new Promise((resolve) => {
    /** @param {number} code */
    const done = (code) => {
      clearTimeout(timer);
      live.delete(child.pid);
      resolve({ code, output, late });
    };
    child.once('error', (error) => {
      output += error.message;
      done(127);
    });
    child.once('close', (code, signal) => done(code ?? (signal ? 128 : 1)));
  });
}

/**
 * @param {number} pid
 * @param {number} niceness
 */
function stepBack(pid, niceness) {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or the system does not allow it: it runs as it is.
  }
}

/**
 * Runs a command that has to succeed, quietly; a failure ends with the sentence and what the command said.
 * @param {string} sentence what could not be done
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} what it printed
 */
export async function must(sentence, command, args, options = {}) {
  const { code, output } = await run(command, args, { quiet: true, ...options });
  if (code === 0) return output;
  const tail = output.trim().split('\n').slice(-15).join('\n');
  throw new Failure(`${sentence} \`${command} ${args.join(' ')}\` ended with ${code}:\n${tail}`);
}

/**
 * The processes that a process started, directly or not.
 * @param {number} root
 * @returns {Promise<number[]>} deepest last
 */
export async function descendants(root) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const [pid, parent] of await processTable()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found = [];
  for (let queue = [root]; queue.length > 0;) {
    const next = queue.flatMap((pid) => children.get(pid) ?? []);
    found.push(...next);
    queue = next;
  }
  return found;
}

/** @returns {Promise<[pid: number, parent: number][]>} */
async function processTable() {
  if (process.platform !== 'linux') {
    const { output } = await run('ps', ['-A', '-o', 'pid=,ppid='], { quiet: true });
    return output.split('\n').flatMap((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number);
      return pid && parent ? [[pid, parent]] : [];
    });
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // "pid (any name, also with spaces and brackets) state parent …"
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return /** @type {[number, number]} */ ([Number(pid), parent]);
    }),
  );
  return rows.filter(([, parent]) => parent > 0);
}

/**
 * Ends a process and all that it started: asks first, and kills what has not gone after the grace.
 * Children are looked up before the parent goes, because orphans can no longer be found.
 * @param {number} pid
 * @param {number} [grace] milliseconds
 */
export async function stopTree(pid, grace = 5000) {
  if (windows) {
    await run('taskkill', ['/pid', String(pid), '/T', '/F'], { quiet: true });
    return;
  }
  const pids = [pid, ...(await descendants(pid))];
  for (const each of pids) signal(each, 'SIGTERM');
  if (await gone(pids, grace)) return;
  for (const each of pids) signal(each, 'SIGKILL');
  await gone(pids, grace);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} name
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * @param {readonly number[]} pids
 * @param {number} within milliseconds
 */
async function gone(pids, within) {
  const deadline = Date.now() + within;
  while (pids.some((pid) => signal(pid, 0))) {
    if (Date.now() > deadline) return false;
    // The operating system has no event for the end of a process that is not one's own child.
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}
