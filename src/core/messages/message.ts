/**
 * The English text of a message, with the names of its arguments in braces. A text in two forms is told by the argument `count`:
 * `one` where that is 1, `other` for every other number.
 */
export type Text = string | { readonly one: string; readonly other: string };

/** What stands in a message in place of a name in braces. A list is told with commas. */
export type Argument = string | number | Message | readonly (string | Message)[];

/** A fact or a reason as data: what the core has to say, before it is put into a language. */
export interface Message {
  /** The room and the key of its text, `create.pathIsTaken`. It stays when the text is reworded. */
  readonly id: string;
  readonly args: Readonly<Record<string, Argument>>;
  /** The English text, not filled in yet: what translators translate. */
  readonly template: Text;
}

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesOf<T extends Text> = T extends string
  ? NamesIn<T>
  : T extends { readonly one: infer One extends string; readonly other: infer Other extends string }
    ? 'count' | NamesIn<One> | NamesIn<Other>
    : never;

/** Gives the message of a text; its arguments are those that the text names. */
export type MessageOf<T extends Text> = Pick<Message, 'id' | 'template'> &
  ([NamesOf<T>] extends [never] ? () => Message : (args: Readonly<Record<NamesOf<T>, Argument>>) => Message);

/** The messages of one room of the core. */
export type Messages<T extends Readonly<Record<string, Text>>> = { readonly [Key in keyof T]: MessageOf<T[Key]> };

/** Makes the messages of a room from its English texts. */
export function messages<const T extends Readonly<Record<string, Text>>>(room: string, texts: T): Messages<T> {
  const made: Record<string, unknown> = {};
  for (const [key, template] of Object.entries(texts)) {
    const known = { id: `${room}.${key}`, template };
    made[key] = Object.assign((args: Message['args'] = {}): Message => ({ ...known, args }), known);
  }
  return made as Messages<T>;
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

/** A message as a sentence, in English unless it is translated. */
export function textOf(message: Message | string, translate: Translate = (english) => english): string {
  if (typeof message === 'string') return message;
  const { template, args } = message;
  const text = typeof template === 'string' ? template : args['count'] === 1 ? template.one : template.other;
  return (message.id === 'verbatim' ? text : translate(text)).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = args[name];
    if (value === undefined) return whole;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if ('id' in value) return textOf(value, translate);
    return value.map((each) => textOf(each, translate)).join(', ');
  });
}
