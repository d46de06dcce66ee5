import { unknownText } from '../shell/argument.ts';

/**
 * Whether a GraphQL document stands there in full and holds only queries and fragments. Strings and comments are left out, and what is
 * between braces are fields: one may be called `mergeStateStatus`, or even `mutation`.
 */
export function isReadingQuery(document: string): boolean {
  if (document.includes(unknownText)) return withoutVariables(document);
  return definitionsRead(document);
}

/** A text that holds something unknown is a reading one only where the unknown stands within a selection of a query. */
function withoutVariables(document: string): boolean {
  const first = document.indexOf(unknownText);
  const before = plain(document.slice(0, first));
  const open = before.split('{').length - before.split('}').length;
  // What is inserted could close the braces; a plain value between quotes cannot be told from that.
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
