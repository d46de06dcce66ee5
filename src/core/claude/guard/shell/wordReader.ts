import { anything, type Texts } from './argument.ts';
import type { GuardBudget } from './budget.ts';
import type { ExpansionContext } from './expand.ts';
import type { ShellState } from './shellState.ts';
import type { Evaluator } from './evaluator.ts';
import { childrenOf, hasGap, parseShell, type ParsedScript, type SyntaxNode, type Word } from './shellSyntax.ts';

/**
 * Finds the substitutions in words and other parts of commands, and runs them. It inspects every node, also those that the shell might
 * skip, so that nothing depends on following the shell exactly.
 */
export class WordReader {
  readonly #evaluator: Evaluator;
  readonly #budget: GuardBudget;
  readonly #run: (node: SyntaxNode, state: ShellState) => Texts;
  /** The output of substitutions. They are run, and so checked, before the words around them are expanded. */
  readonly #outputs = new WeakMap<SyntaxNode, Texts>();

  constructor(evaluator: Evaluator, budget: GuardBudget, run: (node: SyntaxNode, state: ShellState) => Texts) {
    this.#evaluator = evaluator;
    this.#budget = budget;
    this.#run = run;
  }

  /** The same for several. */
  inspectAll(nodes: readonly SyntaxNode[], state: ShellState): void {
    for (const node of nodes) this.inspect(node, state);
  }

  /** Runs all substitutions in a word or another part of a command. */
  inspect(node: SyntaxNode, state: ShellState): void {
    if (this.#evaluator.stopped || !this.#budget.step()) return;
    switch (node.type) {
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
      case 'ProcessSubstitution':
        if (node.script === undefined) this.#evaluator.reportUnreadable(node.text);
        else this.#outputs.set(node, this.#substitution(node.script, node.text, state));
        return;
      case 'HereDoc':
        if (!node.delimiter?.quoted) this.inspect(node.body, state);
        return;
      case 'ArithmeticWord':
        this.#arithmetic(node.value, state);
        break;
      case 'ArithmeticCommand':
        // A shell without arithmetic parses the parentheses as subshells.
        this.#evaluator.reportUnreadable(node.body);
        break;
      case 'TestBinary':
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator))
          for (const word of [node.left, node.right]) this.#arithmetic(word.value, state);
        break;
      case 'TestUnary':
        if (node.operator === '-v') this.#evaluator.expansion(node.operand.value, state);
        break;
      case 'Statement':
      case 'Script':
      case 'CompoundList':
        this.#run(node, state);
        return;
      default:
    }
    const children = childrenOf(node);
    if (children.length === 0 && hasGap(node)) this.#evaluator.reportUnreadable(sourceOf(node));
    this.inspectAll(children, state);
  }

  #substitution(script: ParsedScript, text: string, state: ShellState): Texts {
    if (script.errors !== undefined) this.#evaluator.reportUnreadable(text);
    return state.within('subshell', () => this.#run(script, state));
  }

  /** Arithmetic evaluates what its variables hold, substitutions within subscripts included. */
  #arithmetic(text: string, state: ShellState): void {
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      for (const value of state.variables.has(name) ? state.textsOf(name) : [])
        if (/\$\(|`/.test(value)) this.#evaluator.expansion(value, state);
    }
    if (/\$\(|`/.test(text)) this.#evaluator.expansion(text, state);
  }

  /** What the expansion of words needs to know. */
  context(state: ShellState): ExpansionContext {
    return {
      outputOf: (part) => this.#outputs.get(part) ?? anything,
      fileOf: (part) => {
        const { script, operator } = part;
        if (operator === '<' || script === undefined) return { content: this.#outputs.get(part) ?? anything };
        return {
          feed: (input) => {
            const before = state.input;
            state.input = input;
            state.within('subshell', () => this.#run(script, state));
            state.input = before;
          },
        };
      },
      wordsFrom: (source) => {
        const [statement] = parseShell(`: ${source}`, this.#budget)?.commands ?? [];
        const words =
          statement?.command.type === 'Command'
            ? statement.command.suffix.filter((part): part is Word => part.type === 'Word')
            : [];
        this.inspectAll(words, state);
        return words;
      },
      expansion: (text) => this.#evaluator.expansion(text, state),
    };
  }
}

/** The text of a node that has one. */
function sourceOf(node: SyntaxNode): string {
  if ('text' in node) return node.text;
  return 'value' in node && typeof node.value === 'string'
    ? node.value
    : 'body' in node && typeof node.body === 'string'
      ? node.body
      : '';
}
