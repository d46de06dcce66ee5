import { anything, nothing, argument, knownText, type Argument, type Texts } from './argument.ts';
import type { Budget } from './budget.ts';
import { assignCodeVariable } from '../programs/codeVariables.ts';
import { expandParts, expandText, expandWords, type Surroundings } from './expand.ts';
import { wholeNumber } from './parameters.ts';
import { concatenated, limited } from './possibilities.ts';
import { fileKey, type Scope, type Value } from './scope.ts';
import type { ScriptJudge } from '../scriptJudge.ts';
import { contentOf } from '../programs/shells.ts';
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

/** A loop over at most so many words that are known is gone through word by word. */
const mostRounds = 8;

/** Walks through a parsed script the way a shell would, and shows every command it meets to the judge. */
export class ScriptReader {
  readonly #judge: ScriptJudge;
  readonly #budget: Budget;
  readonly #words: WordReader;
  #loops = 0;

  constructor(judge: ScriptJudge, budget: Budget) {
    this.#judge = judge;
    this.#budget = budget;
    this.#words = new WordReader(judge, budget, (node, scope) => this.run(node, scope));
  }

  /** Goes through a command or a list of them; gives what it prints, as far as that is known. */
  run(node: SyntaxNode, scope: Scope): Texts {
    if (this.#judge.stopped || !this.#budget.step()) return anything;
    switch (node.type) {
      case 'Script':
      case 'CompoundList':
        return this.#inTurn(node.commands, scope);
      case 'Statement':
        return this.run(node.command, scope);
      case 'AndOr':
        return this.#chain(node, scope);
      case 'Pipeline':
        return this.#pipeline(node, scope);
      case 'Redirected':
        return this.#redirected(node.redirects, scope, () => this.run(node.command, scope));
      case 'Subshell':
        return scope.within('subshell', () => this.run(node.body, scope));
      case 'BraceGroup':
        return this.run(node.body, scope);
      case 'If':
        return this.#branches(node, scope);
      case 'For':
      case 'Select':
        return this.#loop(node, scope);
      case 'While':
      case 'ArithmeticFor':
        this.#words.inspectAll(
          childrenOf(node).filter((child) => child.type !== 'CompoundList'),
          scope,
        );
        return scope.within('branch', () => {
          if (node.type === 'While') this.run(node.clause, scope);
          // What the body sets is seen by its second round.
          return either(this.run(node.body, scope), this.run(node.body, scope), anything);
        });
      case 'Case':
        this.#words.inspect(node.word, scope);
        return either(...node.items.map((item) => this.#caseItem(item, scope)), nothing);
      case 'Function':
        return this.#define(node, scope);
      case 'Coproc':
        return scope.within('branch', () => this.run(node.body, scope));
      case 'Command':
        return this.#command(node, scope);
      default:
        this.#words.inspect(node, scope);
        return nothing;
    }
  }

  #inTurn(nodes: readonly SyntaxNode[], scope: Scope): Texts {
    let output: Texts = nothing;
    for (const node of nodes) output = concatenated(output, this.run(node, scope));
    return output;
  }

  /** `a && b || c`: what follows `&&` sees what was set before it, what follows `||` may run without that. */
  #chain({ commands, operators }: Node<'AndOr'>, scope: Scope): Texts {
    const groups: SyntaxNode[][] = [[]];
    commands.forEach((command, index) => {
      if (index > 0 && operators[index - 1] === '||') groups.push([]);
      groups.at(-1)!.push(command);
    });
    const [[first, ...following] = [], ...others] = groups;
    let output = concatenated(
      this.run(first!, scope),
      scope.within('branch', () => this.#inTurn(following, scope)),
    );
    for (const group of others)
      output = concatenated(
        output,
        scope.within('branch', () => this.#inTurn(group, scope)),
      );
    return output;
  }

  #pipeline(node: Node<'Pipeline'>, scope: Scope): Texts {
    const input = scope.input;
    let output: Texts | undefined = input;
    // The parts run in shells of their own, except that some shells run the last one themselves.
    scope.within('branch', () => {
      for (const command of node.commands) {
        scope.input = output;
        output = this.run(command, scope);
      }
    });
    scope.input = input;
    return output ?? anything;
  }

  #branches(node: Node<'If'>, scope: Scope): Texts {
    const before = this.run(node.clause, scope);
    const outputs = [scope.within('branch', () => this.run(node.then, scope))];
    for (const elif of node.elif)
      outputs.push(
        scope.within('branch', () => concatenated(this.run(elif.clause, scope), this.run(elif.then, scope))),
      );
    outputs.push(node.else ? scope.within('branch', () => this.run(node.else!, scope)) : nothing);
    return concatenated(before, either(...outputs));
  }

  #caseItem(item: Node<'CaseItem'>, scope: Scope): Texts {
    this.#words.inspectAll(item.pattern, scope);
    return scope.within('branch', () => this.run(item.body, scope));
  }

  #loop(node: Node<'For'> | Node<'Select'>, scope: Scope): Texts {
    this.#words.inspectAll(node.wordlist ?? [], scope);
    const lists: readonly (readonly Argument[])[] = node.wordlist
      ? expandWords(node.wordlist, scope, this.#words.around(scope))
      : [scope.positional ?? []];
    const words = lists.flat().map(({ text }) => text);
    const known = lists.length === 1 && words.length <= mostRounds && this.#loops < 2 && node.type === 'For';
    this.#loops++;
    try {
      if (!known) {
        return scope.within('branch', () => {
          scope.assign(node.name.value, words.length === 0 ? anything : [...new Set(words)]);
          return either(this.run(node.body, scope), this.run(node.body, scope), anything);
        });
      }
      let output: Texts = nothing;
      for (const word of words) {
        scope.assign(node.name.value, [word]);
        output = concatenated(output, this.run(node.body, scope));
      }
      // A list of no words still has a body that is read: what is unknown may have been left out of it.
      if (words.length === 0) scope.within('branch', () => this.run(node.body, scope));
      return output;
    } finally {
      this.#loops--;
    }
  }

  #define(node: Node<'Function'>, scope: Scope): Texts {
    const name = node.name.value;
    scope.functions.set(name, node);
    const before = scope.positional;
    scope.positional = undefined;
    // While it is only read, a call of itself leads nowhere new.
    scope.functions.delete(name);
    scope.within('branch', () => this.run(node.body, scope));
    scope.functions.set(name, node);
    scope.positional = before;
    return nothing;
  }

  #command(node: Command, scope: Scope): Texts {
    // Redirections are looked at where they take effect.
    const redirects: ReadonlySet<SyntaxNode> = new Set(node.redirects);
    this.#words.inspectAll(
      childrenOf(node).filter((child) => !redirects.has(child)),
      scope,
    );
    if (this.#judge.stopped) return anything;
    const around = this.#words.around(scope);
    const assignments = node.prefix.filter((part) => part.type === 'Assignment');
    const words = node.suffix.filter((part): part is Word => part.type === 'Word');
    const declared = node.suffix.filter((part) => part.type === 'Assignment');
    const lists = node.name === undefined ? [[]] : expandWords([node.name, ...words], scope, around);
    const values = [...assignments, ...declared].map((assignment) => this.#valuesOf(assignment, scope, around));
    // `alias p='git push'` and its like get these as words as well; arrays cannot be one.
    const texts = values
      .slice(assignments.length)
      .flatMap(([value], index) =>
        typeof value === 'string'
          ? [argument(`${declared[index]!.name}${declared[index]!.append ? '+' : ''}=${value}`)]
          : [],
      );
    return this.#redirected(node.redirects, scope, () => {
      const before = new Map(assignments.map(({ name }) => [name, scope.variables.get(name)]));
      [...assignments, ...declared].forEach((assignment, index) => this.#assign(assignment, values[index]!, scope));
      // `$(< FILE)` gives the file.
      if (node.name === undefined) return node.redirects.length > 0 ? (scope.input ?? nothing) : nothing;
      if (lists.every((list) => list.length === 0)) return nothing;
      const output = either(...lists.map((list) => this.#judge.command([...list, ...texts], scope)));
      // A setting in front of a command holds for that command alone.
      for (const [name, value] of before) scope.assign(name, value);
      const last = lists[0]?.at(-1);
      if (last !== undefined) scope.assign('_', [last.text]);
      return output;
    });
  }

  #valuesOf(assignment: Assignment, scope: Scope, around: Surroundings): readonly Value[] {
    const { value } = assignment;
    if (value.type === 'ArrayValue') {
      return expandWords(value.elements, scope, around).map((list) =>
        list.map(({ text }) => text.replace(/^\[[^\]]*\]=/, '')),
      );
    }
    return expandText(value, scope, around);
  }

  #assign({ name, append, index }: Assignment, values: readonly Value[], scope: Scope): void {
    const earlier = scope.variables.get(name);
    if (index !== undefined) {
      const at = wholeNumber(index.value);
      const array = earlier?.find((value) => typeof value !== 'string') ?? [];
      const texts = values.map((value) => (typeof value === 'string' ? value : (value[0] ?? '')));
      const changed = texts.map((text) =>
        at === undefined ? [...array, text] : (Object.assign([...array], { [at]: text }) as string[]),
      );
      if (at === undefined || at < 1_000)
        scope.assign(
          name,
          changed.map((each) => Array.from(each, (one) => one ?? '')),
        );
      return;
    }
    const whole = append
      ? (earlier ?? [undefined]).flatMap((before) => values.map((value) => appended(before, value)))
      : values;
    assignCodeVariable(name, limited(whole), scope, this.#judge);
  }

  /** Runs something with its redirections in force, and keeps what it writes to files. */
  #redirected(redirections: readonly Redirection[], scope: Scope, act: () => Texts): Texts {
    if (redirections.length === 0) return act();
    this.#words.inspectAll(redirections, scope);
    const around = this.#words.around(scope);
    const input = scope.input;
    let target: Argument | undefined;
    let appends = false;
    for (const redirection of redirections) {
      const descriptor = redirection.descriptor?.type === 'FileDescriptor' ? redirection.descriptor.value : undefined;
      if (redirection.type !== 'Redirect')
        this.#open(descriptor ?? 0, this.#hereTexts(redirection, scope, around), scope);
      else if (redirection.target !== undefined) {
        const [to] = expandWords([redirection.target], scope, around)[0] ?? [];
        if (to === undefined) continue;
        if (redirection.operator === '<' || redirection.operator === '<>')
          this.#open(descriptor ?? 0, to.content ?? contentOf(knownText(to), scope), scope);
        else if (redirection.operator === '<&')
          this.#open(descriptor ?? 0, contentOf(`/dev/fd/${knownText(to)}`, scope), scope);
        else if (redirection.operator === '>&') {
          const sink = scope.sinks.get(Number(knownText(to)));
          if (sink !== undefined) target = { ...to, feed: sink };
        } else if ((descriptor ?? 1) === 1) [target, appends] = [to, redirection.operator.endsWith('>>')];
        else if (to.feed !== undefined && descriptor !== undefined) scope.sinks.set(descriptor, to.feed);
      }
    }
    const output = act();
    scope.input = input;
    if (target === undefined) return output;
    const key = fileKey(knownText(target));
    if (target.feed) target.feed(output);
    else scope.files.set(key, appends ? concatenated(scope.files.get(key) ?? nothing, output) : output);
    return nothing;
  }

  #open(descriptor: number, texts: Texts | undefined, scope: Scope): void {
    if (descriptor === 0) scope.input = texts;
    else if (texts !== undefined) scope.descriptors.set(descriptor, texts);
  }

  #hereTexts(node: Node<'HereDoc'> | Node<'HereString'>, scope: Scope, around: Surroundings): Texts {
    if (node.type === 'HereString')
      return node.target === undefined ? anything : expandText(node.target, scope, around).map((text) => `${text}\n`);
    const { parts, text } = node.body;
    const texts = node.delimiter?.quoted || parts === undefined ? [text] : expandParts(parts, scope, around);
    return node.operator === '<<-' ? texts.map((each) => each.replace(/^\t+/gm, '')) : texts;
  }
}

/** What one of several commands prints. */
function either(...outputs: readonly Texts[]): Texts {
  const all = [...new Set(outputs.flat())];
  return all.length === 0 ? nothing : limited(all);
}

function appended(before: Value | undefined, value: Value): Value {
  if (before === undefined) return value;
  if (typeof before === 'string' && typeof value === 'string') return before + value;
  return [...(typeof before === 'string' ? [before] : before), ...(typeof value === 'string' ? [value] : value)];
}
