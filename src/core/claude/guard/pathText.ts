import { posix, sep, win32 } from 'node:path';
import { isDeviceName, unfitPart } from '../../base/windowsNames.ts';
import { nativePath } from '../nativePath.ts';

/** The absolute path that a text names, with `..` still in it; or why that cannot be told, as the part of a sentence. */
export type PathReading = { readonly path: string } | { readonly fault: string };

/**
 * Reads the path that an agent gave to a tool. Whatever programs would read differently is a fault.
 *
 * @param cwd the folder that a relative path starts from; empty where that is not known.
 * @param windows whether it is read as Windows does.
 */
export function readPath(text: string, cwd: string, windows = sep === '\\'): PathReading {
  if (text.includes('\0')) return { fault: 'it holds a NUL character' };
  if (/^~(?:[/\\]|$)/.test(text)) return { fault: 'it begins with a tilde; write the folder out' };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { fault: 'it is a URL, not a path' };
  // UTF-8 has no form for a half one.
  if (Buffer.from(text).toString() !== text) return { fault: 'it holds half a character' };
  if (windows) return readWindowsPath(text, cwd);
  if (text.startsWith('\\\\') || /^[A-Za-z]:[\\/]/.test(text)) return { fault: 'it is a path of another system' };
  if (posix.isAbsolute(text)) return { path: text };
  return posix.isAbsolute(cwd) ? { path: `${cwd}/${text}` } : unknownStart;
}

const unknownStart = { fault: 'it is relative, and the folder that it starts from is not known' };

function readWindowsPath(text: string, cwd: string): PathReading {
  const whole = wholePath(text, cwd);
  if ('fault' in whole) return whole;
  const { root } = win32.parse(whole.path);
  const parts = whole.path.slice(root.length).split(/[\\/]/);
  for (const part of parts) {
    const fault = part === '.' || part === '..' ? undefined : partFault(part);
    if (fault !== undefined) return { fault };
  }
  return whole;
}

function wholePath(text: string, cwd: string): PathReading {
  if (/^[\\/]{2}\.(?:[\\/]|$)|^[\\/]\?\?(?:[\\/]|$)/.test(text)) return { fault: 'it names a device, not a file' };
  const [, literal] = /^[\\/]{2}\?(?:[\\/]|$)(.*)$/s.exec(text) ?? [];
  if (literal !== undefined) return readLiteral(literal);
  if (/^[a-z]:(?![\\/])/i.test(text)) {
    return {
      fault: `it starts from the current folder of the drive ${text.slice(0, 2)}, which is not known; write the whole path`,
    };
  }
  const native = nativePath(text, true);
  if (native !== text) return { fault: `it is not written as Windows does; write ${native}` };
  if (/^[\\/]{2}|^[a-z]:/i.test(text)) return { path: text };
  const { root } = win32.parse(cwd);
  // A root without a drive is itself relative to one.
  if (root.length < 2 || !/[\\/]$/.test(root)) return unknownStart;
  return { path: /^[\\/]/.test(text) ? `${root}${text.replace(/^[\\/]+/, '')}` : `${cwd}\\${text}` };
}

/** What follows `\\?\`: Windows takes it letter by letter, also `..` and `/`. */
function readLiteral(text: string): PathReading {
  const [, share] = /^UNC\\(.*)$/is.exec(text) ?? [];
  if (share === undefined && !/^[a-z]:\\/i.test(text)) return { fault: 'it names a device, not a file' };
  if (/\/|(?:^|\\)\.{1,2}(?:\\|$)/.test(text))
    return { fault: 'with \\\\?\\ in front, "/", "." and ".." are names; write it without' };
  return { path: share === undefined ? text : `\\\\${share}` };
}

/** Why a part of a path is no plain name on Windows, or not the same one to all programs. */
function partFault(part: string): string | undefined {
  if (isDeviceName(part)) return `Windows keeps ${JSON.stringify(part)} for a device`;
  const unfit = unfitPart(part);
  switch (unfit?.fault) {
    case 'character':
      return unfit.character === ':'
        ? `${JSON.stringify(part)} names a stream of a file, not a file`
        : `no file may have ${JSON.stringify(unfit.character)} in its name on Windows`;
    case 'end':
      return `some programs pass over the dot or space at the end of ${JSON.stringify(part)}; write it without`;
    default:
      return undefined;
  }
}

/**
 * Whether a name may be a short one (`PROGRA~1`, `SETTIN~1.JSO`) that Windows makes up for a long one. Of a file that exists the disk is
 * asked; for one that does not exist it cannot be told.
 */
export function looksShort(name: string): boolean {
  return /^(?=[^.]{2,8}(?:\.|$))[^. ]*~\d+(?:\.[^. ]{0,3})?$/.test(name);
}
