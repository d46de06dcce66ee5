/** The first line of a task, taken apart. */
export interface TaskLine {
  readonly text: string;
  /** `- ` or the like, up to the bracket. */
  readonly bullet: string;
  /** The character between the brackets. */
  readonly mark: string;
  /** The spaces after the brackets. */
  readonly space: string;
  /** What follows, without the marker of a worktree. */
  readonly body: string;
  readonly name: string;
  /** What follows the name. */
  readonly rest: string;
  /** The marker of a worktree as it is written, with the arrow. */
  readonly marker: string | undefined;
  /** Whether the marker stands right after the name, and not at the end of the line. */
  readonly markerAfterName: boolean;
  /** The slug that the marker names. */
  readonly slug: string | undefined;
}

const taskPattern = /^([-*+][ \t]+)\[(.)\]([ \t]+)(\S.*)$/su;
/** An arrow and a slug in backticks, with `wt/` before it or not; without backticks only with `wt/`. */
const markerPattern =
  /→[ \t]*(?:`(?:wt\/)?([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)`|wt\/([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)(?![\w/.-]))/giu;

/** Takes a line apart; undefined if it is no task. */
export function readTaskLine(text: string): TaskLine | undefined {
  const parts = taskPattern.exec(text);
  if (!parts) return undefined;
  const [, bullet = '', mark = '', space = '', written = ''] = parts;
  const boldEnd = written.startsWith('**') ? written.indexOf('**', 3) : -1;
  const nameEnd = boldEnd === -1 ? undefined : boldEnd + 2;
  let marker: { readonly from: number; readonly to: number; readonly slug: string | undefined } | undefined;
  let markerAfterName = false;
  for (const match of written.includes('→') ? written.matchAll(markerPattern) : []) {
    const from = written.slice(0, match.index).trimEnd().length;
    const to = match.index + match[0].length;
    const afterName = nameEnd === undefined ? !written.slice(0, from).includes(' — ') : from === nameEnd;
    if (afterName || to >= written.trimEnd().length) {
      marker = { from, to, slug: match[1] ?? match[2] };
      markerAfterName = afterName;
      break;
    }
  }
  const body = marker === undefined ? written : written.slice(0, marker.from) + written.slice(marker.to);
  const nameLength = boldEnd === -1 ? lengthBeforeDash(body) : boldEnd + 2;
  return {
    text,
    bullet,
    mark,
    space,
    body,
    name: boldEnd === -1 ? body.slice(0, nameLength).trim() : body.slice(2, boldEnd).trim(),
    rest: body.slice(nameLength).trim(),
    marker: marker && written.slice(marker.from, marker.to),
    markerAfterName,
    slug: marker?.slug?.toLowerCase(),
  };
}

function lengthBeforeDash(body: string): number {
  const dash = body.indexOf(' — ');
  return dash === -1 ? body.length : dash;
}

/** A mark as marks are compared: `X` is `x`. */
export const plainMark = (mark: string): string => (mark === 'X' ? 'x' : mark);

/** Whether a mark means done or cancelled. */
export const isFinished = (mark: string): boolean => /^[xX–—-]$/u.test(mark);

/** The line with another mark, and otherwise as it stands. */
export function withMark(line: TaskLine, mark: string): string {
  if (plainMark(line.mark) === plainMark(mark)) return line.text;
  return `${line.bullet}[${mark}]${line.text.slice(line.bullet.length + 2 + line.mark.length)}`;
}

/** The line with another mark and with the marker of another line, or with none. */
export function withMarkAndMarker(line: TaskLine, mark: string, from: TaskLine | undefined): string {
  const start = `${line.bullet}[${mark}]${line.space}`;
  if (from?.marker === undefined) return start + line.body;
  if (!from.markerAfterName) return start + line.body.trimEnd() + from.marker;
  const nameLength = line.rest === '' ? line.body.trimEnd().length : line.body.lastIndexOf(line.rest);
  const name = line.body.slice(0, nameLength).trimEnd();
  return start + name + from.marker + line.body.slice(name.length);
}
