import { anything, type Texts } from './argument.ts';
import type { Budget } from './budget.ts';
import type { Surroundings } from './expand.ts';
import type { Scope } from './scope.ts';
import type { Judge } from '../judge.ts';
import { childrenOf, hasGap, parseShell, type ParsedScript, type SyntaxNode, type Word } from './shellSyntax.ts';

/**
 * Looks into words and other parts of commands for what would be run by itself: substitutions, wherever they stand. Every node is
 * looked at, also where the shell might pass over it, so that nothing depends on following the shell exactly.
 */
export class WordReader {
  readonly #judge: Judge;
  readonly #budget: Budget;
  readonly #run: (node: SyntaxNode, scope: Scope) => Texts;
  /** What substitutions print; they are run, and so judged, before the words that hold them are put together. */
  readonly #outputs = new WeakMap<SyntaxNode, Texts>();

  constructor(judge: Judge, budget: Budget, run: (node: SyntaxNode, scope: Scope) => Texts) {
    this.#judge = judge;
    this.#budget = budget;
    this.#run = run;
  }

  /** The same for several. */
  inspectAll(nodes: readonly SyntaxNode[], scope: Scope): void {
    for (const node of nodes) this.inspect(node, scope);
  }

  /** Looks for everything in a word or another part of a command that would be run by itself. */
  inspect(node: SyntaxNode, scope: Scope): void {
    if (this.#judge.stopped || !this.#budget.step()) return;
    switch (node.type) {
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
      case 'ProcessSubstitution':
        if (node.script === undefined) this.#judge.doubt(node.text);
        else this.#outputs.set(node, this.#substitution(node.script, node.text, scope));
        return;
      case 'HereDoc':
        if (!node.delimiter?.quoted) this.inspect(node.body, scope);
        return;
      case 'ArithmeticWord':
        this.#arithmetic(node.value, scope);
        break;
      case 'ArithmeticCommand':
        // A shell without arithmetic takes the brackets for subshells.
        this.#judge.doubt(node.body);
        break;
      case 'TestBinary':
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator))
          for (const word of [node.left, node.right]) this.#arithmetic(word.value, scope);
        break;
      case 'TestUnary':
        if (node.operator === '-v') this.#judge.expansion(node.operand.value, scope);
        break;
      case 'Statement':
      case 'Script':
      case 'CompoundList':
        this.#run(node, scope);
        return;
      default:
    }
    const children = childrenOf(node);
    if (children.length === 0 && hasGap(node)) this.#judge.doubt(sourceOf(node));
    this.inspectAll(children, scope);
  }

  #substitution(script: ParsedScript, text: string, scope: Scope): Texts {
    if (script.errors !== undefined) this.#judge.doubt(text);
    return scope.within('subshell', () => this.#run(script, scope));
  }

  /** Arithmetic evaluates what its variables hold, substitutions within subscripts included. */
  #arithmetic(text: string, scope: Scope): void {
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      for (const value of scope.variables.has(name) ? scope.textsOf(name) : [])
        if (/\$\(|`/.test(value)) this.#judge.expansion(value, scope);
    }
    if (/\$\(|`/.test(text)) this.#judge.expansion(text, scope);
  }

  /** What is known of the words' surroundings when they are put together. */
  around(scope: Scope): Surroundings {
    return {
      outputOf: (part) => this.#outputs.get(part) ?? anything,
      fileOf: (part) => {
        const { script, operator } = part;
        if (operator === '<' || script === undefined) return { content: this.#outputs.get(part) ?? anything };
        return {
          feed: (input) => {
            const before = scope.input;
            scope.input = input;
            scope.within('subshell', () => this.#run(script, scope));
            scope.input = before;
          },
        };
      },
      wordsFrom: (source) => {
        const [statement] = parseShell(`: ${source}`, this.#budget)?.commands ?? [];
        const words =
          statement?.command.type === 'Command'
            ? statement.command.suffix.filter((part): part is Word => part.type === 'Word')
            : [];
        this.inspectAll(words, scope);
        return words;
      },
      expansion: (text) => this.#judge.expansion(text, scope),
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
