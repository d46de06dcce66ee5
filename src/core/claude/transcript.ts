import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileTools } from './guardedTools.ts';

/** A call of a tool, as the transcript of a session has it. */
export interface ToolCall {
  readonly kind: 'call';
  /** ISO 8601; empty where the transcript does not say. */
  readonly at: string;
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string | undefined;
}

/** What came of a call. */
export interface ToolOutcome {
  readonly kind: 'outcome';
  readonly at: string;
  /** The id of the call. */
  readonly id: string;
  readonly failed: boolean;
  /** The beginning of what the model got. */
  readonly text: string;
}

/** A hook that did not do its work, or that blocked. */
export interface HookFailure {
  readonly kind: 'hook';
  readonly at: string;
  readonly event: string;
  /** The command of the hook. */
  readonly command: string;
  /** Claude Code's word for it, such as `hook_non_blocking_error`. */
  readonly what: string;
  readonly message: string;
}

/** A message of Claude Code to the model outside of a tool's result, such as that a background task has ended. */
export interface TranscriptNotice {
  readonly kind: 'notice';
  readonly at: string;
  /** Its beginning. */
  readonly text: string;
}

export type TranscriptEvent = ToolCall | ToolOutcome | HookFailure | TranscriptNotice;

/** How much of a tool's result is read, in characters: the summary of a poll is far shorter. */
const resultLength = 4000;

/**
 * Reads the transcript of a session or of one of its agents, a line at a time: they grow to hundreds of megabytes. Lines that are
 * not understood are passed over, since the format is Claude Code's own; of a missing file there are none.
 *
 * @param from how many bytes of the beginning to leave out.
 */
export async function* readTranscript(file: string, from = 0): AsyncGenerator<TranscriptEvent> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) return;
  const stream = createReadStream(file, { encoding: 'utf8', start: from });
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      // Most lines are about other things; parsing them all would take far longer than reading them.
      if (/"tool_use"|"tool_result"|"hook_|base_updated/.test(line)) yield* eventsOf(line);
    }
  } finally {
    stream.destroy();
  }
}

/** The last part of a transcript, of about so many bytes. */
export async function* readTranscriptEnd(file: string, bytes: number): AsyncGenerator<TranscriptEvent> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  yield* readTranscript(file, Math.max(0, size - bytes));
}

/** The transcript of a sub-agent or team-mate of a session. */
export function agentTranscript(sessionTranscript: string, agentId: string): string {
  return join(dirname(sessionTranscript), basename(sessionTranscript, '.jsonl'), 'subagents', `agent-${agentId}.jsonl`);
}

interface Line {
  readonly type?: string;
  readonly timestamp?: string;
  readonly cwd?: string;
  readonly message?: { readonly content?: unknown } | null;
  readonly attachment?: {
    readonly type?: string;
    readonly hookEvent?: string;
    readonly command?: string;
    readonly stderr?: string;
    readonly blockingError?: { readonly blockingError?: string };
  } | null;
}

interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
  readonly text?: string;
}

function eventsOf(text: string): TranscriptEvent[] {
  let line: Line | null;
  try {
    line = JSON.parse(text) as Line | null;
  } catch {
    return [];
  }
  if (typeof line !== 'object' || line === null) return [];
  const at = typeof line.timestamp === 'string' ? line.timestamp : '';
  const { attachment } = line;
  if (attachment?.type?.startsWith('hook_')) {
    const { type, hookEvent = '', command = '', stderr, blockingError } = attachment;
    const message = stderr ?? blockingError?.blockingError ?? '';
    return [{ kind: 'hook', at, what: type, event: hookEvent, command, message: message.slice(0, resultLength) }];
  }
  if (line.type !== 'assistant' && line.type !== 'user') return [];
  const content = line.message?.content;
  if (typeof content === 'string' && line.type === 'user') {
    return [{ kind: 'notice', at, text: content.slice(0, resultLength) }];
  }
  if (!Array.isArray(content)) return [];
  return (content as (Block | null)[]).flatMap((block): TranscriptEvent[] => {
    if (block === null) return [];
    if (block.type === 'tool_use' && typeof block.id === 'string' && typeof block.name === 'string') {
      return [{ kind: 'call', at, id: block.id, tool: block.name, input: objectOf(block.input), cwd: line.cwd }];
    }
    if (block.type === 'tool_result' && typeof block.tool_use_id === 'string') {
      return [
        {
          kind: 'outcome',
          at,
          id: block.tool_use_id,
          failed: block.is_error === true,
          text: textOf(block.content).slice(0, resultLength),
        },
      ];
    }
    return [];
  });
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as (Block | null)[]).map((block) => (typeof block?.text === 'string' ? block.text : '')).join('\n');
}

/** The file that a call of one of the editing tools writes; `undefined` for other tools. */
export function editedFile({ tool, input }: Pick<ToolCall, 'tool' | 'input'>): string | undefined {
  // Earlier versions of Claude Code had a tool for several edits at once.
  if (!fileTools.includes(tool) && tool !== 'MultiEdit') return undefined;
  const path = input['file_path'] ?? input['notebook_path'];
  return typeof path === 'string' ? path : undefined;
}
