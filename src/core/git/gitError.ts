import { Problem } from '../base/problem.ts';
import { fileTrouble, lines } from './gitTrouble.ts';
import { lockProblem } from './lockFile.ts';
import { gitMessages } from '../messages/git.ts';

/** What one git process answered. A non-zero exit code is an answer like any other. */
export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Turns an answer that the caller did not expect into a problem that quotes git's own words. What a person can change is told as that:
 * the file, what is wrong with it, and what to do.
 */
export function gitProblem(args: readonly string[], answer: GitAnswer): Problem {
  const words = answer.stderr.trim() || answer.stdout.trim();
  if (/^fatal: detected dubious ownership\b/m.test(words)) {
    const advice = /git config --global --add safe\.directory (.+)/.exec(words);
    return new Problem('unsafe-repository', gitMessages.unsafeRepository(), {
      next: advice
        ? gitMessages.trustFolder({ advice: advice[0], folder: advice[1] ?? '' })
        : gitMessages.seeSafeDirectory(),
      items: lines(words),
    });
  }
  if (/^fatal: not a git repository\b/m.test(words)) {
    return new Problem('no-repository', gitMessages.notInRepository(), {
      next: gitMessages.changeFolderRepository(),
    });
  }
  const locked = lockProblem(words);
  if (locked) return locked;
  if (/Unable to create '.*\.lock'/.test(words) && !/: [A-Z][a-z ]+/.test(words)) {
    return new Problem('locked-by-another', gitMessages.anotherGitCommand(), {
      next: gitMessages.tryAgainWhen(),
      items: lines(words),
      outcome: 'incomplete',
    });
  }
  return (
    fileTrouble(`\`git ${nameOf(args)}\``, words) ??
    new Problem(
      'git-failed',
      gitMessages.gitCommandwordsFailed({ commandWords: commandWords(args), exitCode: answer.exitCode }),
      {
        next: gitMessages.gitsWordsBelow(),
        items: lines(words),
      },
    )
  );
}

/** The command's name alone: what comes before it are options of git itself. */
function nameOf(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '-c' || word === '-C') at++;
    else if (!word.startsWith('-')) return word;
  }
  return args[0] ?? '';
}

/** The command without its options' values, short enough for a sentence. */
function commandWords(args: readonly string[]): string {
  const line = args.map((word) => (/[\s"'\\]/.test(word) ? JSON.stringify(word) : word)).join(' ');
  return line.length > 160 ? `${line.slice(0, 157)}…` : line;
}
