import { posix, sep, win32 } from 'node:path';
import { nativePath } from '../nativePath.ts';

/*
 * What a retrospective picks out. It searches for keywords where the guards parse, on purpose: a second check of the same kind would
 * miss the same things. A person decides on what it finds.
 */

/** Ways to change a remote or GitHub. */
const dangers: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bgit\b(?![^\n;|&]*\bstash\s+push\b)[^\n;|&]*\s(?:push|send-pack)\b/, 'pushes with git'],
  [/\bgit\b[^\n;|&]*\s(?:fetch|pull|fetch-pack)\b/, 'fetches with git'],
  [/\bgh\s+pr\s+(?:create|ready|merge|close|reopen|edit|comment|review|lock)\b/, 'writes to a pull request'],
  [
    /\bgh\s+(?:release|repo|issue|workflow|run|secret|label)\s+(?:create|delete|edit|close|comment|rerun|run|set|upload|rename|archive|transfer)\b/,
    'writes to GitHub',
  ],
  [/\bgh\s+api\b[^\n]*(?:(?:-X|--method)[\s=]*["']?(?:POST|PUT|PATCH|DELETE)|\bmutation\b)/i, 'writes to GitHub'],
  [
    /\bcurl\b[^\n]*api\.github\.com[^\n]*(?:-X|--request|-d|--data)|\bcurl\b[^\n]*(?:-X|--request|-d|--data)[^\n]*api\.github\.com/,
    'writes to GitHub with curl',
  ],
  [/\b(?:npm|pnpm|yarn|bun|cargo|poetry|gem|twine)\s+(?:publish|push|upload)\b/, 'publishes a package'],
  [
    /(?:\bmake|\bjust|\bnpm run|\byarn|\bpnpm(?: run)?|\bsh|\bbash|\.)\s*\/?\S*(?:push|publish|release|deploy)\S*/,
    'runs a script that may publish',
  ],
];

/** What git prints when it has pushed. */
const pushed = /^To \S+[\s\S]*?(?:->|\[new branch\])/m;
/** Our own commands check before they push. */
const ours = /^\s*(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*&&\s*)?(?:\S*\/)?wt\s+[a-z-]+[^;|&\n]*$/;

/**
 * Why a command that ran looks dangerous; `undefined` when it does not.
 *
 * @param printed the beginning of what it printed.
 * @param location the worktree that its agent belongs to, and where the command started.
 * @param windows whether paths are those of Windows; its bash has `/dev` and `/tmp` all the same.
 */
export function dangerOf(
  command: string,
  printed: string,
  location: { worktree: string; cwd: string },
  windows = sep === '\\',
): string | undefined {
  if (ours.test(command)) return undefined;
  const code = withoutQuotes(command);
  for (const [pattern, why] of dangers) if (pattern.test(code) && !/--dry-run\b|\s-h\b|--help\b/.test(code)) return why;
  if (pushed.test(printed)) return 'printed what git prints after a push';
  const outside = writtenOutside(code, location, windows);
  return outside === undefined ? undefined : `writes to ${outside}, outside the worktree`;
}

/** The target of a redirection or of a copying program that lies outside the worktree, except temporary files and devices. */
function writtenOutside(
  code: string,
  { worktree, cwd }: { worktree: string; cwd: string },
  windows: boolean,
): string | undefined {
  const on = windows ? win32 : posix;
  const isInside = (target: string): boolean => {
    const way = on.relative(worktree, target);
    return !on.isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
  };
  const targets = [
    ...[...code.matchAll(/(?<![<>&\d])(?:\d|&)?>{1,2}\|?\s*([^\s;|&<>()]+)/g)].map(([, target]) => target),
    ...[...code.matchAll(/\btee\s+(?:-a\s+)?([^\s;|&<>()-][^\s;|&<>()]*)/g)].map(([, target]) => target),
    ...[...code.matchAll(/\b(?:cp|mv|install|rsync|ln)\s+[^\n;|&]*?([^\s;|&<>()]+)\s*(?:$|[\n;|&])/g)].map(
      ([, target]) => target,
    ),
  ];
  return targets
    .filter((target) => target !== undefined)
    .filter((target) => !/[$`~*?\[{\u0000]/.test(target))
    .map((target) => ({ target, path: on.resolve(cwd, nativePath(target, windows)) }))
    .find(
      ({ target, path }) =>
        !isInside(path) && !/^\/dev\//.test(target) && (![target, path].some(isTemporary) || isTemporary(worktree)),
    )?.path;
}

/** Whether a path is a temporary file or a device. */
export function isTemporary(path: string): boolean {
  return /^\/(?:private\/)?(?:tmp|var\/tmp|var\/folders|dev|proc)\/|[\\/]Temp[\\/]|^[a-zA-Z]:[\\/]temp[\\/]/.test(path);
}

/**
 * Why a command that was refused looks harmless; `undefined` when it does not.
 *
 * @param reason the reason that the guard gave.
 */
export function harmlessness(command: string, reason: string): string | undefined {
  if (/could not (?:be )?(?:check|judge|analy)/.test(reason))
    return 'the guard could not check it, and nothing in it says that it is dangerous';
  const code = withoutQuotes(command);
  if (/--dry-run\b/.test(code)) return 'it is a dry run';
  if (/(?:\s--help|\s-h)\s*$/.test(code)) return 'it asks for help';
  if (!/\b(?:git|gh|hub|wt|curl|wget)\b/.test(code) && /["']/.test(command))
    return 'the words that were found are only in quotes';
  return undefined;
}

/** Replaces quoted text by a mark, unless a shell runs it. */
function withoutQuotes(command: string): string {
  if (/\b(?:(?:ba|z|da)?sh\s+-\w*c|eval)\b/.test(command)) return command.replace(/["']/g, ' ');
  return command
    .replace(/\\./g, '\u0000')
    .replace(/"[^"]*"|'[^']*'/g, (quoted) => (/^["'][\w./:@-]+["']$/.test(quoted) ? quoted.slice(1, -1) : '\u0000'));
}
