import { counted } from '../core/base/phrases.ts';
import type { Fact } from '../core/snapshot/facts.ts';
import type { Demands, HostFacts } from '../core/repository/hostFacts.ts';
import type { Standing } from '../core/repository/standing.ts';
import type { Condition, Distance } from '../core/worktree/model.ts';
import type { Colours } from './colour.ts';

/** What is at the path of a worktree, in words. */
export const conditionText: Readonly<Record<Exclude<Condition, 'fine'>, string>> = {
  moved: 'moved, needs git worktree repair',
  missing: 'folder missing',
  empty: 'folder is no worktree any more',
  broken: 'its .git leads nowhere',
  foreign: 'something else is in its folder',
};

/** A fact in few words for one line of a table, in colour where it calls for a person. */
export function factText(fact: Fact, colours: Colours): string {
  switch (fact.kind) {
    case 'operation':
      return colours.yellow(`${fact.operation} in progress`);
    case 'condition':
      return colours.red(conditionText[fact.condition]);
    case 'trouble':
      return colours.red(fact.why);
    case 'conflicts':
      return colours.red(counted(fact.count, 'conflict'));
    case 'restack-stopped':
      return colours.yellow(fact.at === undefined ? 'restack stopped' : `waits for ${oneLine(fact.at)}`);
    case 'cycle':
      return colours.yellow(`base cycle with ${oneLine(fact.base)}`);
    case 'predicted': {
      const [first = '', ...others] = fact.with;
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      return colours.yellow(`conflicts with ${oneLine(first)}${more}: ${counted(fact.files, 'file')}`);
    }
    case 'needs-restack':
      return colours.yellow('needs restack');
    case 'base-gone':
      return colours.yellow(`base ${fact.base} is gone`);
    case 'shared-branch':
      return colours.yellow(`branch also in ${fact.others.join(', ')}`);
    case 'locked':
      return fact.reason === '' ? 'locked' : `locked: ${oneLine(fact.reason)}`;
    case 'agent':
      return fact.activity === 'waiting' ? colours.yellow('agent waiting') : `agent ${fact.activity}`;
    case 'denied':
      return `${fact.count} denied`;
    case 'changes':
      return colours.yellow(`${fact.count} changed`);
    case 'base':
      return distanceText(fact.distance);
    case 'detached':
      return fact.head === undefined ? 'detached' : `detached at ${fact.head.slice(0, 8)}`;
    case 'branch':
      return `on ${fact.branch}`;
    case 'upstream-gone':
      return `${fact.upstream} is gone`;
    case 'upstream':
      return `${distanceText(fact.distance)} ${fact.upstream}`;
    case 'pull-request':
      if (fact.standing === 'merged') return colours.green(`#${fact.number} merged`);
      return [
        [`#${fact.number}`, ...(fact.standing ? [standingText(fact.standing)] : [])].join(' '),
        ...hostText(fact.host ?? {}),
      ].join(', ');
    case 'merged':
      return colours.green('merged');
  }
}

/** What became of a pull request, behind its number. */
export function standingText(standing: NonNullable<Standing>): string {
  if (standing === 'queued') return 'in the merge queue';
  return standing === 'unproven' ? 'merged on GitHub, not here' : standing;
}

/** What GitHub keeps of a pull request that is not over: what its base still demands, and its own stack. */
export function hostText({ stack, demands, blocked }: HostFacts): string[] {
  const place = stack?.position === undefined ? '' : ` (${stack.position} of ${stack.size ?? stack.position})`;
  const needs = demands ? demandText(demands) : [];
  return [
    ...(blocked ? [needs.length > 0 ? `needs ${needs.join(', ')}` : 'blocked by rules'] : []),
    ...(stack ? [`GitHub stack ${stack.number}${place}`] : []),
  ];
}

/** What a base demands, one after the other. */
export function demandText({ checks, reviews }: Demands): string[] {
  return [...checks.map(oneLine), ...(reviews > 0 ? [counted(reviews, 'review')] : [])];
}

/** `↑2 ↓1`; empty when there is no distance, or none is known. */
export function distanceText(distance: Distance | undefined): string {
  if (!distance) return '';
  return [distance.ahead > 0 ? `↑${distance.ahead}` : '', distance.behind > 0 ? `↓${distance.behind}` : '']
    .filter((part) => part !== '')
    .join(' ');
}

/** A text from outside on one line, without characters that would steer a terminal; those that join emoji may stay. */
export function oneLine(text: string): string {
  return text.replace(/(?!\u200d|\u200c)[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}
