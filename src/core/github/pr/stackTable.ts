const begin = '<!-- worktree-stacks: this table keeps itself up to date -->';
const end = '<!-- worktree-stacks: end -->';
const section = new RegExp(`(?:\\r?\\n)*${escape(begin)}[\\s\\S]*?${escape(end)}[ \\t]*`, 'g');

/**
 * The body of a pull request with the table of its stack at the place where it was, or at the end. Everything that people wrote stays as
 * it is to the byte; a stack of one has no table.
 *
 * @param rows the numbers of its pull requests, from the one next to the trunk upwards; GitHub shows their titles by itself.
 * @param own the number of the pull request whose body it is.
 */
export function withStackTable(body: string, rows: readonly number[], own: number, trunk: string): string {
  const breaks = body.includes('\r\n') ? '\r\n' : '\n';
  const found = [...body.matchAll(section)];
  const [first] = found;
  const table = rows.length < 2 ? '' : toTable(rows, own, trunk).join(breaks);
  if (!first)
    return table === '' ? body : `${body.trimEnd() === '' ? '' : `${body.trimEnd()}${breaks}${breaks}`}${table}`;
  let placed = false;
  return body.replace(section, (match) => {
    if (placed || table === '') return '';
    placed = true;
    const gap = /^(?:\r?\n)*/.exec(match)?.[0] ?? '';
    return `${gap}${table}`;
  });
}

function toTable(rows: readonly number[], own: number, trunk: string): string[] {
  const lines = [...rows].reverse().map((number) => `- #${number}${number === own ? ' ← this one' : ''}`);
  return [begin, '**Stack**, from the top down:', '', ...lines, `- \`${trunk}\``, '', end];
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
