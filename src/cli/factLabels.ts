import type { Fact } from '../core/snapshot/facts.ts';
import { arrowsOf, labelOf } from '../core/snapshot/factLabels.ts';
import { counts } from '../core/messages/counts.ts';
import { textOf, type Message } from '../core/messages/message.ts';
import type { Colours } from './colour.ts';

/** What is wrong, and what calls for a person. */
const red: ReadonlySet<Fact['kind']> = new Set(['condition', 'trouble', 'conflicts']);
const yellow: ReadonlySet<Fact['kind']> = new Set([
  'operation',
  'restack-stopped',
  'cycle',
  'predicted',
  'needs-restack',
  'base-gone',
  'shared-branch',
  'changes',
]);

/** A fact in few words for one line of a table, in colour where it calls for a person. */
export function factText(fact: Fact, colours: Colours): string {
  const text = plainText(fact);
  if (red.has(fact.kind)) return colours.red(text);
  if (yellow.has(fact.kind) || (fact.kind === 'agent' && fact.activity === 'waiting')) return colours.yellow(text);
  const merged = fact.kind === 'merged' || (fact.kind === 'pull-request' && fact.standing === 'merged');
  return merged ? colours.green(text) : text;
}

function plainText(fact: Fact): string {
  switch (fact.kind) {
    case 'trouble':
      return fact.why;
    case 'predicted':
      return `${messageText(labelOf(fact))}: ${textOf(counts.files({ count: fact.files }))}`;
    case 'base':
      return arrowsOf(fact.distance);
    case 'branch':
      return `on ${fact.branch}`;
    default:
      return messageText(labelOf(fact));
  }
}

/** A message of the core on one line. */
export function messageText(message: Message): string {
  return oneLine(textOf(message));
}

/** A text from outside on one line, without characters that would steer a terminal; those that join emoji may stay. */
export function oneLine(text: string): string {
  return text.replace(/(?!\u200d|\u200c)[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}
