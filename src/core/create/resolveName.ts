import type { Environment } from '../base/environment.ts';
import { samePath } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import { isDeviceName } from '../base/windowsNames.ts';
import type { Configuration } from '../repository/configuration.ts';
import { distinctSlugOf, slugOf } from '../repository/slug.ts';
import { takenLocation } from '../worktree/location.ts';
import type { Naming } from '../worktree/naming.ts';
import type { CreateContext } from './context.ts';
import { beingCreated } from './beingCreated.ts';
import { refuseDeviceName } from './fitName.ts';
import type { CreateRequest } from './request.ts';
import { refuseHeldWorkId } from './workIdName.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** In bytes. Git needs room for more behind the name in the names of its files. */
const longestName = 200;

/** Folders of `.worktrees/` that are ours. */
const reserved: ReadonlySet<string> = new Set(['bin', 'hooks']);

/** What a request says of the name. */
export interface GivenName {
  readonly name: string;
  /** It is the work id: no name was given. */
  readonly isWorkId: boolean;
}

/**
 * The name that a request gives: the one that was typed, or else the work id. Where there is a task as well, the task names the worktree,
 * unless the configured patterns use the work id; the answer is `undefined` then.
 *
 * @throws Problem `usage` when there is no name, no work id and no task, `invalid-name`.
 */
export function givenName(
  { name, task, workId }: Pick<CreateRequest, 'name' | 'task' | 'workId'>,
  { worktree }: Configuration,
): GivenName | undefined {
  const byWorkId = [worktree.locationPattern, worktree.branchPattern].some((each) => each.includes('{work_id}'));
  if (workId !== undefined) checkWorkId(workId);
  const typed = name?.trim();
  if (typed) return { name: checkName(typed), isWorkId: false };
  if (workId !== undefined && (byWorkId || !task?.trim())) return { name: workId, isWorkId: true };
  if (task?.trim()) return undefined;
  throw new Problem('usage', createMessages.newWorktreeNeeds(), { next: createMessages.giveNameWork() });
}

/**
 * Makes sure that a text can be the name of a worktree, and gives it back.
 *
 * @throws Problem `invalid-name`.
 */
export function checkName(name: string): string {
  const why = whyNotName(name);
  if (why === undefined) return name;
  throw new Problem('invalid-name', createMessages.invalidName({ name: JSON.stringify(name), why }), {
    next: createMessages.chooseAnotherName(),
  });
}

function checkWorkId(workId: string): void {
  const why = whyNotName(workId);
  if (why === undefined) return;
  throw new Problem('invalid-name', createMessages.invalidWorkId({ workId: JSON.stringify(workId), why }), {
    next: createMessages.chooseAnotherWorkId(),
  });
}

function whyNotName(name: string): Message | undefined {
  if (name === '') return createMessages.isEmpty();
  if (['@', '^', '.'].includes(name)) return createMessages.hasMeaning();
  if (name.startsWith('-')) return createMessages.looksLikeOption();
  if (name.split(/[\\/]/).some((part) => part === '..' || part === '.')) return createMessages.leadsElsewhere();
  if (/[\u0000-\u001f\u007f]/.test(name)) return createMessages.hasControlCharacter();
  if (Buffer.byteLength(name) > longestName) return createMessages.tooLong({ count: longestName });
  return undefined;
}

/**
 * The name of a new worktree, and its slug. Without a given name it is called after its task: like the task's slug, so that branch and
 * folder are called the same; two tasks with one slug get two names.
 *
 * @throws Problem `taken` when a worktree has the name, or another process is creating one; `invalid-name` for one that Windows cannot hold.
 */
export function resolveName(context: CreateContext, given: GivenName | undefined, task: string | undefined): Naming {
  const { listing, names, underWay } = context;
  const { platform } = context.workspace.environment;
  if (given) refuseDevice(context, given);
  if (given?.isWorkId) refuseHeldWorkId(context, given.name);
  // A worktree that is being created is not in the registry yet, and its folder is called like its slug: only its pending operation has its name.
  const isUnderWay = (index: number): boolean =>
    underWay.some(({ path }) => samePath(path, listing[index + 1]?.path ?? ''));
  const others = [...names.filter((_, index) => !isUnderWay(index)), ...underWay];
  const name = given?.name ?? nameForTask(task ?? '', others, platform);
  return { name, slug: chooseSlug(name, others, platform, () => taken(context, name)) };
}

function nameForTask(task: string, others: readonly Naming[], platform: Environment['platform']): string {
  const slug = slugOf(task);
  return others.some(({ name }) => name === slug) || isReserved(slug, platform) ? distinctSlugOf(task) : slug;
}

/** Whether a slug cannot be the name of a worktree's folder: another folder beside it is called so, or a device. */
function isReserved(slug: string, platform: Environment['platform']): boolean {
  return reserved.has(slug) || (platform === 'win32' && isDeviceName(slug));
}

function refuseDevice({ workspace, names, branches }: CreateContext, { name, isWorkId }: GivenName): void {
  const word = JSON.stringify(name);
  refuseDeviceName(name, workspace.environment.platform, {
    taken: [...names.map((each) => each.name), ...branches.local.keys()],
    tell: (why) =>
      isWorkId ? createMessages.invalidWorkId({ workId: word, why }) : createMessages.invalidName({ name: word, why }),
    next: (better) =>
      isWorkId
        ? createMessages.createNamedForWorkId({ name: quoted(better), id: quoted(name) })
        : createMessages.createNamed({ better: quoted(better) }),
  });
}

/**
 * The slug for a name among the worktrees that there are.
 *
 * @throws the given problem when there is a worktree of this name.
 */
export function chooseSlug(
  name: string,
  others: readonly Naming[],
  platform: Environment['platform'],
  taken: () => Problem,
): string {
  if (others.some((other) => other.name === name)) throw taken();
  const plain = slugOf(name);
  return isReserved(plain, platform) || others.some((other) => other.slug === plain) ? distinctSlugOf(name) : plain;
}

function taken({ listing, names, underWay }: CreateContext, name: string): Problem {
  const other = underWay.find((each) => each.name === name);
  const holder = listing[names.findIndex((each) => each.name === name) + 1];
  return other || !holder
    ? beingCreated({ name, interrupted: other?.interrupted ?? false })
    : takenLocation(holder, name);
}
