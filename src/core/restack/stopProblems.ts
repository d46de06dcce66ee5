import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import type { Stop } from '../operations/operation.ts';
import { restackMessages } from '../messages/restack.ts';

/** The problem of a rebase that stopped without a conflict, with git's output. */
export function couldNotContinue(stop: Stop, words: readonly string[]): Problem {
  return new Problem('git-failed', restackMessages.couldNotContinue({ stopName: stop.name }), {
    next: stop.unsigned
      ? signatureSteps(stop)
      : restackMessages.seeOutputThenContinue({ stopPath: stop.path, stopName: quoted(stop.name) }),
    items: words.slice(0, 20),
    outcome: 'incomplete',
  });
}

/** Such as when a hook refuses, or an untracked file is in the way. */
export function notStarted(stop: Stop, words: string): Problem {
  const name = quoted(stop.name);
  return new Problem('git-failed', restackMessages.gitCouldNotBegin({ stopName: stop.name, stopPath: stop.path }), {
    next: restackMessages.fixThenContinue({ name }),
    items: words.trim().split('\n').slice(0, 20),
    outcome: 'incomplete',
  });
}

/** A terminal of the person's own can be asked for a passphrase. */
function signatureSteps({ name, path }: Stop): Message {
  return restackMessages.gitRebaseContinue({ path, name: quoted(name) });
}

/** The problem of a conflict: where it is, and how to continue. */
export function conflictProblem(stop: Stop, files: readonly string[] = stop.files): Problem {
  const name = quoted(stop.name);
  if (stop.unsigned && files.length === 0) {
    return new Problem('git-failed', restackMessages.stoppedUnsigned({ stopName: stop.name, stopPath: stop.path }), {
      next: signatureSteps(stop),
      outcome: 'incomplete',
    });
  }
  const count = files.length === 1 ? 'a conflict' : `${files.length} conflicts`;
  return new Problem(
    'conflicts',
    restackMessages.stoppedIn({
      stopName: stop.name,
      what: files.length === 0 ? restackMessages.stopped() : count,
      stopPath: stop.path,
    }),
    {
      next: restackMessages.resolveFilesGit({ name }),
      items: files,
      outcome: 'incomplete',
    },
  );
}

/** The rebase has stopped at a merge, and nothing of what is merged there is staged. */
export function nothingMerged({ name, path }: Stop, theirs: string): Problem {
  const word = quoted(name);
  return new Problem('inconsistent', restackMessages.nothingMergeStaged({ path }), {
    next: restackMessages.stageWantedGit({ path: quoted(path), theirs: theirs.slice(0, 12), word }),
    outcome: 'incomplete',
  });
}
