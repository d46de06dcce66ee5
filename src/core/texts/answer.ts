import { stripVTControlCharacters } from 'node:util';

/** What a text is for. */
export type TextKind = 'name' | 'commit' | 'pull-request';

/** How long a text may be, in characters. */
const longest: Readonly<Record<TextKind, number>> = { name: 100, commit: 8000, 'pull-request': 60_000 };

/**
 * What can be used of a model's answer: the text itself, without a fence or quotes around it, what it says before it, and characters that do
 * something to a terminal. Nothing in it is ever run. Empty when nothing is left.
 */
export function textOfAnswer(answer: string, kind: TextKind): string {
  // eslint-disable-next-line no-control-regex -- those are what is taken out
  const plain = stripVTControlCharacters(answer.replaceAll(/\r\n?/g, '\n')).replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    '',
  );
  const text = withoutLabel(withoutFence(plain.trim()));
  if (kind === 'name') {
    const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
    return withoutQuotes(line.trim().replace(/\.$/, '')).replace(/\.$/, '').slice(0, longest.name).trim();
  }
  const [first = '', ...rest] = text.split('\n');
  const whole = rest.length === 0 ? withoutQuotes(first) : text;
  const lines = whole.split('\n').map((line) => line.trimEnd());
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .slice(0, longest[kind])
    .trim();
}

/** The title and the description of a pull request in a text that begins with the title. */
export function titleAndBody(text: string): { readonly title: string; readonly body: string } {
  const lines = text.trim().split('\n');
  // A model may write "Title:" on a line of its own.
  const at = lines.findIndex((line) => titleIn(line) !== '');
  const title = titleIn(lines[at] ?? '');
  const rest = at < 0 ? [] : lines.slice(at + 1);
  const body = rest
    .join('\n')
    .trim()
    .replace(/^\**(description|body):\**[ \t]*\n?/i, '')
    .trim();
  return { title, body };
}

function titleIn(line: string): string {
  const plain = line.replace(/^#+\s*/, '').trim();
  return withoutQuotes(plain.replace(/^\**title\**(?::\**\s*|$)/i, '').trim());
}

/** An answer that is a fenced block, with a line before it or behind it at most, is what is in the block. */
function withoutFence(text: string): string {
  const [, before, block, after] =
    /^([^\n`]*\n+)?(?:```|~~~)[\w-]*\n([\s\S]*?)\n(?:```|~~~)(\n+[^\n`]*)?$/.exec(text) ?? [];
  if (block === undefined) return text;
  return before === undefined || /[:.]\s*$/.test(before) || after === undefined ? block.trim() : text;
}

/** "Here is the message:", "Commit message:" and the like, on a line of their own or before the text. */
function withoutLabel(text: string): string {
  const label =
    /^(?:(?:sure|certainly|of course|okay|ok)\b[^\n]*[:.!]\s*\n+)?(?:here(?:'s| is| are)[^\n]*:[ \t]*\n*|\**(?:commit message|branch(?: name)?|name|suggested [\w ]+):\**[ \t]*\n*)?/i;
  return text.replace(label, '').trim();
}

function withoutQuotes(text: string): string {
  const [, quote, inner] = /^(["'`“«]|\*\*)(.+)(?:["'`”»]|\*\*)$/.exec(text) ?? [];
  return quote === undefined || inner === undefined ? text : withoutQuotes(inner.trim());
}
