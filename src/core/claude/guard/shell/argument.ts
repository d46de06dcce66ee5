/** Marks text that is only known at run time. It may be empty, so a name counts as known without it. */
export const unknownText = '\uE0F0';
/** Stands for an unquoted `*`. */
export const anyText = '\uE0F1';
/** Stands for an unquoted `?` or `[…]`. */
export const anyCharacter = '\uE0F2';

/** Marks text that a command computes from what follows the mark: it is not parsed, but searched for keywords. */
export const computedMark = '\uE0F3';
/** Marks text that was decoded from something unknown, and so must not run. */
export const opaqueMark = '\uE0F4';

const marks = new RegExp(`[${unknownText}${computedMark}${opaqueMark}]`, 'g');

/** The possible values of a text: one entry for each possibility that the script leaves open. Never empty. */
export type Texts = readonly string[];

/** A text that is not known. */
export const anything: Texts = [unknownText];
export const nothing: Texts = [''];

/** One argument of a command, after quote removal, as far as the script shows its text. */
export interface Argument {
  /** May hold {@link unknownText}, {@link anyText} and {@link anyCharacter}. */
  readonly text: string;
  /** Whether it may turn out to be no argument at all, or several: an unquoted expansion that is unknown. */
  readonly mayVanish: boolean;
  /** The variable that it was expanded from, if it is nothing else. */
  readonly variable?: string;
  /** The content, if it is read as a file: the output of a `<(…)`. */
  readonly content?: Texts;
  /** Receives what is written to it as a file: the input of a `>(…)`. */
  readonly feed?: (input: Texts) => void;
}

/** An argument with a known text. */
export function argument(text: string): Argument {
  return { text, mayVanish: false };
}

/** An unknown number of unknown arguments. */
export const someArguments: Argument = { text: unknownText, mayVanish: true };

/** The text with its unknown parts empty. A carriage return at the end comes from an editor and does not count. */
export function knownText({ text }: Argument): string {
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  return withoutMarks(text.slice(0, end));
}

/** The text without the marks for what is not known. */
export function withoutMarks(text: string): string {
  return text.replace(marks, '');
}

/** Whether nothing of the argument is known. */
export function isUnknown(of: Argument): boolean {
  return of.text !== '' && knownText(of) === '';
}

/** How an argument is shown in a reason: one line, shortened, with `…` for what is not known. */
export function readable(text: string): string {
  const plain = text
    .replace(marks, '…')
    .replaceAll(anyText, '*')
    .replaceAll(anyCharacter, '?')
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
}

/** The name that a text with an unquoted glob matches; `undefined` if there is none. */
export function globbed(text: string, names: readonly string[]): string | undefined {
  if (!text.includes(anyText) && !text.includes(anyCharacter)) return undefined;
  const source = text
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(marks, '')
    .replace(new RegExp(`${anyText}+`, 'g'), '.*')
    .replaceAll(anyCharacter, '.');
  const pattern = new RegExp(`^${source}$`, 'is');
  return names.find((name) => pattern.test(name));
}

/** The command names that a glob is compared with. */
const globbedCommands = [
  'git',
  'gh',
  'wt',
  'hub',
  'sh',
  'bash',
  'zsh',
  'dash',
  'env',
  'sudo',
  'xargs',
  'command',
  'nohup',
  'timeout',
];

/**
 * The name of a command: without its folder and `.exe` and the like, in lower case (macOS and Windows also find `GIT`). Empty if
 * nothing is known.
 */
export function commandName(of: Argument): string {
  let name = knownText(of);
  name = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  if (name.startsWith('\uFEFF')) name = name.slice(1); // a byte-order mark comes from an editor
  if (name.startsWith('=') && name.length > 1) name = name.slice(1); // zsh: the path of that command
  name = name.toLowerCase();
  name = name.replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
  return globbed(name, globbedCommands) ?? name;
}
