import { distinctRemedies, type Remedy } from './remedy.ts';

/**
 * The English text of a message, with the names of its arguments in braces. A text in two forms is told by the argument `count`:
 * `one` where that is 1, `other` for every other number.
 */
export type Text = string | { readonly one: string; readonly other: string };

/**
 * A text that the terminal and VS Code tell in different words, because a command line stands in it.
 * `remedies` hold what helps as data; their values may have names of arguments in braces, as the text.
 */
export type Forms =
  | {
      readonly terminal: Text;
      /** Without a command. Left out where the buttons of the remedies say it all. */
      readonly editor?: Text;
      readonly remedies?: readonly Remedy[];
    }
  /** The same words for both. */
  | { readonly text: Text; readonly remedies: readonly Remedy[] };

/** How a message is defined. */
export type Definition = Text | Forms;

/** What stands in a message in place of a name in braces. A list is told with commas. */
export type Argument = string | number | Message | readonly (string | Message)[];

/** A fact or a reason as data: what the core has to say, before it is put into a language. */
export interface Message {
  /** The room and the key of its text, `create.pathIsTaken`. It stays when the text is reworded. */
  readonly id: string;
  readonly args: Readonly<Record<string, Argument>>;
  /** The English text, not filled in yet: what translators translate. */
  readonly template: Text;
  /** The English text for VS Code, where it is another one; empty where nothing is to be told there beside the buttons. */
  readonly editor?: Text;
  /** What helps, as data. */
  readonly remedies?: readonly Remedy[];
}

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesInRemedy<T> = T extends Remedy ? NamesIn<Extract<T[keyof T], string>> : never;
type NamesInText<T> = T extends string
  ? NamesIn<T>
  : T extends { readonly one: infer One extends string; readonly other: infer Other extends string }
    ? 'count' | NamesIn<One> | NamesIn<Other>
    : never;
type NamesOf<T extends Definition> =
  | NamesInText<T>
  | (T extends { readonly terminal: infer Of } ? NamesInText<Of> : never)
  | (T extends { readonly editor: infer Of } ? NamesInText<Of> : never)
  | (T extends { readonly text: infer Of } ? NamesInText<Of> : never)
  | (T extends { readonly remedies: readonly (infer Of)[] } ? NamesInRemedy<Of> : never);

/** Gives the message of a text; its arguments are those that the text and its remedies name. */
export type MessageOf<T extends Definition> = Pick<Message, 'id' | 'template' | 'editor' | 'remedies'> &
  ([NamesOf<T>] extends [never] ? () => Message : (args: Readonly<Record<NamesOf<T>, Argument>>) => Message);

/** The messages of one room of the core. */
export type Messages<T extends Readonly<Record<string, Definition>>> = { readonly [Key in keyof T]: MessageOf<T[Key]> };

/** Makes the messages of a room from its English texts. */
export function messages<const T extends Readonly<Record<string, Definition>>>(room: string, texts: T): Messages<T> {
  const made: Record<string, unknown> = {};
  for (const [key, definition] of Object.entries(texts)) {
    const { remedies, ...known } = { id: `${room}.${key}`, ...partsOf(definition) };
    const make = (args: Message['args'] = {}): Message =>
      remedies ? { ...known, args, remedies: remedies.map((each) => filledRemedy(each, args)) } : { ...known, args };
    made[key] = Object.assign(make, known, remedies && { remedies });
  }
  return made as Messages<T>;
}

function partsOf(definition: Definition): Pick<Message, 'template' | 'editor' | 'remedies'> {
  if (typeof definition === 'string' || 'one' in definition) return { template: definition };
  if ('text' in definition) return { template: definition.text, remedies: definition.remedies };
  const { terminal, editor = '', remedies } = definition;
  return { template: terminal, editor, ...(remedies && { remedies }) };
}

function filledRemedy(remedy: Remedy, args: Message['args']): Remedy {
  const filled = Object.entries(remedy).map(([key, value]: [string, string]) => [key, fill(value, args, plainWord)]);
  return Object.fromEntries(filled) as Remedy;
}

/** A word that was quoted for a command line, without its quotes. */
function plainWord(value: Argument): string {
  const text =
    typeof value === 'object'
      ? 'id' in value
        ? textOf(value)
        : value.map((each) => textOf(each)).join(', ')
      : String(value);
  return /^".*"$/s.test(text) ? (JSON.parse(text) as string) : text;
}

/** A text that is not translated any more: what git or the file system wrote, or what is in the person's language already. */
export function verbatim(text: string): Message {
  return { id: 'verbatim', args: { text }, template: '{text}' };
}

/** What is a text where it was written by an earlier version. */
export function asMessage(value: Message | string): Message {
  return typeof value === 'string' ? verbatim(value) : value;
}

/** Whether a value is a message, for what is printed without knowing its shape. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'template' in value && 'args' in value && 'id' in value;
}

/** Messages in their order, each text once. */
export function withoutRepeated(all: readonly Message[]): Message[] {
  return all.filter((each, index) => all.findIndex((other) => textOf(other) === textOf(each)) === index);
}

/** Gives the text of another language for an English one; the same where there is none. */
export type Translate = (english: string) => string;

/** A message as the terminal prints it, in English. */
export function textOf(message: Message | string): string {
  return typeof message === 'string' ? message : told(message, message.template, textOf);
}

/** A message as VS Code shows it: without commands, in English unless it is translated. Empty where its remedies say it all. */
export function editorTextOf(message: Message | string, translate: Translate = (english) => english): string {
  if (typeof message === 'string') return message;
  const inner = (each: Message | string): string => editorTextOf(each, translate);
  return told(message, message.editor ?? message.template, inner, message.id === 'verbatim' ? undefined : translate);
}

/** What helps, of a message and of those in it. */
export function remediesOf(message: Message | string): readonly Remedy[] {
  if (typeof message === 'string') return [];
  const inner = Object.values(message.args).flatMap((value) =>
    typeof value !== 'object' ? [] : 'id' in value ? remediesOf(value) : value.flatMap(remediesOf),
  );
  return distinctRemedies([...(message.remedies ?? []), ...inner]);
}

function told({ args }: Message, template: Text, inner: typeof textOf, translate?: Translate): string {
  const text = typeof template === 'string' ? template : args['count'] === 1 ? template.one : template.other;
  return fill(translate && text !== '' ? translate(text) : text, args, (value) => {
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' || 'id' in value ? inner(value) : value.map(inner).join(', ');
  });
}

function fill(text: string, args: Message['args'], show: (value: Argument) => string): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = args[name];
    return value === undefined ? whole : show(value);
  });
}
