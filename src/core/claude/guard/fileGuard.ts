import { isAbsolute, resolve, sep } from 'node:path';
import { messageOf } from '../../base/problem.ts';
import { parseHookInput, type HookInput } from '../hookInput.ts';
import { readable } from './shell/argument.ts';
import type { Decision } from './decision.ts';
import { answer, cannotDecide, type HookResult } from './hookResult.ts';
import { partsWithin, realFolder, realTarget, type Target } from './realTarget.ts';
import { rootFault } from './worktreeRoot.ts';

/**
 * Judges a file that an agent wants to write: `allow` within its worktree, `deny` outside of it and for what would disarm the guard,
 * by where the path really leads. Whatever cannot be told for sure is denied.
 *
 * @param input what Claude Code told the hook.
 * @param worktree the agent's worktree, an absolute path.
 * @param cwd where relative paths start.
 */
export async function decideFile(input: HookInput, worktree: string, cwd: string): Promise<Decision> {
  const fault = rootFault(worktree);
  if (fault !== undefined) return cannotDecide(fault);
  const path = writtenPath(input);
  if ('fault' in path) return cannotDecide(path.fault);
  const odd = oddity(path.text, cwd);
  if (odd !== undefined) return deny(path.text, odd, worktree);
  let root: string;
  try {
    root = realFolder(worktree);
  } catch {
    return cannotDecide(`the worktree ${worktree} is not there`);
  }
  // The path as it stands, and as a program sees it that takes `..` by its text: they differ where a link is in between.
  const whole = isAbsolute(path.text) ? path.text : `${cwd}/${path.text}`;
  for (const way of new Set([whole, resolve(whole)])) {
    try {
      const reason = trouble(realTarget(way), root);
      if (reason !== undefined) return deny(path.text, reason, worktree);
    } catch (thrown) {
      return deny(path.text, messageOf(thrown), worktree);
    }
  }
  return { kind: 'allow', reason: `The file lies within the worktree ${worktree}.` };
}

/**
 * The hook `file-guard <worktree>`: reads Claude Code's JSON, gives its answer. Whatever is wrong, the call is denied.
 *
 * @param argv the arguments behind the hook's name.
 * @param stdin all of standard input.
 */
export async function runFileGuard(argv: readonly string[], stdin: string): Promise<HookResult> {
  try {
    const input = parseHookInput(stdin);
    const decision =
      input === undefined
        ? cannotDecide('what it was told is no tool call in JSON')
        : await decideFile(input, argv[0] ?? '', input.cwd ?? '');
    return answer(decision);
  } catch (thrown) {
    return answer(cannotDecide(messageOf(thrown)));
  }
}

function writtenPath({ tool_input: tool }: HookInput): { readonly text: string } | { readonly fault: string } {
  const paths = ['file_path', 'notebook_path'].flatMap((key) => (tool?.[key] === undefined ? [] : [tool[key]]));
  const [path] = paths;
  if (path === undefined) return { fault: 'the tool call names no file' };
  if (typeof path !== 'string' || path === '') return { fault: 'the file of the tool call is no path' };
  if (paths.some((other) => other !== path)) return { fault: 'the tool call names two files' };
  return { text: path };
}

/** What makes a path one that different programs read differently. */
function oddity(path: string, cwd: string): string | undefined {
  if (path.includes('\0')) return 'it holds a NUL character';
  if (path === '~' || path.startsWith('~/') || path.startsWith('~\\'))
    return 'it begins with a tilde; write the folder out';
  if (path.includes('://') && /^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'it is a URL, not a path';
  // UTF-8 has no form for a half one.
  if (Buffer.from(path).toString() !== path) return 'it holds half a character';
  if (sep === '/' && (path.startsWith('\\\\') || (path[1] === ':' && /^[A-Za-z]:[\\/]/.test(path))))
    return 'it is a path of another system';
  if (!isAbsolute(path) && !isAbsolute(cwd)) return 'it is relative, and the folder that it starts from is not known';
  return undefined;
}

function trouble({ path, existing, stats }: Target, root: string): string | undefined {
  const parts = partsWithin(root, { path, existing });
  if (parts === undefined) return `it leads to ${readable(path)}, which is outside`;
  if (parts.length === 0) return 'it is the worktree itself';
  const guarded = guardedPart(parts);
  if (guarded !== undefined) return guarded;
  if (stats === undefined || stats.isFile()) return undefined;
  return stats.isDirectory() ? 'it is a folder' : 'it is no regular file';
}

/** What of a worktree its agent may not write: git's own files, and what switches the guards on. */
function guardedPart(parts: readonly string[]): string | undefined {
  const names = parts.map(plainName);
  for (const [index, name] of names.entries()) {
    const [next = '', last] = names.slice(index + 1);
    if (name === '.git' || name === 'git~1') return 'it belongs to git itself';
    if (name !== '.claude') continue;
    if (/^settings.*\.json$/.test(next) || next === 'hooks' || (next === 'agents' && /^wt-.*\.md$/.test(last ?? ''))) {
      return 'it decides which guards are in force';
    }
  }
  return undefined;
}

/** A name as disks compare it: without case, and without the characters that macOS or Windows pass over. */
function plainName(name: string): string {
  const seen = name.toLowerCase().replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '');
  const plain = !seen.includes(':') && !seen.endsWith('.') && !seen.endsWith(' ');
  return plain ? seen : seen.replace(/:.*$|[. ]+$/g, '');
}

function deny(path: string, reason: string, worktree: string): Decision {
  return {
    kind: 'deny',
    reason: `\`${readable(path)}\` may not be written: ${reason}. Write below ${worktree} instead; \`wt path <file>\` tells where a project's file is there.`,
  };
}
