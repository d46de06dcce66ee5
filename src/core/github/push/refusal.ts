import type { Problem } from '../../base/problem.ts';
import type { GitAnswer } from '../../git/gitError.ts';
import { redact } from '../../base/redact.ts';
import { PushRefusal, type RefusalCause } from './pushRefusal.ts';

/** What git says of one ref that was to be pushed: a line of `git push --porcelain`. */
export interface RefStatus {
  /** ` ` forwarded, `+` rewritten, `*` new, `=` unchanged, `-` deleted, `!` refused. */
  readonly flag: string;
  readonly to: string;
  readonly summary: string;
}

/** Reads the answer of `git push --porcelain`. */
export function parsePorcelain(output: string): RefStatus[] {
  const statuses: RefStatus[] = [];
  for (const line of output.split('\n')) {
    const match = /^([ +*=!-])\t([^\t]*)\t(.*)$/.exec(line.replace(/\r$/, ''));
    if (!match) continue;
    const [, flag = '', refs = '', summary = ''] = match;
    statuses.push({ flag, to: refs.slice(refs.indexOf(':') + 1), summary });
  }
  return statuses;
}

/** What hooks and the server said during a push: everything but git's own frame around it. A hook's own output is on both streams. */
export function wordsOfOthers({ stdout, stderr }: Pick<GitAnswer, 'stdout' | 'stderr'>): string {
  const frame = /^(?:To |Done$|[ +*=!-]\t|error: failed to push some refs|hint: |branch '.*' set up to track )/;
  return redact(`${stdout}\n${stderr}`)
    .split('\n')
    .filter((line) => !frame.test(line))
    .join('\n')
    .replace(/^\n+|\s+$/g, '');
}

/** What a push is about, for its problem. */
export interface RefusalContext {
  readonly remote: string;
  /** As a person names it: the worktree, or "the stack of x". */
  readonly what: string;
  /** The command that was given, to be named as the next step. */
  readonly command: string;
}

/** The problem of a push that did not succeed: each cause has its own sentence and its own next step. */
export function pushProblem(answer: GitAnswer, { remote, what, command }: RefusalContext): Problem {
  const refused = parsePorcelain(answer.stdout).filter(({ flag }) => flag === '!');
  const words = wordsOfOthers(answer);
  const items = words
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  const make: Make = (why, message, next, more = {}) =>
    new PushRefusal(why, message, {
      next,
      items: more.items ?? items,
      ...(more.reason ? { reason: more.reason } : {}),
    });

  // Refs that fell only because the push was one for all are not the cause.
  const causes = refused.filter(({ summary }) => !/atomic/.test(summary));
  const cause = causes[0] ?? refused[0];
  if (!cause) return withoutStatus(words, items, { remote, what, command }, make);
  const branch = branchIn(words, causes.length > 1 ? causes : [cause]);
  if (
    /stale info|fetch first|non-fast-forward|needs force/.test(cause.summary) &&
    !/remote rejected/.test(cause.summary)
  ) {
    return make(
      'raced',
      `${branch} was not pushed: somebody else changed it on ${remote} at the same moment.`,
      `run \`${command}\` again; it looks at what is there now`,
    );
  }
  const rule = items.filter((line) => /GH\d{3}|protected|rule|declined|remote: /i.test(line));
  if (/protected branch|GH006|GH013|rule violations/i.test(`${cause.summary}\n${words}`)) {
    return make(
      'rule',
      `${branch} was not pushed: rules of ${remote} protect it.`,
      'the rules are named below; ask whoever keeps them, or push to another branch',
      { items: rule.length > 0 ? rule : items },
    );
  }
  if (/hook declined|pre-receive/.test(cause.summary)) {
    return make(
      'server-hook',
      `${branch} was not pushed: a hook of ${remote} refused it.`,
      'correct what it names, and push again',
    );
  }
  const reason = /\(([^)]*)\)\s*$/.exec(cause.summary)?.[1] ?? cause.summary;
  return make('other', `${branch} was not pushed: ${remote} refused it (${reason}).`, 'what it says is below');
}

/** The branch that a push failed for. A server that refuses the whole push names it in its words alone. */
function branchIn(words: string, causes: readonly RefStatus[]): string {
  const [first = '', ...others] = causes.map(({ to }) => to.replace(/^refs\/heads\//, ''));
  const named = [...words.matchAll(/refs\/heads\/(\S+)/g)].map(([, name = '']) => name.replace(/[.,:;'")\]]+$/, ''));
  return named.find((name) => others.includes(name) || name === first) ?? first;
}

type Make = (
  why: RefusalCause,
  message: string,
  next: string,
  more?: { readonly reason?: 'offline' | 'no-token'; readonly items?: string[] },
) => PushRefusal;

function withoutStatus(
  words: string,
  items: string[],
  { remote, what, command }: RefusalContext,
  make: Make,
): PushRefusal {
  if (
    /could not resolve|couldn't resolve|failed to connect|connection (?:timed out|refused|reset)|network is unreachable|couldn't connect/i.test(
      words,
    )
  ) {
    return make('offline', `${what} was not pushed: ${remote} cannot be reached.`, 'check the network, and try again', {
      reason: 'offline',
    });
  }
  if (
    /authentication failed|could not read (?:username|password)|permission denied|403|access denied|invalid credentials/i.test(
      words,
    )
  ) {
    return make(
      'no-access',
      `${what} was not pushed: ${remote} does not let you in.`,
      'check how git signs in there (`gh auth setup-git`, or your ssh key)',
      { reason: 'no-token' },
    );
  }
  if (
    /repository (?:'[^']*' )?not found|does not appear to be a git repository|could not read from remote/i.test(words)
  ) {
    return make(
      'no-access',
      `${what} was not pushed: there is no repository at ${remote}, or you may not see it.`,
      `check its address: \`git remote get-url --push ${remote}\``,
    );
  }
  if (!/^(?:fatal|error): /m.test(words)) {
    return make(
      'hook',
      `${what} was not pushed: the repository's pre-push hook refused it.`,
      `correct what the hook names, then run \`${command}\` again`,
    );
  }
  return make(
    'other',
    `${what} was not pushed.`,
    items.length > 0 ? "git's own words are below" : 'run it again with --verbose',
  );
}

/** The problem of a remote that does not answer the question what it has. */
export function remoteProblem(answer: GitAnswer, context: RefusalContext): Problem {
  return pushProblem({ ...answer, stdout: '', stderr: answer.stderr || 'fatal: no answer' }, context);
}
