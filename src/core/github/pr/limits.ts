/** GitHub's limits, in characters. */
const longestTitle = 256;
const longestBody = 65_536;

const ellipsis = '…';

/** A title that GitHub takes: cut at a word where it is too long. */
export function fittingTitle(title: string): string {
  return cut(title, longestTitle, ellipsis);
}

/** A text that GitHub takes: cut at a word where it is too long. */
export function fittingBody(body: string): string {
  return cut(body, longestBody, `${ellipsis}\n`);
}

/** Whether GitHub takes a text as it is. */
export function fits(body: string): boolean {
  return body.length <= longestBody;
}

function cut(text: string, most: number, end: string): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - end.length);
  const wholeWords = /^([\s\S]*\S)\s/.exec(`${kept}${/^\s/.test(text.slice(kept.length)) ? ' ' : ''}`)?.[1];
  // A word that is most of the text is cut itself, but no character is.
  const at =
    wholeWords !== undefined && wholeWords.length > most / 2 ? wholeWords : kept.replace(/[\uD800-\uDBFF]$/, '');
  return `${at.trimEnd()}${end}`;
}
