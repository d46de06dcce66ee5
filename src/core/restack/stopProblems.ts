import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import type { Stop } from '../operations/operation.ts';

/** The problem of a rebase that stopped without a conflict, with git's output. */
export function couldNotContinue(stop: Stop, words: readonly string[]): Problem {
  return new Problem('git-failed', `Could not continue the rebase of ${stop.name}.`, {
    next: stop.unsigned
      ? signatureSteps(stop)
      : `see the output of git in ${stop.path}, then run \`wt rebase ${quoted(stop.name)} --continue\``,
    items: words.slice(0, 20),
    outcome: 'incomplete',
  });
}

/** Such as when a hook refuses, or an untracked file is in the way. */
export function notStarted(stop: Stop, words: string): Problem {
  const name = quoted(stop.name);
  return new Problem('git-failed', `Git could not begin the rebase of ${stop.name} in ${stop.path}.`, {
    next: `fix what it reports, then run \`wt rebase ${name} --continue\`, or \`--abort\` to roll everything back`,
    items: words.trim().split('\n').slice(0, 20),
    outcome: 'incomplete',
  });
}

/** A terminal of the person's own can be asked for a passphrase. */
function signatureSteps({ name, path }: Stop): string {
  return `run \`git rebase --continue\` in a terminal in ${path}, where your key can be unlocked, then \`wt rebase ${quoted(name)} --continue\`; or \`--abort\` all of it`;
}

/** The problem of a conflict: where it is, and how to continue. */
export function conflictProblem(stop: Stop, files: readonly string[] = stop.files): Problem {
  const name = quoted(stop.name);
  if (stop.unsigned && files.length === 0) {
    return new Problem('git-failed', `${stop.name} has stopped in ${stop.path}: its commits could not be signed.`, {
      next: signatureSteps(stop),
      outcome: 'incomplete',
    });
  }
  const count = files.length === 1 ? 'a conflict' : `${files.length} conflicts`;
  return new Problem('conflicts', `${stop.name} has ${files.length === 0 ? 'stopped' : count} in ${stop.path}.`, {
    next: `resolve the files there and \`git add\` them (session files: \`wt resolve\`), then \`wt rebase ${name} --continue\`; or \`--skip\` the commit, or \`--abort\` all of it`,
    items: files,
    outcome: 'incomplete',
  });
}

/** The rebase has stopped at a merge, and nothing of what is merged there is staged. */
export function nothingMerged({ name, path }: Stop, theirs: string): Problem {
  const word = quoted(name);
  return new Problem('inconsistent', `Nothing of the merge is staged in ${path}, so all of it would be lost.`, {
    next: `stage what is wanted (\`git -C ${quoted(path)} checkout ${theirs.slice(0, 12)} -- <file>\`), or \`wt rebase ${word} --abort\`; if nothing is wanted, \`git commit\` there, then \`wt rebase ${word} --continue\``,
    outcome: 'incomplete',
  });
}
