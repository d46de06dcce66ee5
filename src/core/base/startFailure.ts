import { stat } from 'node:fs/promises';
import { baseMessages } from '../messages/base.ts';
import { verbatim, type Message } from '../messages/message.ts';
import { causes, plainWords } from './fileProblem.ts';
import { closedFolder, mayEnter, obstacleOn } from './obstacle.ts';
import { errorCode } from './problem.ts';

/** Why a program could not be started. */
export interface StartFailure {
  /**
   * `folder`: the folder that it was to run in; `missing`: the program is not there; `refused`: it may not be run; `too-long`: its
   * arguments; `other`: the system.
   */
  readonly kind: 'folder' | 'missing' | 'refused' | 'too-long' | 'other';
  /** As a part of a sentence. */
  readonly what: Message;
  /** What helps. */
  readonly next: Message | undefined;
}

/** Codes for a command line that is longer than the system takes: Windows says it of 32,767 characters, others of some MiB. */
const tooLong: ReadonlySet<string> = new Set(['E2BIG', 'ENAMETOOLONG']);

/**
 * Finds out why a program could not be started: the system says `ENOENT` of a folder that is gone or cannot be used as well as of a program.
 *
 * @param thrown what Node threw, or its words.
 * @param cwd the folder that it was to run in.
 * @param isThere whether the program is there, where that is known: then it is the folder that Windows cannot work in, because of its name.
 */
export async function whyNotStarted(thrown: unknown, cwd: string, isThere = false): Promise<StartFailure> {
  const code =
    errorCode(thrown) ?? /\b(E[A-Z0-9]{2,})\b/.exec(thrown instanceof Error ? thrown.message : '')?.[1] ?? '';
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) {
    const obstacle = obstacleOn(cwd, 'folder');
    const what = obstacle
      ? baseMessages.entryIs({ entry: obstacle.at, what: obstacle.what })
      : baseMessages.folderNotThere({ folder: cwd });
    return { kind: 'folder', what, next: baseMessages.lookWhetherSomebody() };
  }
  if (code === 'EACCES' && !mayEnter(cwd))
    return { kind: 'folder', what: baseMessages.mayNotEnter({ folder: closedFolder(cwd) ?? cwd }), next: undefined };
  if (tooLong.has(code)) return { kind: 'too-long', what: baseMessages.commandTooLong(), next: undefined };
  if (code === 'ENOENT' && isThere)
    return { kind: 'folder', what: baseMessages.noProgramIn({ folder: cwd }), next: baseMessages.chooseNamePlain() };
  if (code === 'ENOENT') return { kind: 'missing', what: baseMessages.notThere(), next: undefined };
  if (code === 'EACCES' || code === 'EPERM')
    return { kind: 'refused', what: baseMessages.mayNotBeRun(), next: undefined };
  const [what, next] = causes[code] ?? [verbatim(plainWords(thrown)), undefined];
  return { kind: 'other', what, next };
}
