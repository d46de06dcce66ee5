import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dieRemoving } from './dieRemoving.ts';
import { runOnCopies } from './killOnCopies.ts';
import type { Killable } from './killEveryStep.ts';
import { startRemovals } from './killedCleanup.ts';

/** A worktree with two folders of build output, and one that is kept, of which the output is reclaimed. */
export async function killedReclaim(): Promise<Killable> {
  const at = await startRemovals();
  const { repository, workspace } = at;
  await repository.write('.gitignore', 'node_modules/\ndist/\n.data/\n');
  await repository.write('package.json', '{}\n');
  await repository.commit('Ignore', {});
  const path = await at.add('login');
  const files = ['node_modules/left/index.js', 'dist/app.js', 'dist/more/b.js', '.data/mine.txt'];
  const fill = async (): Promise<void> => {
    for (const file of files) await repository.write(join(path, file), `${file}\n`);
  };
  await fill();
  const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch((): string[] => [])).sort();
  const steps = runOnCopies(at.home.root, (into) => dieRemoving(at, 'login', 'reclaim', into));
  return {
    workspace,
    run: steps.run,
    picture: async () => [
      await repository.gitIn(path, 'status', '--porcelain'),
      files.map((file) => existsSync(join(path, file))),
      existsSync(join(path, 'dist')),
      await readFile(join(path, '.data/mine.txt'), 'utf8'),
      await namesIn(join(workspace.repository.commonDir, 'worktree-stacks', 'trash')),
      await namesIn(join(repository.root, '.worktrees')),
    ],
    reverse: fill,
    dispose: async () => {
      steps.forget();
      await at.dispose();
    },
  };
}
