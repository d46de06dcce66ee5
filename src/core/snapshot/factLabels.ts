import { factMessages } from '../messages/facts.ts';
import { verbatim, type Message } from '../messages/message.ts';
import type { Demands, HostFacts } from '../repository/hostFacts.ts';
import type { Standing } from '../repository/standing.ts';
import type { Distance } from '../worktree/model.ts';
import type { Fact } from './facts.ts';

/** A fact in as few words as it can be understood. */
export function labelOf(fact: Fact): Message {
  switch (fact.kind) {
    case 'operation':
      return factMessages[fact.operation]();
    case 'condition':
      return factMessages[fact.condition]();
    case 'trouble':
      return factMessages.unreadable();
    case 'conflicts':
      return factMessages.conflicts({ count: fact.count });
    case 'restack-stopped':
      return fact.at === undefined ? factMessages.restackStopped() : factMessages.waitsFor({ branch: fact.at });
    case 'base-gone':
      return factMessages.baseGone({ base: fact.base });
    case 'cycle':
      return factMessages.baseCycle({ base: fact.base });
    case 'predicted': {
      const [branch = '', ...others] = fact.with;
      if (others.length === 0) return factMessages.predicted({ branch });
      return factMessages.predictedMore({ branch, more: others.length });
    }
    case 'needs-restack':
      return factMessages.needsRestack();
    case 'stack-needs-restack':
      return factMessages.stackNeedsRestack({ count: fact.count });
    case 'shared-branch':
      return factMessages.sharedBranch({ others: fact.others });
    case 'locked':
      return fact.reason === '' ? factMessages.locked() : factMessages.lockedBecause({ reason: fact.reason });
    case 'agent':
      return factMessages[fact.activity]();
    case 'to-review':
      return factMessages.toReview({ count: fact.count });
    case 'denied':
      return factMessages.denied({ count: fact.count });
    case 'changes':
      return factMessages.changed({ count: fact.count });
    case 'base':
      return withArrows(fact.base, fact.distance);
    case 'detached':
      return fact.head === undefined
        ? factMessages.noCommit()
        : factMessages.detached({ commit: fact.head.slice(0, 8) });
    case 'branch':
      return verbatim(fact.branch);
    case 'sparse':
      return factMessages.sparse();
    case 'upstream-gone':
      return factMessages.upstreamGone({ upstream: fact.upstream });
    case 'upstream':
      return withArrows(fact.upstream, fact.distance);
    case 'pull-request': {
      const standing = standingLabels(fact.standing, fact.host);
      if (standing.length === 0) return verbatim(`#${fact.number}`);
      return factMessages.pullRequestStanding({ number: fact.number, standing });
    }
    case 'merged':
      return factMessages.mergedHere();
  }
}

/** A fact in whole words, as it is read aloud. */
export function spokenLabelOf(fact: Fact): Message {
  switch (fact.kind) {
    case 'agent':
      return fact.activity === 'waiting' ? factMessages.agentAsks() : labelOf(fact);
    case 'denied':
      return factMessages.callsDenied({ count: fact.count });
    case 'predicted':
      return factMessages.predictedFiles({ branches: fact.with, count: fact.files });
    case 'changes':
      return factMessages.filesChanged({ count: fact.count });
    case 'base':
      return distanceLabel(fact.base, fact.distance);
    case 'upstream':
      return distanceLabel(fact.upstream, fact.distance);
    case 'branch':
      return factMessages.branch({ branch: fact.branch });
    case 'sparse':
      return factMessages.sparseCheckout();
    case 'pull-request': {
      const standing = standingLabels(fact.standing, fact.host);
      if (standing.length === 0) return factMessages.pullRequest({ number: fact.number });
      return factMessages.pullRequestSpoken({ number: fact.number, standing });
    }
    default:
      return labelOf(fact);
  }
}

/** How a pull request is doing, beside its number: what became of it, what its base still demands, and its own stack on the host. */
export function standingLabels(standing: Standing, host: HostFacts = {}): Message[] {
  const { stack, demands, blocked } = host;
  const needs = demands ? demandLabels(demands) : [];
  return [
    ...(standing === undefined || standing === 'open' ? [] : [standingLabel[standing]()]),
    ...(blocked ? [needs.length > 0 ? factMessages.needs({ demands: needs }) : factMessages.blocked()] : []),
    ...(stack ? [stackLabel(stack)] : []),
  ];
}

function stackLabel({ number, position, size }: NonNullable<HostFacts['stack']>): Message {
  if (position === undefined) return factMessages.githubStack({ number });
  return factMessages.githubStackAt({ number, position, size: size ?? position });
}

const standingLabel = {
  merged: factMessages.mergedHere,
  unproven: factMessages.unproven,
  closed: factMessages.closed,
  queued: factMessages.queued,
} as const;

/** What a base demands before a pull request may be merged into it. */
export function demandLabels({ checks, reviews }: Demands): Message[] {
  return [...checks.map(verbatim), ...(reviews > 0 ? [factMessages.reviews({ count: reviews })] : [])];
}

/** How far something is from a branch, in whole words. */
export function distanceLabel(base: string, distance: Distance | undefined): Message {
  if (!distance) return factMessages.basedOn({ base });
  const { ahead, behind } = distance;
  if (ahead > 0 && behind > 0) return factMessages.aheadAndBehind({ ahead, behind, base });
  if (ahead > 0) return factMessages.ahead({ ahead, base });
  return behind > 0 ? factMessages.behind({ behind, base }) : factMessages.upToDate({ base });
}

/** A distance from what need not be named: `↑2 ↓1`; empty when there is none. */
export function arrowsOf(distance: Distance | undefined): string {
  const arrows = [distance?.ahead ? `↑${distance.ahead}` : '', distance?.behind ? `↓${distance.behind}` : ''];
  return arrows.filter((arrow) => arrow !== '').join(' ');
}

function withArrows(base: string, distance: Distance | undefined): Message {
  const arrows = arrowsOf(distance);
  return arrows === '' ? factMessages.onBase({ base }) : verbatim(`${arrows} ${base}`);
}
