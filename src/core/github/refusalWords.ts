/** The part of a failed answer that words are read from. */
export interface FailedAnswer {
  /** Of a query. */
  readonly errors?: readonly ({ readonly type?: string; readonly message?: string } | null)[];
  readonly response?: { readonly data?: unknown };
}

/** The most of one sentence that is told, in characters. */
const longest = 200;
/** The most of an answer that is looked at, in characters. */
const readable = 10_000;
/** The most things that were wrong. */
const most = 10;
/** What says no more than the status does. */
const empty = /^(?:validation failed|not found|forbidden|bad request|conflict|unprocessable (?:entity|content))\.?$/i;

/**
 * The words of the host, one for each thing that was wrong: its `message`, then its `errors`, whatever shape they have. Of a page of HTML, as
 * proxies and sign-ons send, its title.
 */
export function wordsOf({ errors, response }: FailedAnswer): string[] {
  if (errors) return errors.map((each) => each?.message ?? 'error').slice(0, most);
  const data = response?.data;
  if (typeof data === 'string') return [textOfPage(data)].filter((word) => word !== '');
  if (typeof data !== 'object' || data === null) return [];
  const { message, errors: given } = data as { message?: unknown; errors?: unknown };
  const all = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given];
  return [message, ...all.map(wordOf)]
    .filter((word) => typeof word === 'string' && word !== '')
    .slice(0, most) as string[];
}

/**
 * What of these words tells why, and what is left to be told beside it: the first that says more than the status, as one sentence of at most
 * 200 characters without its full stop; `undefined` where none does.
 */
export function reasonOf(words: readonly string[]): {
  readonly reason: string | undefined;
  readonly others: readonly string[];
} {
  const told = words.filter((word) => !empty.test(word.trim()));
  const [first, ...others] = told;
  if (first === undefined) return { reason: undefined, others: [] };
  return { reason: sentenceOf(first), others: linesOf(others) };
}

/** Words as lines for a person: each in one line of at most 200 characters. */
export const linesOf = (words: readonly string[]): string[] => words.map((word) => clipped(plain(word)));

/** The first sentence of a text, without its full stop and in one line. */
function sentenceOf(text: string): string {
  const [first = ''] = plain(text).split(/(?<=[.!?])\s/, 1);
  return clipped(first).replace(/[.\s]+$/, '');
}

const clipped = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** In one line, without markup, and without what a terminal would take for a command. */
function plain(whole: string): string {
  const text = whole.slice(0, readable);
  const isPage = /<\/?[a-z!][^>]*>/i.test(text);
  return (isPage ? textOfPage(text) : text).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

/** The title of a page of HTML, else its text. What begins no page is left as it is. */
function textOfPage(whole: string): string {
  const page = whole.slice(0, readable);
  if (!/<[a-z!]/i.test(page)) return page.trim();
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
  if (title) return title;
  return page
    .replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function wordOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return '';
  const { message, field, code } = error as { message?: unknown; field?: unknown; code?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof field === 'string' && typeof code === 'string' ? `${field}: ${code}` : '';
}
