import { anything, nothing, argument, knownText, type Argument, type Texts } from './argument.ts';
import type { GuardBudget } from './budget.ts';
import { assignCodeVariable } from './codeVariables.ts';
import { expandParts, expandText, expandWords, type ExpansionContext } from './expand.ts';
import { wholeNumber } from './parameters.ts';
import { concatenated, limited } from './possibilities.ts';
import { contentOf, fileKey, type ShellState, type Value } from './shellState.ts';
import type { Evaluator } from './evaluator.ts';
import {
  childrenOf,
  type Assignment,
  type Command,
  type Redirection,
  type SyntaxNode,
  type Word,
} from './shellSyntax.ts';
import { WordReader } from './wordReader.ts';

type Node<T extends SyntaxNode['type']> = Extract<SyntaxNode, { type: T }>;

/** A loop over at most this many known words is run word by word. */
const mostRounds = 8;

/** Walks through a parsed script as a shell would run it, and hands every command to the evaluator. */
export class ScriptReader {
  readonly #evaluator: Evaluator;
  readonly #budget: GuardBudget;
  readonly #words: WordReader;
  #loops = 0;

  constructor(evaluator: Evaluator, budget: GuardBudget) {
    this.#evaluator = evaluator;
    this.#budget = budget;
    this.#words = new WordReader(evaluator, budget, (node, state) => this.run(node, state));
  }

  /** Runs a command or a list of them. Returns what it prints, as far as that is known. */
  run(node: SyntaxNode, state: ShellState): Texts {
    if (this.#evaluator.stopped || !this.#budget.step()) return anything;
    switch (node.type) {
      case 'Script':
      case 'CompoundList':
        return this.#inTurn(node.commands, state);
      case 'Statement':
        return this.run(node.command, state);
      case 'AndOr':
        return this.#chain(node, state);
      case 'Pipeline':
        return this.#pipeline(node, state);
      case 'Redirected':
        return this.#redirected(node.redirects, state, () => this.run(node.command, state));
      case 'Subshell':
        return state.within('subshell', () => this.run(node.body, state));
      case 'BraceGroup':
        return this.run(node.body, state);
      case 'If':
        return this.#branches(node, state);
      case 'For':
      case 'Select':
        return this.#loop(node, state);
      case 'While':
      case 'ArithmeticFor':
        this.#words.inspectAll(
          childrenOf(node).filter((child) => child.type !== 'CompoundList'),
          state,
        );
        return state.within('branch', () => {
          if (node.type === 'While') this.run(node.clause, state);
          // The second iteration sees what the first one has set.
          return either(this.run(node.body, state), this.run(node.body, state), anything);
        });
      case 'Case':
        this.#words.inspect(node.word, state);
        return either(...node.items.map((item) => this.#caseItem(item, state)), nothing);
      case 'Function':
        return this.#define(node, state);
      case 'Coproc':
        return state.within('branch', () => this.run(node.body, state));
      case 'Command':
        return this.#command(node, state);
      default:
        this.#words.inspect(node, state);
        return nothing;
    }
  }

  #inTurn(nodes: readonly SyntaxNode[], state: ShellState): Texts {
    let output: Texts = nothing;
    for (const node of nodes) output = concatenated(output, this.run(node, state));
    return output;
  }

  /** `a && b || c`: what follows `&&` sees what was set before it, what follows `||` may run without that. */
  #chain({ commands, operators }: Node<'AndOr'>, state: ShellState): Texts {
    const groups: SyntaxNode[][] = [[]];
    commands.forEach((command, index) => {
      if (index > 0 && operators[index - 1] === '||') groups.push([]);
      groups.at(-1)!.push(command);
    });
    const [[first, ...following] = [], ...others] = groups;
    let output = concatenated(
      this.run(first!, state),
      state.within('branch', () => this.#inTurn(following, state)),
    );
    for (const group of others)
      output = concatenated(
        output,
        state.within('branch', () => this.#inTurn(group, state)),
      );
    return output;
  }

  #pipeline(node: Node<'Pipeline'>, state: ShellState): Texts {
    const input = state.input;
    let output: Texts | undefined = input;
    // Every part runs in a subshell, except that some shells run the last part themselves.
    state.within('branch', () => {
      for (const command of node.commands) {
        state.input = output;
        output = this.run(command, state);
      }
    });
    state.input = input;
    return output ?? anything;
  }

  #branches(node: Node<'If'>, state: ShellState): Texts {
    const before = this.run(node.clause, state);
    const outputs = [state.within('branch', () => this.run(node.then, state))];
    for (const elif of node.elif)
      outputs.push(
        state.within('branch', () => concatenated(this.run(elif.clause, state), this.run(elif.then, state))),
      );
    outputs.push(node.else ? state.within('branch', () => this.run(node.else!, state)) : nothing);
    return concatenated(before, either(...outputs));
  }

  #caseItem(item: Node<'CaseItem'>, state: ShellState): Texts {
    this.#words.inspectAll(item.pattern, state);
    return state.within('branch', () => this.run(item.body, state));
  }

  #loop(node: Node<'For'> | Node<'Select'>, state: ShellState): Texts {
    this.#words.inspectAll(node.wordlist ?? [], state);
    const lists: readonly (readonly Argument[])[] = node.wordlist
      ? expandWords(node.wordlist, state, this.#words.context(state))
      : [state.positional ?? []];
    const words = lists.flat().map(({ text }) => text);
    const known = lists.length === 1 && words.length <= mostRounds && this.#loops < 2 && node.type === 'For';
    this.#loops++;
    try {
      if (!known) {
        return state.within('branch', () => {
          state.assign(node.name.value, words.length === 0 ? anything : [...new Set(words)]);
          return either(this.run(node.body, state), this.run(node.body, state), anything);
        });
      }
      let output: Texts = nothing;
      for (const word of words) {
        state.assign(node.name.value, [word]);
        output = concatenated(output, this.run(node.body, state));
      }
      // The body of a loop over no words is checked as well: unknown words may have been left out.
      if (words.length === 0) state.within('branch', () => this.run(node.body, state));
      return output;
    } finally {
      this.#loops--;
    }
  }

  #define(node: Node<'Function'>, state: ShellState): Texts {
    const name = node.name.value;
    state.functions.set(name, node);
    const before = state.positional;
    state.positional = undefined;
    // A recursive call adds nothing while the function is only defined.
    state.functions.delete(name);
    state.within('branch', () => this.run(node.body, state));
    state.functions.set(name, node);
    state.positional = before;
    return nothing;
  }

  #command(node: Command, state: ShellState): Texts {
    // Redirections are inspected where they take effect.
    const redirects: ReadonlySet<SyntaxNode> = new Set(node.redirects);
    this.#words.inspectAll(
      childrenOf(node).filter((child) => !redirects.has(child)),
      state,
    );
    if (this.#evaluator.stopped) return anything;
    const context = this.#words.context(state);
    const assignments = node.prefix.filter((part) => part.type === 'Assignment');
    const words = node.suffix.filter((part): part is Word => part.type === 'Word');
    const declared = node.suffix.filter((part) => part.type === 'Assignment');
    const lists = node.name === undefined ? [[]] : expandWords([node.name, ...words], state, context);
    const values = [...assignments, ...declared].map((assignment) => this.#valuesOf(assignment, state, context));
    // Commands like `alias p='git push'` get assignments as words; an array cannot be one.
    const texts = values
      .slice(assignments.length)
      .flatMap(([value], index) =>
        typeof value === 'string'
          ? [argument(`${declared[index]!.name}${declared[index]!.append ? '+' : ''}=${value}`)]
          : [],
      );
    return this.#redirected(node.redirects, state, () => {
      const before = new Map(assignments.map(({ name }) => [name, state.variables.get(name)]));
      [...assignments, ...declared].forEach((assignment, index) => this.#assign(assignment, values[index]!, state));
      // `$(< FILE)` prints the file.
      if (node.name === undefined) return node.redirects.length > 0 ? (state.input ?? nothing) : nothing;
      if (lists.every((list) => list.length === 0)) return nothing;
      const output = either(...lists.map((list) => this.#evaluator.command([...list, ...texts], state)));
      // An assignment before a command holds for that command alone.
      for (const [name, value] of before) state.assign(name, value);
      const last = lists[0]?.at(-1);
      if (last !== undefined) state.assign('_', [last.text]);
      return output;
    });
  }

  #valuesOf(assignment: Assignment, state: ShellState, context: ExpansionContext): readonly Value[] {
    const { value } = assignment;
    if (value.type === 'ArrayValue') {
      return expandWords(value.elements, state, context).map((list) =>
        list.map(({ text }) => text.replace(/^\[[^\]]*\]=/, '')),
      );
    }
    return expandText(value, state, context);
  }

  #assign({ name, append, index }: Assignment, values: readonly Value[], state: ShellState): void {
    const earlier = state.variables.get(name);
    if (index !== undefined) {
      const at = wholeNumber(index.value);
      const array = earlier?.find((value) => typeof value !== 'string') ?? [];
      const texts = values.map((value) => (typeof value === 'string' ? value : (value[0] ?? '')));
      const changed = texts.map((text) =>
        at === undefined ? [...array, text] : (Object.assign([...array], { [at]: text }) as string[]),
      );
      if (at === undefined || at < 1_000)
        state.assign(
          name,
          changed.map((each) => Array.from(each, (one) => one ?? '')),
        );
      return;
    }
    const whole = append
      ? (earlier ?? [undefined]).flatMap((before) => values.map((value) => appended(before, value)))
      : values;
    assignCodeVariable(name, limited(whole), state, this.#evaluator);
  }

  /** Runs something with its redirections, and remembers what it writes to files. */
  #redirected(redirections: readonly Redirection[], state: ShellState, act: () => Texts): Texts {
    if (redirections.length === 0) return act();
    this.#words.inspectAll(redirections, state);
    const context = this.#words.context(state);
    const input = state.input;
    let target: Argument | undefined;
    let appends = false;
    for (const redirection of redirections) {
      const descriptor = redirection.descriptor?.type === 'FileDescriptor' ? redirection.descriptor.value : undefined;
      if (redirection.type !== 'Redirect')
        this.#open(descriptor ?? 0, this.#hereTexts(redirection, state, context), state);
      else if (redirection.target !== undefined) {
        const [to] = expandWords([redirection.target], state, context)[0] ?? [];
        if (to === undefined) continue;
        if (redirection.operator === '<' || redirection.operator === '<>')
          this.#open(descriptor ?? 0, to.content ?? contentOf(knownText(to), state), state);
        else if (redirection.operator === '<&')
          this.#open(descriptor ?? 0, contentOf(`/dev/fd/${knownText(to)}`, state), state);
        else if (redirection.operator === '>&') {
          const sink = state.sinks.get(Number(knownText(to)));
          if (sink !== undefined) target = { ...to, feed: sink };
        } else if ((descriptor ?? 1) === 1) [target, appends] = [to, redirection.operator.endsWith('>>')];
        else if (to.feed !== undefined && descriptor !== undefined) state.sinks.set(descriptor, to.feed);
      }
    }
    const output = act();
    state.input = input;
    if (target === undefined) return output;
    const key = fileKey(knownText(target));
    if (target.feed) target.feed(output);
    else state.files.set(key, appends ? concatenated(state.files.get(key) ?? nothing, output) : output);
    return nothing;
  }

  #open(descriptor: number, texts: Texts | undefined, state: ShellState): void {
    if (descriptor === 0) state.input = texts;
    else if (texts !== undefined) state.descriptors.set(descriptor, texts);
  }

  #hereTexts(node: Node<'HereDoc'> | Node<'HereString'>, state: ShellState, context: ExpansionContext): Texts {
    if (node.type === 'HereString')
      return node.target === undefined ? anything : expandText(node.target, state, context).map((text) => `${text}\n`);
    const { parts, text } = node.body;
    const texts = node.delimiter?.quoted || parts === undefined ? [text] : expandParts(parts, state, context);
    return node.operator === '<<-' ? texts.map((each) => each.replace(/^\t+/gm, '')) : texts;
  }
}

/** The output of one of several commands. */
function either(...outputs: readonly Texts[]): Texts {
  const all = [...new Set(outputs.flat())];
  return all.length === 0 ? nothing : limited(all);
}

function appended(before: Value | undefined, value: Value): Value {
  if (before === undefined) return value;
  if (typeof before === 'string' && typeof value === 'string') return before + value;
  return [...(typeof before === 'string' ? [before] : before), ...(typeof value === 'string' ? [value] : value)];
}
