/** Stands for text that only the run would tell. It may be empty, so a name counts as known once this is taken out of it. */
export const unknownText = '\uE0F0';
/** Stands for an unquoted `*`. */
export const anyText = '\uE0F1';
/** Stands for an unquoted `?` or `[…]`. */
export const anyCharacter = '\uE0F2';

/** Stands for text that a program makes from what follows the mark: not to be parsed, but its words count. */
export const computedMark = '\uE0F3';
/** Stands for text that was decoded from something unknown: nothing that could be let run. */
export const opaqueMark = '\uE0F4';

const marks = new RegExp(`[${unknownText}${computedMark}${opaqueMark}]`, 'g');

/** What a text may be: one entry for each possibility that the script leaves open. Never empty. */
export type Texts = readonly string[];

/** What nothing is known of. */
export const anything: Texts = [unknownText];
export const nothing: Texts = [''];

/** One argument of a command, after quotes are removed and as far as the script tells its text. */
export interface Argument {
  /** May hold {@link unknownText}, {@link anyText} and {@link anyCharacter}. */
  readonly text: string;
  /** Whether it may turn out to be no argument at all, or several: an unquoted expansion that is unknown. */
  readonly mayVanish: boolean;
  /** The variable that it is the whole value of, if it is. */
  readonly variable?: string;
  /** What it gives when it is read as a file: the output of a `<(…)`. */
  readonly content?: Texts;
  /** Takes what is written to it as a file: the input of a `>(…)`. */
  readonly feed?: (input: Texts) => void;
}

/** An argument whose text is known. */
export function argument(text: string): Argument {
  return { text, mayVanish: false };
}

/** The argument of which nothing is known, not even that there is one. */
export const someArguments: Argument = { text: unknownText, mayVanish: true };

/** The text with the unknown parts taken to be empty; a carriage return at the end is an editor's, not the writer's. */
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

/** Which of the names a text may stand for, where it holds an unquoted glob; else `undefined`. */
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

/** The programs that a glob in the place of the program is compared with. */
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
 * The name of a program, however it was called: without its folder, `.exe` and the like, in lower case (macOS and Windows find `GIT`
 * too). Empty where nothing is known.
 */
export function commandName(of: Argument): string {
  let name = knownText(of);
  name = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  if (name.startsWith('\uFEFF')) name = name.slice(1); // a byte-order mark: an editor's, not the writer's
  if (name.startsWith('=') && name.length > 1) name = name.slice(1); // zsh: the path of that program
  name = name.toLowerCase();
  name = name.replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
  return globbed(name, globbedCommands) ?? name;
}
