import { parse, relative, resolve, sep } from 'node:path';
import { errorCode, messageOf } from '../../base/problem.ts';
import { cannotDecide, type Permission } from '../hookDecision.ts';
import type { HookInput, ToolInput } from '../hookInput.ts';
import { readable } from './shell/argument.ts';
import { looksShort, readPath } from './pathText.ts';
import { partsWithin, realFolder, resolveLinks, withLongNames, type ResolvedPath } from './resolveLinks.ts';
import { rootFault } from './worktreeRoot.ts';

/**
 * Decides on the tool call of an editing tool: `allow` within the agent's worktree, `deny` outside of it and for files that switch
 * the guard off. What counts is where the path really leads. Denies whatever is uncertain.
 *
 * @param worktree the agent's worktree, an absolute path.
 */
export function guardFile(input: HookInput, worktree: string): Permission {
  try {
    return decide(input, worktree);
  } catch (thrown) {
    return cannotDecide(messageOf(thrown));
  }
}

function decide({ tool_input: tool, cwd = '' }: HookInput, worktree: string): Permission {
  const fault = rootFault(worktree);
  if (fault !== undefined) return cannotDecide(fault);
  if (tool === undefined) return cannotDecide('its input is no tool call in JSON');
  const path = writtenPath(tool);
  if ('fault' in path) return cannotDecide(path.fault);
  const read = readPath(path.text, cwd);
  if ('fault' in read) return deny(path.text, read.fault, worktree);
  let root: string;
  try {
    root = realFolder(worktree);
  } catch {
    return cannotDecide(`the worktree ${worktree} is not there`);
  }
  // The system follows links before it takes `..`; a program that normalizes the text first gets to another path. Both must be inside.
  for (const way of new Set([read.path, resolve(read.path)])) {
    if (isElsewhere(way, [worktree, root]))
      return deny(path.text, `it leads to ${readable(way)}, which is outside`, worktree);
    try {
      const reason = whyNot(resolveLinks(way), root);
      if (reason !== undefined) return deny(path.text, reason, worktree);
    } catch (thrown) {
      return deny(path.text, whyUnreadable(thrown, way), worktree);
    }
  }
  return { kind: 'allow', reason: `The file is inside the worktree ${worktree}.` };
}

function writtenPath(tool: ToolInput): { readonly text: string } | { readonly fault: string } {
  const paths = [tool['file_path'], tool['notebook_path']].filter((path) => path !== undefined);
  const [path] = paths;
  if (path === undefined) return { fault: 'the tool call names no file' };
  if (typeof path !== 'string' || path === '') return { fault: 'the file of the tool call is no path' };
  if (paths.some((other) => other !== path)) return { fault: 'the tool call names two files' };
  return { text: path };
}

/**
 * Whether a path is on a share of another computer, and the worktree is not: asking that computer takes long, and tells it who asks.
 *
 * @param roots spellings of the worktree.
 */
function isElsewhere(path: string, roots: readonly string[]): boolean {
  if (sep === '/' || !/^[\\/]{2}/.test(path)) return false;
  const shareOf = (each: string): string => parse(resolve(each)).root.toLowerCase();
  return roots.every((root) => shareOf(root) !== shareOf(path));
}

/** Why the system could not tell where a path leads, in words for people. */
function whyUnreadable(thrown: unknown, path: string): string {
  switch (errorCode(thrown)) {
    case undefined:
      return messageOf(thrown);
    case 'EACCES':
    case 'EPERM':
      return `where ${readable(path)} leads cannot be told, because a folder on the way may not be read`;
    case 'ENAMETOOLONG':
      return 'a name in it is longer than this system allows';
    default:
      return `where ${readable(path)} leads cannot be told, because the system cannot read it`;
  }
}

function whyNot(target: ResolvedPath, root: string): string | undefined {
  const { path, existing, stats } = sep === '\\' ? withLongNames(target) : target;
  if (sep === '\\' && relative(existing, path).split(sep).some(looksShort))
    return 'a name in it may be a short one of Windows for another; write it out';
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
  return name
    .toLowerCase()
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .replace(/:.*$|[. ]+$/g, '');
}

function deny(path: string, reason: string, worktree: string): Permission {
  return {
    kind: 'deny',
    reason: `\`${readable(path)}\` may not be written: ${reason}. Write below ${worktree} instead; \`wt path <file>\` tells where a project's file is there.`,
  };
}
