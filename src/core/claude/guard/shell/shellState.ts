import { anything, unknownText, type Argument, type Texts } from './argument.ts';
import { limited } from './possibilities.ts';
import type { FunctionNode } from './shellSyntax.ts';

/** A possible value of a variable: a text, or the elements of an array. */
export type Value = string | readonly string[];

/** What is known about the shell at one point of a script. */
export class ShellState {
  /** The possible values of each variable that the script has set. The others come from the environment and are unknown. */
  readonly variables = new Map<string, readonly Value[]>();
  readonly functions = new Map<string, FunctionNode>();
  readonly aliases = new Map<string, string>();
  /** The git aliases that the script itself defines, by lower-case name. */
  readonly gitAliases = new Map<string, string>();
  /** What the script has written to files, by path. */
  readonly files = new Map<string, Texts>();
  /** What is read from open descriptors. */
  readonly descriptors = new Map<number, Texts>();
  /** What receives the output to an open descriptor: the input of a `>(…)`. */
  readonly sinks = new Map<number, (input: Texts) => void>();
  /** The positional parameters; `undefined` while a function is checked without a call. */
  positional: readonly Argument[] | undefined;
  /** Standard input; `undefined` if unknown. */
  input: Texts | undefined;
  /** The current folder, as far as the script's own `cd` commands tell. */
  directory: string;
  /** Whether the shell may not be bash, so that some of bash's commands do nothing. */
  plainShell = false;
  /** Earlier values of variables, for the end of a branch or subshell. */
  readonly #changes: { readonly name: string; readonly before: readonly Value[] | undefined }[] = [];
  #nesting = 0;

  constructor(directory: string, positional: readonly Argument[] | undefined = []) {
    this.positional = positional;
    this.directory = directory;
  }

  /** Sets a variable, or unsets it. */
  assign(name: string, values: readonly Value[] | undefined): void {
    if (this.#nesting > 0) this.#changes.push({ name, before: this.variables.get(name) });
    if (values === undefined) this.variables.delete(name);
    else this.variables.set(name, values);
  }

  /**
   * Runs something that may or may not happen (a branch), or that happens in a subshell. After a branch, variables may have their new or
   * their earlier values; after a subshell, they have their earlier values.
   */
  within<T>(where: 'branch' | 'subshell', act: () => T): T {
    const { directory, positional } = this;
    const mark = this.#changes.length;
    this.#nesting++;
    try {
      return act();
    } finally {
      this.#nesting--;
      this.directory = directory;
      if (where === 'subshell') this.positional = positional;
      const before = new Map<string, readonly Value[] | undefined>();
      for (const change of this.#changes.slice(mark))
        if (!before.has(change.name)) before.set(change.name, change.before);
      if (where === 'subshell' || this.#nesting === 0) this.#changes.length = mark;
      for (const [name, earlier] of before) this.#after(where, name, earlier);
    }
  }

  #after(where: 'branch' | 'subshell', name: string, earlier: readonly Value[] | undefined): void {
    if (where === 'branch') {
      const now = this.variables.get(name) ?? [''];
      this.variables.set(name, limited([...now, ...(earlier ?? ['']).filter((value) => !now.includes(value))]));
    } else if (earlier === undefined) this.variables.delete(name);
    else this.variables.set(name, earlier);
  }

  /** The possible values of a variable. */
  valuesOf(name: string): readonly Value[] {
    return this.variables.get(name) ?? shellVariables.get(name) ?? anything;
  }

  /** The possible values as text: of an array its first element. */
  textsOf(name: string): Texts {
    return this.valuesOf(name).map((value) => (typeof value === 'string' ? value : (value[0] ?? '')));
  }

  /** What separates the words of an unquoted expansion. */
  get separators(): string {
    const set = this.textsOf('IFS')[0]!;
    return set.includes(unknownText) ? defaultSeparators : set;
  }
}

const defaultSeparators = ' \t\n';

/** Variables that the shell itself sets. */
const shellVariables: ReadonlyMap<string, Texts> = new Map([
  ['IFS', [defaultSeparators]],
  ['SHELL', ['bash']],
  ['BASH', ['bash']],
  ['0', ['bash']],
]);

/** The key of a file in {@link ShellState.files}: the path without `./` and double slashes. */
export function fileKey(path: string): string {
  return path.replace(/\/+/g, '/').replace(/(^|\/)(?:\.\/)+/g, '$1');
}

/** The content of a file that the script itself has written, or of a descriptor that it has opened. */
export function contentOf(path: string, state: ShellState): Texts | undefined {
  const descriptor = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1] ?? (path === '/dev/stdin' ? '0' : undefined);
  if (descriptor === undefined) return state.files.get(fileKey(path));
  return descriptor === '0' ? state.input : state.descriptors.get(Number(descriptor));
}
