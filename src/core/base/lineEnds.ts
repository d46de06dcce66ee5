const byteOrderMark = '\uFEFF';

/**
 * A new text for a file, with what an editor of Windows has put into the old one: a byte order mark, and line ends of Windows where all were such.
 *
 * @param before what the file holds, its byte order mark included; `undefined` where there is none.
 */
export function writtenLike(before: string | undefined, text: string): string {
  if (before === undefined || text === before) return text;
  const isDos = before.includes('\r\n') && !/(?<!\r)\n/.test(before);
  const ended = isDos ? text.replaceAll(/(?<!\r)\n/g, '\r\n') : text;
  return before.startsWith(byteOrderMark) && !ended.startsWith(byteOrderMark) ? byteOrderMark + ended : ended;
}
