import {
  someArguments,
  anyCharacter,
  anyText,
  anything,
  nothing,
  unknownText,
  argument,
  type Argument,
  type Texts,
} from './argument.ts';
import { braceExpanded } from './braces.ts';
import { Fields } from './fields.ts';
import { operated, slice, wholeNumber } from './parameters.ts';
import { combined, concatenated, limited } from './possibilities.ts';
import type { ShellState } from './shellState.ts';
import type {
  CommandExpansionPart,
  ParameterExpansionPart,
  ProcessSubstitutionPart,
  Word,
  WordPart,
} from './shellSyntax.ts';

/** What expanding words needs from the reader of the script. */
export interface ExpansionContext {
  /** The output of a command substitution, as far as it is known. It has been checked already. */
  outputOf(part: CommandExpansionPart): Texts;
  /** What the file of a process substitution holds, or does with what is written to it. */
  fileOf(part: ProcessSubstitutionPart): Pick<Argument, 'content' | 'feed'>;
  /** Parses and checks words that result from brace expansion. */
  wordsFrom(source: string): readonly Word[];
  /** Checks the substitutions in a text that the shell expands a second time. */
  expansion(text: string): void;
}

/** One part of a word: what it may expand to. */
type Segment =
  | { readonly texts: Texts; readonly splits: boolean; readonly from?: Argument }
  | { readonly lists: readonly (readonly Argument[])[]; readonly quoted: boolean };

/** Every argument list that the words may expand to. */
export function expandWords(words: readonly Word[], state: ShellState, context: ExpansionContext): Argument[][] {
  let lists: Argument[][] = [[]];
  for (const word of words) lists = combined(lists, expandWord(word, state, context), someArguments);
  return lists;
}

/** What a word may expand to where the shell does not split it: an assigned value, the target of a redirection. */
export function expandText(word: Word, state: ShellState, context: ExpansionContext): Texts {
  if (word.parts === undefined) return [word.value];
  return joined(segmentsOf(word.parts, true, state, context));
}

/** The same for the parts of a here-document. */
export function expandParts(parts: readonly WordPart[], state: ShellState, context: ExpansionContext): Texts {
  return joined(segmentsOf(parts, true, state, context));
}

function joined(segments: readonly Segment[]): Texts {
  return segments.reduce<Texts>((texts, segment) => concatenated(texts, textsOf(segment)), nothing);
}

function textsOf(segment: Segment): Texts {
  return 'texts' in segment ? segment.texts : segment.lists.map((list) => list.map(({ text }) => text).join(' '));
}

function expandWord(word: Word, state: ShellState, context: ExpansionContext): Argument[][] {
  const { parts } = word;
  if (parts === undefined)
    return word.value.includes(unknownText) ? [splitLiteral(word.value, state)] : [[argument(word.value)]];
  if (parts.some(({ type }) => type === 'BraceExpansion')) {
    const words = braceExpanded(word.text);
    if (words === undefined) return [[someArguments]];
    if (words.length !== 1 || words[0] !== word.text) {
      return expandWords(context.wordsFrom(words.join(' ')), state, context);
    }
  }
  let choices: Segment[][] = [[]];
  for (const segment of segmentsOf(parts, false, state, context)) {
    choices = combined(choices, singles(segment), { texts: anything, splits: true });
  }
  const variable = variableOf(parts);
  return choices.map((choice) => {
    const fields = new Fields(state.separators);
    for (const segment of choice) {
      if ('lists' in segment) fields.list(segment.lists[0]!, segment.quoted);
      else if (segment.splits) fields.split(segment.texts[0]!);
      else fields.add(segment.texts[0]!, segment.from);
    }
    fields.close();
    const [only] = fields.done;
    return variable !== undefined && only !== undefined && fields.done.length === 1
      ? [{ ...only, variable }]
      : fields.done;
  });
}

/** In a text that was built at run time, an unknown part may be several words or none. */
function splitLiteral(text: string, state: ShellState): Argument[] {
  const fields = new Fields(state.separators);
  fields.split(text);
  fields.close();
  return fields.done;
}

/** One segment for each possibility of a segment. */
function singles(segment: Segment): Segment[][] {
  if ('lists' in segment) return segment.lists.map((list) => [{ ...segment, lists: [list] }]);
  return segment.texts.length === 1 ? [[segment]] : segment.texts.map((text) => [{ ...segment, texts: [text] }]);
}

function segmentsOf(
  parts: readonly WordPart[],
  quoted: boolean,
  state: ShellState,
  context: ExpansionContext,
): Segment[] {
  return parts.flatMap((part): Segment[] => {
    switch (part.type) {
      case 'Literal':
        return [{ texts: [part.value], splits: !quoted && part.value.includes(unknownText) }];
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [{ texts: [part.value], splits: false }];
      case 'DoubleQuoted':
      case 'LocaleString':
        return part.parts.length === 0
          ? [{ texts: [''], splits: false }]
          : segmentsOf(part.parts, true, state, context);
      case 'Glob':
        return [{ texts: [quoted ? part.value : part.kind === 'star' ? anyText : anyCharacter], splits: false }];
      case 'ExtendedGlob':
        return [{ texts: [quoted ? part.text : anyText], splits: false }];
      case 'BraceExpansion':
        return [{ texts: [part.text], splits: false }];
      case 'SimpleExpansion':
        return [parameter(part.text.slice(1), undefined, quoted, state)];
      case 'ParameterExpansion':
        return [withOperation(part, quoted, state, context)];
      case 'CommandExpansion':
        return [{ texts: context.outputOf(part).map((text) => text.replace(/\n+$/, '')), splits: !quoted }];
      case 'ArithmeticExpansion':
        return [{ texts: anything, splits: false }];
      case 'ProcessSubstitution':
        return [{ texts: ['/dev/fd/63'], splits: false, from: { ...argument('/dev/fd/63'), ...context.fileOf(part) } }];
    }
  });
}

/** The variable, if a word consists of nothing else. */
function variableOf(parts: readonly WordPart[]): string | undefined {
  const [part] = parts;
  if (parts.length !== 1 || part === undefined) return undefined;
  if (part.type === 'DoubleQuoted') return variableOf(part.parts);
  if (part.type === 'SimpleExpansion') return part.text.slice(1);
  return part.type === 'ParameterExpansion' ? part.parameter : undefined;
}

/** A parameter without an operation; `index` is the text between its brackets. */
function parameter(name: string, index: string | undefined, quoted: boolean, state: ShellState): Segment {
  const splits = !quoted;
  if (name === '@' || name === '*') return list([state.positional ?? [someArguments]], name, quoted);
  if (/^[1-9]\d*$/.test(name)) {
    if (state.positional === undefined || state.positional.some(({ mayVanish }) => mayVanish))
      return { texts: anything, splits };
    const found = state.positional[Number(name) - 1];
    return { texts: [found?.text ?? ''], splits, ...(found === undefined || splits ? {} : { from: found }) };
  }
  if (/^[#?$!-]$/.test(name)) return { texts: anything, splits: false };
  if (index === undefined) return { texts: state.textsOf(name), splits };
  const values = state.valuesOf(name).map((value) => (typeof value === 'string' ? [value] : value));
  if (index === '@' || index === '*')
    return list(
      values.map((value) => value.map(element)),
      index,
      quoted,
    );
  const at = wholeNumber(index);
  if (at === undefined) return { texts: limited([unknownText, ...values.flat()]), splits };
  return { texts: values.map((value) => value.at(at) ?? ''), splits };
}

function element(text: string): Argument {
  return text === unknownText ? someArguments : argument(text);
}

function list(lists: readonly (readonly Argument[])[], name: string, quoted: boolean): Segment {
  if (!quoted || name === '@') return { lists, quoted };
  return { texts: lists.map((elements) => elements.map(({ text }) => text).join(' ')), splits: false };
}

function withOperation(
  part: ParameterExpansionPart,
  quoted: boolean,
  state: ShellState,
  context: ExpansionContext,
): Segment {
  const { operation, prefix } = part;
  const splits = !quoted;
  const textsOf = (word: Word): Texts => expandText(word, state, context);
  if (prefix === '#') return { texts: anything, splits: false };
  let plain: Segment;
  if (prefix === '!') {
    if (operation?.type === 'Names' || part.index !== undefined) return { texts: anything, splits };
    plain = {
      texts: state.textsOf(part.parameter).flatMap((name) => (/^\w+$/.test(name) ? state.textsOf(name) : anything)),
      splits,
    };
  } else
    plain = parameter(part.parameter, part.index === undefined ? undefined : textsOf(part.index)[0], quoted, state);
  if (operation === undefined) return plain;
  if (operation.type === 'Default')
    return withDefault(part.parameter, plain, operation.operator, textsOf(operation.operand), splits, state);
  const apply = (text: string): Texts => {
    if (operation.type === 'Transform' && operation.operand.value === 'P') context.expansion(text);
    return operated(text, operation, textsOf) ?? anything;
  };
  if ('texts' in plain) return { ...plain, texts: limited(plain.texts.flatMap(apply)) };
  if (plain.lists.some((each) => each.some(({ mayVanish }) => mayVanish))) return plain;
  if (operation.type === 'Slice') {
    const offset = wholeNumber(textsOf(operation.offset)[0]!);
    const length = operation.length === undefined ? undefined : wholeNumber(textsOf(operation.length)[0]!);
    // Positional parameters count from 1; 0 is the name of the shell.
    const from = part.index === undefined && offset !== undefined && offset > 0 ? offset - 1 : offset;
    if (from !== undefined) return { ...plain, lists: plain.lists.map((each) => slice(each, from, length)) };
  }
  return { ...plain, lists: plain.lists.map((each) => each.map((one) => ({ ...one, text: apply(one.text)[0]! }))) };
}

function withDefault(
  name: string,
  plain: Segment,
  operator: string,
  operand: Texts,
  splits: boolean,
  state: ShellState,
): Segment {
  const texts = textsOf(plain);
  const whereEmpty = operator.startsWith(':');
  const chosen = texts.flatMap((text): Texts => {
    // A variable that the script does not set counts as unset: the author of the script then wants the default.
    const unset = text === unknownText || (text === '' && whereEmpty);
    if (operator.endsWith('+')) return text === unknownText ? [...operand, ''] : unset ? [''] : operand;
    if (!unset) return [text];
    return operator.endsWith('?') ? [text] : operand;
  });
  if (operator.endsWith('=')) state.assign(name, chosen);
  if ('lists' in plain && !texts.some((text) => text === unknownText || text === '')) return plain;
  return { texts: limited([...new Set(chosen)]), splits };
}
