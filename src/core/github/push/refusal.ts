import type { Message } from '../../messages/message.ts';
import type { Problem } from '../../base/problem.ts';
import type { GitAnswer } from '../../git/gitError.ts';
import { redact } from '../../base/redact.ts';
import { plainWords } from '../../git/plainWords.ts';
import { PushRefusal, type RefusalCause } from './pushRefusal.ts';
import { githubMessages } from '../../messages/github.ts';

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
export function messagesOfOthers({ stdout, stderr }: Pick<GitAnswer, 'stdout' | 'stderr'>): string {
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
  readonly what: Message | string;
  /** The command that was given, to be named as the next step. */
  readonly command: string;
}

/** The problem of a push that did not succeed: each cause has its own sentence and its own next step. */
export function pushProblem(answer: GitAnswer, { remote, what, command }: RefusalContext): Problem {
  const refused = parsePorcelain(answer.stdout).filter(({ flag }) => flag === '!');
  const words = messagesOfOthers(answer);
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
  const causes = refused.filter(({ summary }) => !/^atomic (?:push|transaction) /.test(reasonIn(summary)));
  const cause = causes[0] ?? refused[0];
  if (!cause) return withoutStatus(words, items, { remote, what, command }, make);
  const branch = branchIn(words, causes.length > 1 ? causes : [cause]);
  const reason = reasonIn(cause.summary);
  if (cause.summary.startsWith('[rejected]') && raced.test(reason)) {
    return make(
      'raced',
      githubMessages.notPushedSomebody({ branch, remote }),
      githubMessages.againLooksNow({ command }),
    );
  }
  const plain = plainWords(words);
  if (ruleReason.test(reason) || ruleWords.test(plain)) {
    const rule = items.filter((line) => /GH\d{3}|protected|rule|declined|remote: /i.test(line));
    return make('rule', githubMessages.notPushedRules({ branch, remote }), githubMessages.rulesNamedBelow(), {
      items: rule.length > 0 ? rule : items,
    });
  }
  if (/^(?:pre-receive )?hook declined\b/.test(reason)) {
    return make('server-hook', githubMessages.notPushedHook({ branch, remote }), githubMessages.correctNamesPush());
  }
  return make('other', githubMessages.notPushedRefused({ branch, remote, reason }), githubMessages.saysBelow());
}

/** Git's own reasons for a ref that somebody else has changed meanwhile. */
const raced = /^(?:stale info|fetch first|non-fast-forward|needs force|remote ref updated since checkout)$/;
/** How GitHub calls its rules as the reason for a ref, and how hosts name them to the person. */
const ruleReason =
  /^(?:protected branch hook declined|push declined due to repository rule violations)\b|^GH0(?:06|13)\b/;
const ruleWords =
  /^(?:remote: )?(?:error: )?GH0(?:06|13): |^remote: .*\b(?:protected branch(?:es)?|rule violations)\b/im;

/** The reason in a status line: `[remote rejected] (pre-receive hook declined)`. */
function reasonIn(summary: string): string {
  return /^\[[^\]]*\] \((.*)\)\s*$/.exec(summary)?.[1] ?? summary;
}

/** The branch that a push failed for. A server that refuses the whole push names it in its words alone. */
function branchIn(words: string, causes: readonly RefStatus[]): string {
  const [first = '', ...others] = causes.map(({ to }) => to.replace(/^refs\/heads\//, ''));
  const named = [...words.matchAll(/refs\/heads\/(\S+)/g)].map(([, name = '']) => name.replace(/[.,:;'")\]]+$/, ''));
  return named.find((name) => others.includes(name) || name === first) ?? first;
}

type Make = (
  why: RefusalCause,
  message: Message,
  next: Message,
  more?: { readonly reason?: 'offline' | 'no-token'; readonly items?: string[] },
) => PushRefusal;

/** A line of git or of ssh, which a failed connection always has. */
const ofTransport = /^(?:fatal|error|ssh): /m;

/** How git, curl and ssh say that nobody answers, after {@link plainWords}. */
const away = [
  /^ssh: (?:Could not resolve hostname|connect to host)\b/m,
  /^(?:fatal|error): .*\b(?:Could not resolve|Couldn't resolve|Failed to connect|Couldn't connect|Connection (?:timed out|refused|(?:was )?reset|reset by peer)|Operation timed out|Network is unreachable|No route to host|Unable to look up)\b/im,
  /^fatal: unable to connect to\b/im,
];

/** How git, ssh and hosts say that they do not know the person, or that the person may not write, after {@link plainWords}. */
const denied = [
  /^fatal: (?:Authentication failed\b|could not read (?:Username|Password)\b)/im,
  /^(?:fatal|error): .*\b(?:requested URL returned error: |HTTP )40[13]\b/im,
  /^(?:\S+: )?Permission denied(?:, please try again| \()/m,
  /^(?:remote: |ERROR: )+.*\b(?:Permission to .*\bdenied|Write access .*\bnot granted|Access denied|Invalid (?:username|credentials)|Authentication failed)\b/im,
  /^fatal: .*\b(?:access denied|permission denied|invalid credentials)\b/im,
];

/** How git and hosts say that there is nothing, after {@link plainWords}. */
const absent =
  /^(?:(?:remote: |ERROR: )+|fatal: )(?:The )?(?:repository|project)\b.* not found\b|^fatal: \S+ does not appear to be a git repository|^fatal: Could not read from remote repository/im;

function withoutStatus(
  words: string,
  items: string[],
  { remote, what, command }: RefusalContext,
  make: Make,
): PushRefusal {
  const plain = plainWords(words);
  // What a hook says is nothing of git's; git itself adds no more than that it failed.
  if (!ofTransport.test(plain)) {
    return make('hook', githubMessages.notPushedRepository({ what }), githubMessages.correctHookNames({ command }));
  }
  if (away.some((form) => form.test(plain))) {
    return make('offline', githubMessages.cannotReach({ what, remote }), githubMessages.checkNetworkTry(), {
      reason: 'offline',
    });
  }
  if (denied.some((form) => form.test(plain))) {
    return make('no-access', githubMessages.notPushedDoes({ what, remote }), githubMessages.checkSignIn(), {
      reason: 'no-token',
    });
  }
  if (absent.test(plain)) {
    return make('no-access', githubMessages.notPushedNo({ what, remote }), githubMessages.checkAddress({ remote }));
  }
  return make(
    'other',
    githubMessages.notPushedAtAll({ what }),
    items.length > 0 ? githubMessages.gitsWordsBelow() : githubMessages.againVerbose(),
  );
}

/** The problem of a remote that does not answer the question what it has. */
export function remoteProblem(answer: GitAnswer, context: RefusalContext): Problem {
  // No hook of this repository has a part in that.
  const stderr = ofTransport.test(answer.stderr) ? answer.stderr : `${answer.stderr}\nfatal: no answer`;
  return pushProblem({ ...answer, stdout: '', stderr: stderr.trimStart() }, context);
}
