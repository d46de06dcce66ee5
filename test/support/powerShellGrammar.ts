import { fileURLToPath } from 'node:url';
import { Language, Parser, type Node } from 'web-tree-sitter';

/** Reads scripts as PowerShell does, by its grammar for tree-sitter. */
export interface PowerShellGrammar {
  /** The places that are no PowerShell, each with its line, which begins with 1. */
  readonly faults: (script: string) => string[];
}

/** Loads the grammar, which takes a moment. */
export async function powerShellGrammar(): Promise<PowerShellGrammar> {
  await Parser.init();
  const wasm = import.meta.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm');
  const parser = new Parser().setLanguage(await Language.load(fileURLToPath(wasm)));
  function* faultsIn(node: Node): Iterable<string> {
    if (node.isError || node.isMissing) yield `${node.startPosition.row + 1}: ${node.text}`;
    for (const child of node.children) if (child !== null) yield* faultsIn(child);
  }
  return {
    faults: (script) => {
      const tree = parser.parse(script);
      return tree === null ? ['no answer'] : [...faultsIn(tree.rootNode)];
    },
  };
}
