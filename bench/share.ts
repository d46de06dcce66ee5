import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyTree } from '../src/core/base/copyTree.ts';
import { compare, type Line } from './compare.ts';

const execute = promisify(execFile);
const [packages, files] = [1000, 50];

/** Bringing a folder of 50,000 files to another one, as `worktree.share` does, against `cp`. */
export async function benchShare(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Making a folder of 50,000 files…');
  const home = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'wt-bench-'));
  const [from, ours, theirs] = [join(home, 'from'), join(home, 'ours'), join(home, 'theirs')];
  const write = async (number: number): Promise<void> => {
    const folder = join(from, `p${number % 40}`, `p${number}`, 'lib');
    await mkdir(folder, { recursive: true });
    for (let file = 0; file < files; file++)
      await writeFile(join(folder, `f${file}.js`), `${number} ${file}\n`.repeat(20 + ((number * file) % 400)));
  };
  try {
    for (let number = 0; number < packages; number++) await write(number);
    const clear = (folder: string) => (): Promise<void> => rm(folder, { recursive: true, force: true });
    return [
      await compare(
        { work: 'sharing 50k files', baseline: 'cp -a --reflink=auto', aim: 1 },
        { run: async () => void (await copyTree(from, ours, { method: 'cheap' })), after: clear(ours) },
        {
          run: async () => void (await execute('cp', ['-a', '--reflink=auto', from, theirs])),
          after: clear(theirs),
        },
        rounds,
      ),
    ];
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
