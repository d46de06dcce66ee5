import { Problem } from '../base/problem.ts';

/** What one git process answered. A non-zero exit code is an answer like any other. */
export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Turns an answer that the caller did not expect into a problem that quotes git's own words. */
export function gitProblem(args: readonly string[], answer: GitAnswer): Problem {
  const words = answer.stderr.trim() || answer.stdout.trim();
  if (/detected dubious ownership/.test(words)) {
    const advice = /git config --global --add safe\.directory (.+)/.exec(words)?.[0];
    return new Problem('unsafe-repository', 'Git does not trust this repository, because it belongs to another user.', {
      next: advice ?? 'see `git help config`, safe.directory',
      items: lines(words),
    });
  }
  if (/not a git repository/.test(words)) {
    return new Problem('no-repository', 'This is not inside a git repository.', {
      next: 'change to a folder of the repository, or run `git init`',
    });
  }
  if (/index\.lock': File exists|Unable to create '.*\.lock'/.test(words)) {
    const file = /'([^']+\.lock)'/.exec(words)?.[1];
    return new Problem('locked-by-another', 'Another git command is running in this repository.', {
      ...(file === undefined ? {} : { file }),
      next:
        file === undefined
          ? 'try again when it has ended'
          : `try again when it has ended; if none runs any more, remove ${file}`,
      items: lines(words),
      outcome: 'incomplete',
    });
  }
  return new Problem('git-failed', `\`git ${commandWords(args)}\` failed with exit code ${answer.exitCode}.`, {
    items: lines(words),
  });
}

/** The command without its options' values, short enough for a sentence. */
function commandWords(args: readonly string[]): string {
  const line = args.map((word) => (/[\s"'\\]/.test(word) ? JSON.stringify(word) : word)).join(' ');
  return line.length > 160 ? `${line.slice(0, 157)}…` : line;
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(0, 20);
}
