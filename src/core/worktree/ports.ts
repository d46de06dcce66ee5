import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isPortFree } from '../base/boundPorts.ts';
import { withFileLock } from '../base/fileLock.ts';
import { Problem } from '../base/problem.ts';
import { gitDirOf } from '../git/gitFile.ts';
import type { Message } from '../messages/message.ts';
import { worktreeMessages } from '../messages/worktree.ts';
import type { Configuration } from '../repository/configuration.ts';
import type { PortSettings } from '../repository/lifeConfiguration.ts';
import { portNumbers, type PortBlock } from '../repository/portBlock.ts';
import { readRegistry, updateRegistry } from '../repository/registry.ts';
import type { Worktree } from './model.ts';
import type { Workspace } from './workspace.ts';

/** A worktree as far as its ports are concerned; its id is looked up where it is not given. */
export type PortHolder = Pick<Worktree, 'name' | 'path' | 'main'> & Partial<Pick<Worktree, 'id' | 'ports'>>;

/**
 * The ports of a worktree: those on record, else a block of its own, which is recorded now. The first choice is the same for a name at all
 * times; a block that another worktree of the repository has, or in which somebody listens, is passed over.
 *
 * @param wanted is taken before the first choice, where it is free.
 * @returns `undefined` where the team has not asked for ports, for the main working tree, and for what is no worktree.
 * @throws Problem `in-use` (outcome incomplete) when no block of the range is free; as `updateRegistry`.
 */
export async function reservePorts(
  workspace: Workspace,
  worktree: PortHolder,
  wanted?: PortBlock,
): Promise<PortBlock | undefined> {
  const { configuration, environment, repository } = workspace;
  const { ports: settings } = configuration;
  if (!settings || worktree.main) return undefined;
  const recorded = recordedPorts(configuration, worktree.ports);
  if (recorded) return recorded;
  const id = worktree.id ?? (await idAt(worktree.path));
  if (id === undefined) return undefined;
  // Who looks at a port listens on it for a moment: two at once would see each other.
  return withFileLock(environment, join(repository.commonDir, 'worktree-stacks', 'ports'), async () => {
    const known = (await readRegistry(repository)).ports.get(id);
    if (known && fits(known, settings)) return cut(known, settings);
    const names = await readdir(join(repository.commonDir, 'worktrees')).catch((): string[] => []);
    // Some disks of macOS give names with their accents in another way than git.
    const living = new Set(names.flatMap((name) => [name, name.normalize('NFC')]));
    const others = async (): Promise<PortBlock[]> =>
      [...(await readRegistry(repository)).ports].flatMap(([each, block]) =>
        each !== id && living.has(each) ? [block] : [],
      );
    const block = await freeBlock(settings, firstChoice(repository.name, worktree.name), await others(), wanted);
    if (!block) throw noneFree(worktree.name, settings);
    await updateRegistry(environment, repository, ({ ports }) => {
      // Those of worktrees that git has removed by itself are free again.
      for (const each of ports.keys()) if (!living.has(each)) ports.delete(each);
      ports.set(id, block);
    });
    return block;
  });
}

/** The ports of a worktree ({@link reservePorts}), and what is to be told where none could be had: nothing depends on them. */
export async function reserveOrSay(
  workspace: Workspace,
  worktree: PortHolder,
  wanted?: PortBlock,
): Promise<[ports: PortBlock | undefined, notes: Message[]]> {
  try {
    return [await reservePorts(workspace, worktree, wanted), []];
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return [undefined, [thrown.what, ...(thrown.nextStep ? [worktreeMessages.next({ step: thrown.nextStep })] : [])]];
  }
}

/** The ports on record as far as they hold under the settings of today; `undefined` where new ones would be needed. */
export function recordedPorts(
  { ports: settings }: Pick<Configuration, 'ports'>,
  block: PortBlock | undefined,
): PortBlock | undefined {
  return settings && block && fits(block, settings) ? cut(block, settings) : undefined;
}

/** A block that was recorded under other settings holds as long as it has enough ports, all of them in the range. */
function fits({ first, count }: PortBlock, { from, to, each }: PortSettings): boolean {
  return count >= each && first >= from && first + each - 1 <= to;
}

const cut = ({ first }: PortBlock, { each }: PortSettings): PortBlock => ({ first, count: each });

async function idAt(path: string): Promise<string | undefined> {
  const gitDir = await gitDirOf(path);
  return gitDir === undefined ? undefined : basename(gitDir);
}

/** A number that stays the same for a worktree's name, and is another one in another repository. */
function firstChoice(repository: string, name: string): number {
  return createHash('sha256').update(`${repository}\0${name}`).digest().readUIntBE(0, 6);
}

/** The first block that nobody has, beginning with the choice and going round. */
async function freeBlock(
  { from, to, each }: PortSettings,
  choice: number,
  others: readonly PortBlock[],
  wanted: PortBlock | undefined,
): Promise<PortBlock | undefined> {
  const blocks = Math.floor((to - from + 1) / each);
  const isFree = async (first: number): Promise<boolean> => {
    if (others.some((other) => first < other.first + other.count && other.first < first + each)) return false;
    return (await Promise.all(portNumbers({ first, count: each }).map(isPortFree))).every(Boolean);
  };
  if (wanted && fits(wanted, { from, to, each }) && (await isFree(wanted.first)))
    return { first: wanted.first, count: each };
  for (let at = 0; at < blocks; at++) {
    const first = from + ((choice + at) % blocks) * each;
    if (await isFree(first)) return { first, count: each };
  }
  return undefined;
}

function noneFree(name: string, { from, to, each }: PortSettings): Problem {
  return new Problem('in-use', worktreeMessages.noPorts({ name, count: each, range: `${from}-${to}` }), {
    next: worktreeMessages.widenRange(),
    outcome: 'incomplete',
  });
}
