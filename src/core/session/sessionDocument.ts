import type { Block } from './resultBuilder.ts';
import { nameKey, splitLines, type Line, type TextLines } from './lines.ts';
import { isIndented, isListItem, markLines, type MarkedLine, type Unclosed } from './markdownLines.ts';
import { noteGoesOn, noteKindOf, notePrint, type Note, type NoteKind } from './noteLines.ts';
import type { Named } from './pairing.ts';
import { roleOf, type Section, type SectionRole } from './sections.ts';
import { plainMark, readTaskLine, type TaskLine } from './taskLine.ts';

/** To which worktree a task was handed does not count when tasks are compared. */
export interface Task extends Named {
  readonly first: TaskLine;
  /** All lines, the first one included. */
  readonly texts: readonly string[];
  /** The lines after the first. */
  readonly rest: readonly string[];
  readonly section: Section;
  /** The third-level heading it stands under, if any. */
  readonly group: string;
}

export interface SessionBlock extends Block {
  readonly section: Section;
  readonly group: string;
  readonly task: Task | undefined;
  readonly note: Note | undefined;
  /** Of the first line, counted from 1. */
  readonly line: number;
  /** It is a placeholder such as "(none)". */
  readonly isPlaceholder: boolean;
}

/** A session file, from which the same bytes come back: its blocks one after the other are the file. */
export interface SessionDocument {
  readonly source: TextLines;
  readonly blocks: readonly SessionBlock[];
  readonly sections: readonly Section[];
  readonly tasks: readonly Task[];
  readonly marked: readonly MarkedLine[];
  readonly unclosed: Unclosed | undefined;
}

const placeholder = /^(?:[-*+] )?[_*(\[]*(?:none|empty)(?: yet)?[)\]_*.]*$/i;

/** Reads a session file. Every text can be read; what is no task is kept as it stands. */
export function readSession(text: string): SessionDocument {
  const source = splitLines(text);
  const { lines: marked, unclosed } = markLines(source.lines.map((line) => line.text));
  const sections: Section[] = [{ index: 0, title: '', role: 'text', level: 1, isTop: true }];
  const blocks: SessionBlock[] = [];
  const tasks: Task[] = [];
  let group = '';
  let run: Run = { kind: 'start', first: undefined, note: undefined, from: 0, to: 0, blanks: 0 };

  const close = (): void => {
    const section = sections.at(-1) as Section;
    const lines = source.lines.slice(run.from, run.to);
    const blanks = source.lines.slice(run.to, run.to + run.blanks);
    const texts = lines.map((line: Line) => line.text);
    const task = run.first && taskOf(run.first, texts, section, group);
    if (task) tasks.push(task);
    const isPlaceholder = run.kind === 'text' && texts.length === 1 && placeholder.test((texts[0] ?? '').trim());
    const noteKind = isPlaceholder || run.note === 'rule' ? undefined : run.note;
    const note = noteKind && { kind: noteKind, texts, print: notePrint(noteKind, texts), section, group };
    const kind = note && section.role === 'text' && run.kind === 'text' ? 'entry' : run.kind;
    blocks.push({ kind, lines, blanks, section, group, task, note, line: run.from + 1, isPlaceholder });
  };

  for (const [index, line] of marked.entries()) {
    if (line.role === 'blank') {
      run.blanks += 1;
      continue;
    }
    const role = (sections.at(-1) as Section).role;
    const first = role !== 'text' && line.role === 'text' ? readTaskLine(line.text) : undefined;
    if (line.role !== 'heading' && !first && goesOn(run, line, role)) {
      run.to = index + 1;
      run.blanks = 0;
      continue;
    }
    close();
    const kind = line.role === 'heading' ? 'heading' : first ? 'entry' : 'text';
    run = { kind, first, note: undefined, from: index, to: index + 1, blanks: 0 };
    if (kind === 'text') run = { ...run, note: role === 'text' ? noteKindOf(line) : 'paragraph' };
    if (line.role === 'heading' && line.level <= 2) {
      const { level, title } = line;
      const isTop = level === 1 && sections.length === 1;
      sections.push({ index: sections.length, title, role: level === 2 ? roleOf(title) : 'text', level, isTop });
      if (isTop) run = { ...run, note: 'title' };
      group = '';
    } else if (line.role === 'heading' && line.level === 3) {
      group = line.title;
    }
  }
  close();
  return { source, blocks, sections, tasks, marked, unclosed };
}

interface Run {
  readonly kind: Block['kind'];
  /** The first line, of a task. */
  readonly first: TaskLine | undefined;
  readonly note: NoteKind | 'rule' | undefined;
  readonly from: number;
  to: number;
  blanks: number;
}

/** Whether a line belongs to the block before it. */
function goesOn(run: Run, line: MarkedLine, role: SectionRole): boolean {
  if (role === 'text' && run.kind === 'text' && run.note !== undefined && run.note !== 'title') {
    return noteGoesOn(run.note, run.to - run.from, run.blanks, line);
  }
  if (line.role === 'opaque' && line.goesOn) return true;
  if (run.kind === 'entry') {
    if (isIndented(line.text)) return true;
    // A paragraph goes on without indentation until something else begins.
    return (
      run.blanks === 0 && line.role === 'text' && !isListItem(line.text) && !/^ ?(?:[|>]|-{3,}\s*$)/.test(line.text)
    );
  }
  return run.kind === 'text' && run.blanks === 0;
}

function taskOf(first: TaskLine, texts: readonly string[], section: Section, group: string): Task {
  const rest = texts.slice(1);
  const print = [`[${plainMark(first.mark)}] ${first.body}`, ...rest].map((line) => line.trimEnd()).join('\n');
  return { nameKey: nameKey(first.name), print, first, texts, rest, section, group };
}
