import { anyCharacter, anyText, unknownText, type Texts } from './argument.ts';
import type { ParameterOperation, Word } from './shellSyntax.ts';

/** Longer texts, and patterns with more stars, are not computed: matching them could take minutes. */
const longest = 512;
const mostStars = 2;

/** What `${name<operation>}` may give for a known value; `undefined` if it is not computed. */
export function operated(
  value: string,
  operation: ParameterOperation,
  textsOf: (word: Word) => Texts,
): Texts | undefined {
  if (value.includes(unknownText) || value.length > longest) return undefined;
  switch (operation.type) {
    case 'Remove':
      return textsOf(operation.operand).map((pattern) => removed(value, operation.operator, pattern));
    case 'Replace': {
      const replacements = textsOf(operation.replacement);
      return textsOf(operation.pattern).flatMap((pattern) =>
        replacements.map((by) => replaced(value, operation.operator, pattern, by)),
      );
    }
    case 'Slice': {
      const [offset, length] = [operation.offset, operation.length].map((word) =>
        word === undefined ? undefined : wholeNumber(textsOf(word)[0]!),
      );
      if (offset === undefined || (operation.length !== undefined && length === undefined)) return undefined;
      return [slice(value, offset, length).join('')];
    }
    case 'CaseModification':
      return [inCase(value, operation.operator)];
    case 'Transform':
      return [transformed(value, operation.operand.value)];
    case 'Default':
    case 'Names':
    case 'Unknown':
      return undefined;
  }
}

/** The part of a list that `${list:offset:length}` names. */
export function slice<T>(list: ArrayLike<T>, offset: number, length: number | undefined): T[] {
  const all = Array.from(list);
  const start = offset < 0 ? Math.max(0, all.length + offset) : offset;
  return all.slice(start, length === undefined ? undefined : length < 0 ? length : start + length);
}

/** A number as an arithmetic text gives it, if it is written out. */
export function wholeNumber(text: string): number | undefined {
  const trimmed = text
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  return /^[+-]?\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}

function removed(value: string, operator: string, pattern: string): string {
  const whole = glob(pattern);
  if (whole === undefined) return unknownText;
  const prefix = operator.startsWith('#');
  // The first cut that matches counts: the shortest part for `#` and `%`, the longest for `##` and `%%`.
  const cuts = Array.from({ length: value.length + 1 }, (_, index) => index);
  if (operator === '##' || operator === '%') cuts.reverse();
  const cut = cuts.find((at) => whole.test(prefix ? value.slice(0, at) : value.slice(at)));
  if (cut === undefined) return value;
  return prefix ? value.slice(cut) : value.slice(0, cut);
}

function replaced(value: string, operator: string, pattern: string, by: string): string {
  const source = globSource(pattern);
  if (source === undefined || source === '') return source === '' ? value : unknownText;
  const anchored = operator === '/#' ? `^${source}` : operator === '/%' ? `${source}$` : source;
  return value.replace(new RegExp(anchored, operator === '//' ? 'gs' : 's'), () => by);
}

function inCase(value: string, operator: string): string {
  if (operator === '^^') return value.toUpperCase();
  if (operator === ',,') return value.toLowerCase();
  const first = value.slice(0, 1);
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1);
}

function transformed(value: string, operator: string): string {
  switch (operator) {
    case 'U':
      return value.toUpperCase();
    case 'L':
      return value.toLowerCase();
    case 'u':
      return inCase(value, '^');
    default:
      return value;
  }
}

function glob(pattern: string): RegExp | undefined {
  const source = globSource(pattern);
  return source === undefined ? undefined : new RegExp(`^${source}$`, 's');
}

/** A glob as a regular expression; `undefined` for one that is unknown, or long enough to make matching slow. */
function globSource(pattern: string): string | undefined {
  if (pattern.includes(unknownText) || pattern.split(anyText).length - 1 > mostStars) return undefined;
  return pattern
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(new RegExp(`${anyText}+`, 'g'), '.*')
    .replaceAll(anyCharacter, '.');
}
