import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { closedProblem, obstacleProblem } from '../base/fileProblem.ts';
import { mayEnter, obstacleOn } from '../base/obstacle.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { whyNotStarted, type StartFailure } from '../base/startFailure.ts';
import { isFileOnDisk, windowsStart } from '../base/windowsCommand.ts';
import { gitMessages } from '../messages/git.ts';

/** Which git was to run where. */
interface Place {
  readonly binary: string;
  readonly cwd: string;
  readonly variables: Environment['variables'];
}

/** The problem of a git process that did not run to its end: it could not be started, was ended by a signal, or said nothing for too long. */
export async function gitNotRun(place: Place, args: readonly string[], thrown: unknown): Promise<Problem> {
  const { cwd } = place;
  const command = args.find((word) => !word.startsWith('-')) ?? '';
  const words = messageOf(thrown);
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) {
    const obstacle = obstacleOn(cwd, 'folder');
    if (obstacle) return obstacleProblem(gitMessages.cannotRunIn({ cwd }), obstacle, 'unreadable-file');
    return new Problem('not-found', gitMessages.folderMissing({ cwd }), { file: cwd, cause: thrown });
  }
  if (/EACCES/.test(words) && !mayEnter(cwd)) return closedProblem(gitMessages.cannotRunIn({ cwd }), cwd, 'enter');
  const starved = /\b(EMFILE|ENFILE|EAGAIN|ENOMEM)\b/.exec(words)?.[1];
  if (starved !== undefined) {
    return new Problem('git-failed', gitMessages.gitCouldNotStarted({ starved }), {
      next: gitMessages.closeProgramsRaise(),
      outcome: 'incomplete',
      cause: thrown,
    });
  }
  if (/block timeout reached/.test(words)) {
    return new Problem('git-failed', gitMessages.gitCommandSaid({ command }), {
      next: gitMessages.lookWhetherDisk(),
      outcome: 'incomplete',
      cause: thrown,
    });
  }
  if (/\b(?:spawn|uv_spawn)\b/.test(words))
    return notStarted(place, await whyNotStarted(thrown, cwd, isThere(place)), thrown);
  return new Problem('git-failed', gitMessages.commandNotRun({ command, reason: words }), {
    next: gitMessages.runAgainVerbose(),
    cause: thrown,
  });
}

function notStarted({ binary, cwd }: Place, { kind, what, next }: StartFailure, cause: unknown): Problem {
  switch (kind) {
    case 'missing':
      return new Problem('no-git', gitMessages.gitNotStarted({ binary }), { next: gitMessages.installGit(), cause });
    case 'refused':
      return new Problem('no-git', gitMessages.gitNotStartedBecause({ binary, why: what }), {
        next: gitMessages.installGit(),
        cause,
      });
    case 'folder':
      return new Problem('not-found', gitMessages.gitNotStartedBecause({ binary, why: what }), {
        file: cwd,
        next,
        outcome: 'incomplete',
        cause,
      });
    case 'too-long':
    case 'other':
      return new Problem('git-failed', gitMessages.gitNotStartedBecause({ binary, why: what }), {
        next: next ?? gitMessages.runAgainVerbose(),
        outcome: 'incomplete',
        cause,
      });
  }
}

/** Whether the program itself is there, on Windows: it says the same of a program that is missing and of a folder that it cannot work in. */
function isThere({ binary, cwd, variables }: Place): boolean {
  return sep === '\\' && isFileOnDisk(windowsStart(binary, [], cwd, variables).program);
}
