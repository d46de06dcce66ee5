import { forEachChild, parse, type ParsedScript, type SyntaxNode } from 'unbash';
import type { GuardBudget } from './budget.ts';

export type {
  Assignment,
  Command,
  CommandExpansionPart,
  ParameterExpansionPart,
  ParameterOperation,
  ParsedScript,
  ProcessSubstitutionPart,
  Redirection,
  SyntaxNode,
  Word,
  WordPart,
} from 'unbash';
type FunctionNode = Extract<SyntaxNode, { type: 'Function' }>;
export type { FunctionNode };

/** Parses a shell script. `undefined` if it is too long, or if parsing alone would take seconds. */
export function parseShell(text: string, { limits }: GuardBudget): ParsedScript | undefined {
  if (text.length > limits.characters || text.includes('\0')) return undefined;
  if (text.includes('<<') && text.split('<<').length > limits.hereDocuments) return undefined;
  return parse(text);
}

/** The direct children of a node, those of expansions and substitutions included. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => children.push(child));
  return children;
}

/**
 * Whether the parser has missed an expansion in a node without children: its text has one, its tree has none. Such a node counts as
 * unreadable. (unbash 6.0.4 misses the one in `a=($(x))y`.)
 */
export function hasGap(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Word':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return holdsExpansion(node.text, { quotes: true, processes: true });
    case 'ArithmeticWord':
      return holdsExpansion(node.value, { quotes: false, processes: false });
    case 'HereDocBody':
    case 'Literal':
      return holdsExpansion(node.text, { quotes: false, processes: false });
    case 'ParameterExpansion':
      return holdsExpansion(node.text.slice(2), { quotes: true, processes: false });
    case 'ArithmeticExpansion':
      return holdsExpansion(node.text.slice(2), { quotes: false, processes: false });
    case 'ArithmeticCommand':
      return holdsExpansion(node.body, { quotes: false, processes: false });
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return node.script === undefined;
    default:
      return false;
  }
}

/** Whether a text has an expansion: not after a backslash and not between single quotes. */
function holdsExpansion(text: string, { quotes, processes }: { quotes: boolean; processes: boolean }): boolean {
  if (!text.includes('$') && !text.includes('`') && !text.includes('<') && !text.includes('>')) return false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    const next = text[at + 1];
    if (character === '\\') at++;
    else if (character === "'" && quotes) {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return true;
      at = end;
    } else if (character === '`' || (character === '$' && (next === '(' || next === '{' || next === '['))) return true;
    else if (processes && (character === '<' || character === '>') && next === '(') return true;
  }
  return false;
}
