import { createHash, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { userFolders } from '../base/userFolders.ts';
import type { Repository } from './identity.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** The user's file of approvals: outside every repository, so that no repository can approve its own commands. */
export function approvalsFile(environment: Environment): string {
  return join(userFolders(environment).config, 'approvals.json');
}

/**
 * Whether the user has approved exactly these commands, in this order, in this repository. No commands need no approval.
 *
 * @throws Problem `unreadable-file` when the file of approvals is damaged: then nothing counts as approved.
 */
export async function isApproved(
  environment: Environment,
  repository: Repository,
  commands: readonly string[],
): Promise<boolean> {
  if (commands.length === 0) return true;
  const approvals = await readApprovals(approvalsFile(environment));
  if (Object.hasOwn(approvals, keyOf(repository.commonDir, commands))) return true;
  const id = await idOf(repository);
  return id !== undefined && Object.hasOwn(approvals, keyOf(id, commands));
}

/**
 * Remembers that the user has approved these commands in this repository.
 *
 * @throws Problem `unreadable-file` (the file stays as it is), `not-writable`.
 */
export async function approve(
  environment: Environment,
  repository: Repository,
  commands: readonly string[],
): Promise<void> {
  const file = approvalsFile(environment);
  await withFileLock(environment, file, async () => {
    const whole = (await readJsonObject(file)) ?? {};
    const approvals = await readApprovals(file);
    const approval = { repository: repository.commonDir, commands, approved: environment.now().toISOString() };
    const keys = [repository.commonDir, await ensureId(repository)].filter((each) => each !== undefined);
    const added = Object.fromEntries(keys.map((each) => [keyOf(each, commands), approval]));
    const next = { ...whole, version: 1, approvals: { ...approvals, ...added } };
    await writeAtomically(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  });
}

async function readApprovals(file: string): Promise<Record<string, unknown>> {
  const approvals = (await readJsonObject(file))?.['approvals'] ?? {};
  if (isObject(approvals)) return approvals;
  throw new Problem('unreadable-file', repositoryMessages.approvalsNotObject({ file }), {
    file,
    line: 1,
    next: repositoryMessages.correctMoveFile(),
  });
}

/** Another repository, another command or another order is another key. */
function keyOf(repository: string, commands: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, ...commands]))
    .digest('hex');
}

/**
 * What a repository is known by when it was moved since: a number that the first approval has drawn and put into its git directory. Nobody
 * else can know it, so no other repository can pass for this one.
 */
function idFile({ commonDir }: Repository): string {
  return join(commonDir, 'worktree-stacks', 'approval-id');
}

async function idOf(repository: Repository): Promise<string | undefined> {
  const text = (await readTextIfThere(idFile(repository)).catch(() => undefined))?.trim();
  return text !== undefined && /^[0-9a-f]{32}$/.test(text) ? text : undefined;
}

/** `undefined` where nothing can be written: then the approval holds as long as the repository is not moved. */
async function ensureId(repository: Repository): Promise<string | undefined> {
  const known = await idOf(repository);
  if (known !== undefined) return known;
  if (!(await stat(repository.commonDir).catch(() => undefined))?.isDirectory()) return undefined;
  const id = randomBytes(16).toString('hex');
  return writeAtomically(idFile(repository), `${id}\n`, { mode: 0o600 }).then(
    () => id,
    () => undefined,
  );
}
