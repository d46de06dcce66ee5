import { isObject } from './jsonText.ts';

/** A value and the JSON text that it was read from. */
export interface JsonSource {
  readonly value: unknown;
  readonly text: string;
}

/**
 * The JSON text of a value that was changed. What is the very same value as before stands as it stood, to the last digit: a number that is too
 * long for JavaScript, and that another program has written, keeps all of its digits.
 *
 * @param before must be valid JSON.
 * @param isSame whether an element of an array is a changed one of before.
 */
export function jsonKeeping(
  next: unknown,
  before: JsonSource | undefined,
  isSame: (element: unknown, before: unknown) => boolean,
): string {
  const write = (value: unknown, from: JsonSource | undefined, indent: string): string => {
    if (from && value === from.value) return from.text;
    const inner = `${indent}  `;
    if (Array.isArray(value)) {
      const old = elementsOf(from);
      const texts = new Map(old.map((each) => [each.value, each]));
      const items = value.map((each: unknown) =>
        write(each, texts.get(each) ?? old.find((other) => isSame(each, other.value)), inner),
      );
      return items.length === 0 ? '[]' : `[\n${items.map((each) => inner + each).join(',\n')}\n${indent}]`;
    }
    if (isObject(value)) {
      const old = membersOf(from);
      const items = Object.entries(value).flatMap(([key, each]) =>
        each === undefined ? [] : [`${inner}${JSON.stringify(key)}: ${write(each, old.get(key), inner)}`],
      );
      return items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n${indent}}`;
    }
    return JSON.stringify(value);
  };
  return write(next, before, '');
}

function elementsOf(source: JsonSource | undefined): JsonSource[] {
  const values = source?.value;
  if (!source || !Array.isArray(values)) return [];
  const texts = partsOf(source.text);
  return values.map((value: unknown, index) => ({ value, text: texts[index] ?? JSON.stringify(value) }));
}

/** Of a key that stands there twice the last one counts, as for `JSON.parse`. */
function membersOf(source: JsonSource | undefined): Map<string, JsonSource> {
  const found = new Map<string, JsonSource>();
  if (!source || !isObject(source.value)) return found;
  const parts = partsOf(source.text);
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const key = JSON.parse(parts[index] ?? '') as string;
    found.set(key, { value: source.value[key], text: parts[index + 1] ?? '' });
  }
  return found;
}

/** The texts of the elements of an array, or of the keys and values of an object, in their order. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  // Behind the bracket that opens it.
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/g;
  let depth = 0;
  let start = 0;
  for (const { 0: found, index } of text.matchAll(token)) {
    const opens = found === '[' || found === '{';
    const closes = found === ']' || found === '}';
    if (closes) depth--;
    if (depth === 1) {
      if (opens) start = index;
      else parts.push(text.slice(closes ? start : index, index + found.length));
    }
    if (opens) depth++;
  }
  return parts;
}
