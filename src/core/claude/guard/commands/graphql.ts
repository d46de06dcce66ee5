import { unknownText } from '../shell/argument.ts';

/**
 * Whether a GraphQL document is complete and holds only queries and fragments. Strings and comments do not count. Names between braces
 * are fields: one may be called `mergeStateStatus`, or even `mutation`.
 */
export function isReadingQuery(document: string): boolean {
  if (document.includes(unknownText)) return withoutVariables(document);
  return definitionsRead(document);
}

/** A document with unknown text only reads if the unknown text is a string within the selection of a query. */
function withoutVariables(document: string): boolean {
  const first = document.indexOf(unknownText);
  const before = plain(document.slice(0, first));
  const open = before.split('{').length - before.split('}').length;
  // Inserted text could close the braces, unless it is between quotes.
  return open > 0 && /"\s*$/.test(document.slice(0, first)) && definitionsRead(document.replaceAll(unknownText, ''));
}

function definitionsRead(document: string): boolean {
  const text = plain(document);
  if (!/^\s*(?:query\b|fragment\b|\{)/.test(text)) return false;
  let depth = 0;
  for (const [token] of text.matchAll(/[{}]|[A-Za-z_]\w*/g)) {
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (depth <= 0 && (token === 'mutation' || token === 'subscription')) return false;
  }
  return depth === 0;
}

/** The document without its strings and comments. */
function plain(document: string): string {
  return document.replace(/"""[^]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n]*/g, ' ');
}
