import { readTextIfThere } from './atomicFile.ts';
import { jsonFaultAt } from './jsonFault.ts';
import { Problem, messageOf } from './problem.ts';
import type { Message } from '../messages/message.ts';
import { baseMessages } from '../messages/base.ts';

/**
 * The object that a JSON file holds; `undefined` where there is no file.
 *
 * @throws Problem `unreadable-file` that names the line, for broken or half-written text and for anything but an object.
 */
export async function readJsonObject(file: string): Promise<Record<string, unknown> | undefined> {
  const text = await readTextIfThere(file);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    const before = text.slice(0, jsonFaultAt(text) ?? 0);
    // Half a file ends in its last line of text.
    const line = (before === text ? text.trimEnd() : before).split('\n').length;
    throw broken(file, line, baseMessages.notJson({ fault: messageOf(thrown).replace(/\s+/g, ' ') }));
  }
  if (!isObject(value)) throw broken(file, 1, baseMessages.notJsonObject());
  return value;
}

/** Whether a value is an object with keys, not an array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function broken(file: string, line: number, what: Message): Problem {
  return new Problem('unreadable-file', baseMessages.lineLeft({ file, line, what }), {
    file,
    line,
    next: baseMessages.correctMoveFile(),
  });
}
