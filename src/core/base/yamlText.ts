import { LineCounter, isMap, isNode, isScalar, parseDocument, stringify, type Document } from 'yaml';

/** A fault of a YAML text, with the line it is on, counted from 1. */
export interface YamlFault {
  readonly message: string;
  readonly line: number;
}

/** A YAML text that was read: its value, its faults, and where in the text a value stands. */
export interface YamlText {
  /** The plain JavaScript value; `null` for an empty text. Meaningless when there are faults. */
  readonly value: unknown;
  readonly faults: readonly YamlFault[];
  /** The line, counted from 1, of the value at a path of keys and indexes; of its nearest holder where it is missing. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Reads YAML 1.2. Never throws: what is wrong is in `faults`. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const faults = document.errors.map((error) => ({ message: error.message, line: lines.linePos(error.pos[0]).line }));
  return {
    value: faults.length > 0 ? undefined : toValue(document, faults),
    faults,
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line || 1,
  };
}

/** Writes a value as YAML, lines unfolded. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

function toValue(document: Document.Parsed, faults: YamlFault[]): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    faults.push({ message: thrown instanceof Error ? thrown.message : String(thrown), line: 1 });
    return undefined;
  }
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const holder = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(holder)) {
      const pair = holder.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (pair && isNode(pair.key) && pair.key.range) return pair.key.range[0];
    }
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
