import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { rm } from '../base/heldFiles.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { identityOf, mayBeAlive, type ProcessIdentity } from '../base/processes.ts';
import type { Repository } from '../repository/identity.ts';
import type { WorktreeVariables } from '../worktree/variables.ts';
import type { PlannedHook } from './plan.ts';

/** How a run of a command stands; `killed`: its process is gone and has said nothing. */
export type RunState = 'running' | 'passed' | 'failed' | 'timed-out' | 'cancelled' | 'killed';

/** What is kept of the last run of a command: a JSON file, and beside it what was printed. */
export interface KeptRun extends Pick<PlannedHook, 'event' | 'origin' | 'run' | 'timeout' | 'background'> {
  readonly id: string;
  /** The worktree that it was for. */
  readonly name: string;
  readonly slug: string;
  /** The folder that it runs in. */
  readonly folder: string;
  readonly variables: WorktreeVariables;
  readonly state: RunState;
  readonly exitCode?: number | undefined;
  readonly started: string;
  readonly ended?: string | undefined;
  readonly owner: ProcessIdentity;
}

/** So long what was printed is kept, in milliseconds; the next run of the same command replaces it before. */
const keptFor = 30 * 24 * 3_600_000;
/** How long the start of a process in the background may take, in milliseconds. */
const startTime = 10_000;
/** Characters at the beginning and at the end that are kept of what a command prints. */
const kept = { head: 262_144, tail: 65_536 };

function folderOf({ commonDir }: Repository): string {
  return join(commonDir, 'worktree-stacks', 'hook-runs');
}

/** The file that holds what a run has printed. */
export function outputFile(repository: Repository, id: string): string {
  return join(folderOf(repository), `${id}.log`);
}

/** Writes down how a run stands. */
export async function keepRun(repository: Repository, run: KeptRun): Promise<void> {
  await writeAtomically(join(folderOf(repository), `${run.id}.json`), `${JSON.stringify(run, null, 2)}\n`);
}

/** One run; `undefined` where there is none, or its file is damaged. */
export async function readRun(repository: Repository, id: string): Promise<KeptRun | undefined> {
  if (!/^[\w.-]+$/.test(id)) return undefined;
  const found = await readJsonObject(join(folderOf(repository), `${id}.json`)).catch(() => undefined);
  return isObject(found) && typeof found['run'] === 'string' && typeof found['event'] === 'string'
    ? (found as unknown as KeptRun)
    : undefined;
}

/** What is kept, the latest first. One that runs no more and has not said how it ended was killed. */
export async function keptRuns(environment: Environment, repository: Repository): Promise<KeptRun[]> {
  const names = await readdir(folderOf(repository)).catch((): string[] => []);
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  const runs = (await Promise.all(ids.map((id) => readRun(repository, id)))).filter((run) => run !== undefined);
  const seen = await Promise.all(
    runs.map(async (run): Promise<KeptRun> => {
      // One in the background belongs to whoever has started it until its own process is there.
      const isNew = run.background && environment.now().getTime() - Date.parse(run.started) < startTime;
      const isGone = run.state === 'running' && !isNew && !(await mayBeAlive(environment, run.owner));
      return isGone ? { ...run, state: 'killed' } : run;
    }),
  );
  return seen.sort((one, other) => other.started.localeCompare(one.started));
}

/** Begins a run: removes what is older than thirty days, and writes down that it runs. */
export async function beginRun(
  environment: Environment,
  repository: Repository,
  run: Omit<KeptRun, 'state' | 'started' | 'owner'>,
): Promise<KeptRun> {
  await removeOld(environment, repository);
  const started = environment.now().toISOString();
  const begun: KeptRun = { ...run, state: 'running', started, owner: await identityOf(environment) };
  await keepRun(repository, begun);
  return begun;
}

async function removeOld(environment: Environment, repository: Repository): Promise<void> {
  const folder = folderOf(repository);
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const file = join(folder, name);
    const age = environment.now().getTime() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? Infinity);
    if (age > keptFor) await rm(file, { force: true });
  }
}

/** Keeps what a command prints: the beginning and the end, however much it is. */
export class KeptOutput {
  readonly #file: WriteStream;
  #room = kept.head;
  #left = 0;
  #tail = '';

  private constructor(file: WriteStream) {
    this.#file = file;
    // A full disk ends what is kept, not the command.
    file.on('error', () => (this.#room = 0));
  }

  /** Begins anew in the file of a run. */
  static async open(repository: Repository, id: string): Promise<KeptOutput> {
    await mkdir(folderOf(repository), { recursive: true });
    return new KeptOutput(createWriteStream(outputFile(repository, id)));
  }

  write(text: string): void {
    const now = text.slice(0, Math.max(0, this.#room));
    this.#room -= text.length;
    if (now !== '') this.#file.write(now);
    const rest = text.slice(now.length);
    const tail = this.#tail + rest;
    this.#tail = tail.slice(-kept.tail);
    this.#left += tail.length - this.#tail.length;
  }

  async close(): Promise<void> {
    if (this.#left > 0) this.#file.write(`\n… ${this.#left} characters were left out …\n`);
    this.#file.end(this.#tail);
    await finished(this.#file).catch(() => undefined);
  }
}
