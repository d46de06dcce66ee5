import type { CreateRequest } from '../../core/create/request.ts';
import { parseSubject } from '../../core/create/subject.ts';
import { transliterated } from '../../core/repository/plainSlug.ts';
import { pullsUnder, type OpenPull } from '../../core/github/pulls/openPulls.ts';

/** What a new worktree can be made of, as far as it is known. */
export interface Known {
  /** Local branches, the latest first. */
  readonly branches: readonly { readonly name: string; readonly subject: string }[];
  /** Branches of remotes, with the remote's name. */
  readonly remotes: readonly string[];
  readonly pulls: readonly OpenPull[];
  readonly tasks: readonly { readonly name: string; readonly detail: string }[];
  readonly worktrees: readonly KnownWorktree[];
}

/** A worktree that there is. */
export interface KnownWorktree {
  readonly name: string;
  readonly path: string;
  readonly branch: string | undefined;
  /** The number of its pull request. */
  readonly pull: number | undefined;
  /** Its folder is where git has it. */
  readonly canOpen: boolean;
}

/** One thing that can be chosen. */
export type Offer =
  | { readonly kind: 'branch'; readonly name: string; readonly subject: string }
  | { readonly kind: 'remote'; readonly name: string; readonly short: string }
  | {
      readonly kind: 'pull';
      readonly pull: OpenPull;
      /** The numbers of those below it, the lowest first. */
      readonly below: readonly number[];
      /** The worktree that has it already. */
      readonly here: KnownWorktree | undefined;
      /** It is meant with those below. */
      readonly withStack: boolean;
    }
  | { readonly kind: 'task'; readonly name: string; readonly detail: string };

/** What is offered for a text. */
export interface Offers {
  /** The text is the number or the address of a pull request or an issue. */
  readonly number: { readonly kind: 'pull' | 'issue' | 'either'; readonly number: number } | undefined;
  /** In groups of one kind, the best first. */
  readonly groups: readonly OfferGroup[];
}

/** The offers of one kind. */
export interface OfferGroup {
  readonly kind: Offer['kind'];
  readonly offers: readonly Offer[];
  /** How many more there are. */
  readonly more: number;
}

/** The most rows of one kind: who looks for another one types more of it. */
const mostOfKind = 50;

/**
 * What is offered for a text. Words may stand in any order and be parts of others; what is typed between them does not count, so that
 * `Login form` finds `login-form`.
 *
 * @param only leaves out everything but pull requests; there a bare number is one's.
 */
export function offersFor(text: string, known: Known, only?: 'pulls'): Offers {
  const typed = only === 'pulls' && /^\d+$/.test(text.trim()) ? `#${text.trim()}` : text;
  const subject = parseSubject(typed);
  const pulls = known.pulls.map((pull): Offer & { kind: 'pull' } => ({
    ...{ kind: 'pull', pull, below: pullsUnder(pull, known.pulls), withStack: false },
    here: known.worktrees.find((each) => each.pull === pull.number),
  }));
  if (subject.kind !== 'text') {
    const { kind, number } = subject;
    const named = kind === 'issue' ? [] : pulls.filter(({ pull }) => pull.number === number);
    const withStacks = named.flatMap((each) =>
      each.below.length === 0 || each.here !== undefined ? [each] : [each, { ...each, withStack: true }],
    );
    return { number: { kind, number }, groups: grouped('pull', withStacks) };
  }
  const words = wordsOf(typed);
  const fits = (...texts: string[]): boolean => {
    const there = wordsOf(texts.join(' ')).join(' ');
    return words.every((word) => there.includes(word));
  };
  const ofPulls = grouped(
    'pull',
    pulls.filter(({ pull }) => fits(`#${pull.number}`, pull.title, pull.fork ?? '', pull.branch)),
  );
  if (only === 'pulls') return { number: undefined, groups: ofPulls };
  const { branches, remotes, tasks, worktrees } = known;
  const checkedOut = new Set(worktrees.map(({ branch }) => branch));
  const local = new Set(branches.map(({ name }) => name));
  return {
    number: undefined,
    groups: [
      ...grouped(
        'branch',
        branches
          .filter(({ name, subject: about }) => !checkedOut.has(name) && fits(name, about))
          .map((branch): Offer => ({ kind: 'branch', ...branch })),
      ),
      ...grouped(
        'remote',
        remotes
          .map((name): Offer & { kind: 'remote' } => ({ kind: 'remote', name, short: name.replace(/^[^/]+\//, '') }))
          // The local branch of the name is the one to work on.
          .filter(({ name, short }) => !local.has(short) && fits(name)),
      ),
      ...ofPulls,
      ...grouped(
        'task',
        tasks.filter(({ name, detail }) => fits(name, detail)).map((task): Offer => ({ kind: 'task', ...task })),
      ),
    ],
  };
}

/** What a chosen offer asks for. */
export function requestOf(offer: Offer, base: string | undefined): Omit<CreateRequest, 'createdBy'> {
  switch (offer.kind) {
    case 'branch':
      return { name: offer.name, branch: offer.name, base };
    case 'remote':
      return { name: offer.short, branch: offer.name, base };
    case 'pull':
      return { name: `pr:${offer.pull.number}`, base };
    case 'task':
      return { task: offer.name, base };
  }
}

function grouped(kind: Offer['kind'], offers: readonly Offer[]): OfferGroup[] {
  if (offers.length === 0) return [];
  return [{ kind, offers: offers.slice(0, mostOfKind), more: Math.max(0, offers.length - mostOfKind) }];
}

/** The words of a text without what stands between them, Latin letters in ASCII. */
function wordsOf(text: string): string[] {
  return transliterated(text)
    .split(/[^\p{L}\p{M}\p{N}#]+/u)
    .filter((word) => word !== '');
}
