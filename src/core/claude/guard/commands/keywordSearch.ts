import { isWritingVerb, readsOf } from './githubVerbs.ts';
import { remoteVerbs } from './gitVerbs.ts';
import { wtTable } from './wtTable.ts';

/**
 * The words in a text that would be denied if they were a command, such as `git` and `push` on one line. For texts that could not be
 * parsed, and for code in other languages. Linear in the length of the text.
 */
export function forbiddenKeywords(text: string): readonly string[] | undefined {
  const continued = text.replaceAll('\0', '').replaceAll('\\\n', '');
  return inLines(continued) ?? (/['"\\]/.test(continued) ? inLines(continued.replace(/['"\\]/g, '')) : undefined);
}

function inLines(text: string): readonly string[] | undefined {
  for (const line of text.split('\n')) {
    const found = inLine(line);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inLine(line: string): readonly string[] | undefined {
  let program: 'git' | 'gh' | 'wt' | undefined;
  let group: string | undefined;
  for (const [raw] of line.toLowerCase().matchAll(/[a-z0-9_][a-z0-9_.-]*|-[a-z]+|--[a-z-]+/g)) {
    const word = raw.replace(/\.(?:exe|cmd)$/, '');
    if (word === 'git' || word === 'hub') program = 'git';
    else if (word === 'gh' || word === 'wt') [program, group] = [word, undefined];
    else if (word.startsWith('git-') && remoteVerbs.has(word.slice(4))) return [word];
    else if (program === 'git' && remoteVerbs.has(word)) return ['git', word];
    else if (program === 'wt') {
      if (Object.hasOwn(wtTable.waiting, word)) return ['wt', word];
      // After another command the word is a name: `wt rename poll fix`.
      if (wtTable.commands.split(' ').includes(word)) program = undefined;
    } else if (program === 'gh') {
      if (group === undefined && readsOf(word) !== undefined) group = word;
      else if (group === 'api') {
        if (/^(?:-x(?:post|put|patch|delete)?|-f|--(?:method|field|raw-field|input)|mutation)$/.test(word))
          return ['gh', 'api', word];
      } else if (group !== undefined && isWritingVerb(word)) return ['gh', group, word];
    }
  }
  return undefined;
}
