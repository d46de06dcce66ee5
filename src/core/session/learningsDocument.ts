import type { Block } from './resultBuilder.ts';
import { nameKey, splitLines, type TextLines } from './lines.ts';
import { markLines, type MarkedLine, type Unclosed } from './markdownLines.ts';
import type { Named } from './pairing.ts';

/** A second-level heading with what stands below it; or all that stands before the first one. */
export interface Learning extends Block, Named {
  /** The heading; empty for what stands before the first one. */
  readonly name: string;
  readonly texts: readonly string[];
}

/** A learnings file, from which the same bytes come back. */
export interface LearningsDocument {
  readonly source: TextLines;
  /** What stands before the first second-level heading: the whole file where there is none. */
  readonly preamble: Learning;
  readonly learnings: readonly Learning[];
  /** The first-level heading; empty where there is none. */
  readonly title: string;
  readonly marked: readonly MarkedLine[];
  readonly unclosed: Unclosed | undefined;
}

/** Reads a learnings file. Every text can be read. */
export function readLearnings(text: string): LearningsDocument {
  const source = splitLines(text);
  const { lines: marked, unclosed } = markLines(source.lines.map((line) => line.text));
  const starts = marked.flatMap(({ role, level }, index) => (role === 'heading' && level === 2 ? [index] : []));
  const read = (from: number, until: number, isPreamble: boolean): Learning => {
    let to = until;
    while (to > from && marked[to - 1]?.role === 'blank') to -= 1;
    const lines = source.lines.slice(from, to);
    const texts = lines.map((line) => line.text);
    const name = isPreamble ? '' : (marked[from]?.title ?? '');
    return {
      kind: isPreamble ? (lines.length === 0 ? 'start' : 'text') : 'entry',
      lines,
      blanks: source.lines.slice(to, until),
      nameKey: nameKey(name),
      print: [nameKey(texts[0] ?? ''), ...texts.slice(1).map((line) => line.trimEnd())].join('\n'),
      name,
      texts,
    };
  };
  return {
    source,
    preamble: read(0, starts[0] ?? marked.length, true),
    learnings: starts.map((start, index) => read(start, starts[index + 1] ?? marked.length, false)),
    title: marked.find(({ role, level }) => role === 'heading' && level === 1)?.title ?? '',
    marked,
    unclosed,
  };
}
