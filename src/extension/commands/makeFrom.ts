import { l10n } from 'vscode';
import type { CreateRequest } from '../../core/create/request.ts';
import type { Created } from '../../core/create/created.ts';
import { parseSubject } from '../../core/create/subject.ts';
import type { HostSession } from '../../core/github/connect.ts';
import type { ResolvedSubject } from '../../core/github/subject/resolveSubject.ts';
import { textOf, verbatim } from '../../core/messages/message.ts';
import type { Progress } from '../../core/worktree/model.ts';
import { localized } from '../base/messages.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import type { ChangesToCarry } from './carryChanges.ts';
import { makeWorktree } from './makeWorktree.ts';

/** What a worktree is to be made of. */
export interface Wanted {
  readonly request: Omit<CreateRequest, 'createdBy'>;
  /** A pull request comes with those below it. */
  readonly withStack: boolean;
  /** For messages. */
  readonly label: string;
  /** Uncommitted work that comes along; of a stack to the worktree that was asked for. */
  readonly changes?: ChangesToCarry | 'leave' | undefined;
}

/** What was made. */
export interface Made {
  /** The one that was asked for. */
  readonly asked: Created;
  /** With those below it, the lowest first. */
  readonly all: readonly Created[];
}

/**
 * Makes a worktree, and those below a pull request where they are wanted. The person may be asked to sign in for a pull request or an issue.
 *
 * @throws Problem as `createWorktree` and `resolveSubject`; what was made before of a stack stays.
 */
export async function makeFrom(
  services: Services,
  model: RepositoryModel,
  wanted: Wanted,
  progress: Progress,
  signal: AbortSignal,
): Promise<Made> {
  const { requests, notes } = await requestsOf(services, model, wanted, progress, signal);
  for (const note of notes) services.log.info(textOf(note));
  const all: Created[] = [];
  for (const [index, request] of requests.entries()) {
    const step: Progress = (now) =>
      progress(
        requests.length === 1 || now === undefined
          ? now
          : verbatim(l10n.t('{0} of {1}: {2}', index + 1, requests.length, localized(now))),
      );
    const changes = index === requests.length - 1 ? wanted.changes : 'leave';
    all.push(await ownerOf(services, model, await makeWorktree(services, model, request, step, signal, changes), step));
  }
  const asked = all.at(-1);
  if (!asked) throw new Error('Nothing was to be made.');
  return { asked, all };
}

/** What was created, with whose branch it continues, as far as that takes no question. */
async function ownerOf(
  services: Services,
  model: RepositoryModel,
  created: Created,
  progress: Progress,
): Promise<Created> {
  if (created.fromRemote === undefined) return created;
  const { withOwner } = await import('../../core/github/subject/ownerOfBranch.ts');
  const session = (signal: AbortSignal): Promise<HostSession | undefined> =>
    services.pullRequests.openSilently(model, signal);
  return withOwner(await model.workspace(), created, { session, progress });
}

/** Of a text nobody is asked, and nothing of GitHub is loaded. */
async function requestsOf(
  services: Services,
  model: RepositoryModel,
  { request, withStack }: Wanted,
  progress: Progress,
  signal: AbortSignal,
): Promise<Pick<ResolvedSubject, 'requests' | 'notes'> & { requests: readonly Omit<CreateRequest, 'createdBy'>[] }> {
  const asked: CreateRequest = { ...request, createdBy: 'vscode' };
  if (parseSubject(request.name ?? '').kind === 'text') return { requests: [asked], notes: [] };
  const { resolveSubject } = await import('../../core/github/subject/resolveSubject.ts');
  return resolveSubject(await model.workspace(), asked, {
    ...{ stack: withStack, signal, progress },
    session: () => services.pullRequests.open(model, { signal, progress }),
  });
}
