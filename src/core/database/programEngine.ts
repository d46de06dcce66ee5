import type { Environment } from '../base/environment.ts';
import { runProgram, startedProcess } from '../base/process.ts';
import { untilFree } from './untilFree.ts';
import { EngineFailure, type Connection, type Engine, type OpenOptions, type Row } from './engine.ts';

/** What comes before the rows of the last statement. */
const marker = '=== rows ===';
/** The most that the program may print, in MiB. */
const most = 64;
/** How long the program may take to tell its version, in milliseconds. */
const versionTimeout = 10_000;

/**
 * Finds the program `duckdb`: on the path, unless another one is named.
 *
 * @returns `undefined` where there is none that answers.
 */
export async function findProgram(environment: Environment, program = 'duckdb'): Promise<Engine | undefined> {
  const { variables } = environment;
  const answer = await runProgram(program, ['--version'], { variables, timeout: versionTimeout });
  const version = /^v?\d+\.\d+\.\d+\S*/.exec(answer.stdout)?.[0];
  if (answer.failure || version === undefined) return undefined;
  return {
    kind: 'program',
    version,
    from: program,
    open: async (file, options = {}) => connect(environment, program, file, options),
  };
}

/** Each run is a process of its own: what is one transaction has to be one run. */
function connect(
  environment: Environment,
  program: string,
  file: string | undefined,
  options: OpenOptions,
): Connection {
  const { readOnly = false, setUp = [], signal } = options;
  const nothing = environment.platform === 'win32' ? 'NUL' : '/dev/null';
  // Instead of the person's own start file, which may change the output.
  const args = ['-init', nothing, '-bail', '-batch', '-json'];
  if (readOnly && file !== undefined) args.push('-readonly');
  args.push(file ?? ':memory:');
  return {
    run: async (statements) => {
      const script = scriptOf([...setUp, ...statements]);
      return rowsOf(await untilFree(options, () => runScript(environment, program, args, script, signal)));
    },
    close: () => {},
  };
}

/** A statement never begins with a dot, so that none is taken for a command of the program. */
function scriptOf(statements: readonly string[]): string {
  const ended = statements.map((each) => `${each.trim()}\n;\n`);
  const last = ended.pop() ?? '';
  return `${ended.join('')}.print ${marker}\n${last}`;
}

function rowsOf(output: string): readonly Row[] {
  const text = output.slice(output.lastIndexOf(`${marker}\n`) + marker.length + 1).trim();
  return text === '' ? [] : (JSON.parse(text) as Row[]);
}

async function runScript(
  { variables }: Environment,
  program: string,
  args: readonly string[],
  script: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const failure = (thrown: Error): EngineFailure =>
    new EngineFailure(signal?.aborted ? 'INTERRUPT Error: Interrupted!' : thrown.message, { cause: thrown });
  const options = { env: { ...variables }, stdio: 'pipe', signal } as const;
  const child = await startedProcess(program, args, options).catch((thrown) => {
    throw failure(thrown as Error);
  });
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let size = 0;
    let errors = '';
    const fail = (why: string, cause?: unknown): void => reject(new EngineFailure(why, { cause }));
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      output.push(chunk);
      if (size <= most * 1024 * 1024) return;
      fail(`Out of Range Error: the answer has more than ${most} MiB`);
      child.kill();
    });
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('error', (thrown) => reject(failure(thrown)));
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else fail(errors.trim() || `it ended with ${code}`);
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(script);
  });
}
