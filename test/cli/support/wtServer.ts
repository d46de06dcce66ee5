/**
 * Runs `wt` again and again in one process, as a program apart would run it: a line of JSON in for each run (`cwd`, `args`, `input`), a line of
 * JSON out (`code`, `stdout`, `stderr`). Argument: the bundle.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';

const [bundle = ''] = process.argv.slice(2);
const { main } = createRequire(import.meta.url)(bundle) as { main: (from: NodeJS.Process) => Promise<void> };

class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

function sink(chunks: Buffer[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { cwd, args, input } = JSON.parse(line) as { cwd: string; args: string[]; input: string };
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const own = {
    argv: [process.execPath, bundle.replace(/wtProgram\.js$/, 'wt.js'), ...args],
    env: { ...process.env, PWD: cwd },
    cwd: () => cwd,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: sink(out),
    stderr: sink(err),
    exitCode: undefined,
    on: () => undefined,
    off: () => undefined,
    exit: (code: number) => {
      throw new Exit(code);
    },
  };
  const fake = Object.create(process, Object.getOwnPropertyDescriptors(own)) as NodeJS.Process;
  let thrown: unknown;
  try {
    await main(fake);
  } catch (caught) {
    thrown = caught;
  }
  const code = thrown instanceof Exit ? thrown.code : thrown === undefined ? (fake.exitCode ?? 0) : 99;
  const stderr =
    Buffer.concat(err).toString() +
    (thrown === undefined || thrown instanceof Exit
      ? ''
      : thrown instanceof Error
        ? thrown.message
        : 'something was thrown');
  process.stdout.write(`${JSON.stringify({ code, stdout: Buffer.concat(out).toString(), stderr })}\n`);
}
