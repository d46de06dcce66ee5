/** Why Windows cannot hold a file or folder of a name: a device has it, a character is not allowed, it ends with a dot or a space. */
export type NameFault = 'device' | 'character' | 'end';

/** A part of a path that Windows cannot hold. */
export interface UnfitPart {
  readonly part: string;
  readonly fault: NameFault;
  /** The character that is not allowed, if that is the fault. */
  readonly character?: string;
}

/**
 * The longest path of a folder, in characters, in which Windows starts a program, less room for what git makes in it. It is not widened by
 * `core.longpaths` or by long paths being on in Windows.
 */
export const longestFolder = 240;

/** Names of devices, in any case and whatever extension follows; `com¹` is `com1` to Windows. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])( *(?:[.:].*)?)$/is;

/** What no name may hold, the backslash among them. */
const forbidden = /[<>:"|?*\\\u0000-\u001f]/;

/** Why Windows cannot hold a file or folder of this name; `undefined` if it can. */
export function windowsNameFault(name: string): NameFault | undefined {
  if (isDeviceName(name)) return 'device';
  if (forbidden.test(name)) return 'character';
  return /[. ]$/.test(name) ? 'end' : undefined;
}

/** Whether a name is that of a device on Windows, with or without an extension: `nul`, `Aux.txt`, `COM1`. */
export function isDeviceName(name: string): boolean {
  return device.test(name);
}

/** The first part of a path with forward slashes, or of the name of a branch, that Windows cannot hold; `undefined` if it can hold all of them. */
export function unfitPart(path: string): UnfitPart | undefined {
  for (const part of path.split('/')) {
    const fault = part === '' ? undefined : windowsNameFault(part);
    if (fault === 'character') return { part, fault, character: forbidden.exec(part)![0] };
    if (fault !== undefined) return { part, fault };
  }
  return undefined;
}

/**
 * A name like this one, part by part, that Windows can hold: `aux` becomes `aux-1`, `a<b` becomes `a-b`.
 *
 * @param number goes behind the names of devices, and behind the whole where no part is one and the number is greater than 1.
 */
export function fitForWindows(path: string, number = 1): string {
  let numbered = number === 1;
  const parts = path.split('/').map((part) => {
    const [, name, rest = ''] = device.exec(part) ?? [];
    if (name === undefined) return plain(part);
    numbered = true;
    return `${name.replace('$', '')}-${number}${plain(rest)}`;
  });
  const fit = parts.filter((part) => part !== '').join('/');
  return numbered ? fit : `${fit}-${number}`;
}

function plain(part: string): string {
  return part.replace(new RegExp(`${forbidden.source}+`, 'g'), '-').replace(/[-. ]+$/, '');
}

/** A name as disks compare it that do not tell upper from lower case, or the ways in which Unicode writes one letter. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}
