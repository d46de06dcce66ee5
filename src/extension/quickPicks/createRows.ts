import { QuickPickItemKind, ThemeIcon, l10n, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { NameMeaning } from '../../core/create/nameMeaning.ts';
import type { Problem } from '../../core/base/problem.ts';
import type { CreateRequest } from '../../core/create/request.ts';
import { localized, problemText } from '../base/messages.ts';
import type { OpenPullsState } from '../github/openPullsReader.ts';
import { requestOf, type Known, type KnownWorktree, type Offer, type OfferGroup, type Offers } from './createOffers.ts';

/** What choosing a row does. */
export type CreateAction =
  | {
      readonly kind: 'create';
      readonly request: Omit<CreateRequest, 'createdBy'>;
      /** A pull request comes with those below it. */
      readonly withStack: boolean;
      /** For messages: what is made. */
      readonly label: string;
    }
  /** Go on in the worktree at this path. */
  | { readonly kind: 'open'; readonly path: string }
  /** Something that leaves the box open. */
  | { readonly kind: 'run'; readonly run: () => unknown }
  /** It only tells something. */
  | { readonly kind: 'tell' };

/** One row of the box. */
export interface CreateRow extends QuickPickItem {
  /** Stays the same while the rows around it change. */
  readonly key: string;
  readonly action: CreateAction;
}

/** The button of a pull request that has others below it. */
export const stackButton: QuickInputButton = {
  iconPath: new ThemeIcon('layers'),
  tooltip: l10n.t('With Its Stack'),
};

const heading = (label: string): CreateRow => ({
  ...{ key: `heading ${label}`, label, kind: QuickPickItemKind.Separator, action: { kind: 'tell' } },
});

/** A row that shows whatever is typed: the box has chosen it already. */
function row(key: string, icon: string, label: string, action: CreateAction, more: Partial<QuickPickItem> = {}) {
  return { key, label, iconPath: new ThemeIcon(icon), action, alwaysShow: true, ...more } satisfies CreateRow;
}

const told = (key: string, icon: string, label: string, more: Partial<QuickPickItem> = {}): CreateRow =>
  row(key, icon, label, { kind: 'tell' }, more);

/** The first row of an empty box. */
export function emptyRow(base: string): CreateRow {
  const description = l10n.t('type its name, or what it is for');
  return told('empty', 'add', l10n.t('Create a new branch from {0}', base), { description });
}

/** Goes on in a worktree that there is. */
const openRow = (key: string, { name, path }: KnownWorktree): CreateRow =>
  row(
    key,
    'folder-opened',
    l10n.t('Open {0}', name),
    { kind: 'open', path },
    {
      description: l10n.t('there is a worktree already'),
    },
  );

/** What the typed text would become, in one row or, where a person has to say what is meant, in several. */
export function meaningRows(meaning: NameMeaning, { worktrees }: Pick<Known, 'worktrees'>): CreateRow[] {
  if (meaning.kind === 'several') {
    const { name, branches } = meaning;
    const ask = (label: string, icon: string, request: Omit<CreateRequest, 'createdBy'>): CreateRow =>
      row(`several ${label}`, icon, label, { kind: 'create', request, withStack: false, label: name });
    return [
      ...branches.map((branch) => ask(l10n.t('Continue {0}', branch), 'cloud', { name, branch })),
      ask(l10n.t('Start a new branch {0}', name), 'git-branch', { name, newBranch: true }),
    ];
  }
  if (meaning.kind === 'refused') {
    const { problem } = meaning;
    const here = worktrees.find(({ path, canOpen }) => canOpen && path === problem.file);
    if (here) return [openRow('open', here)];
    const next = problem.nextStep && localized(problem.nextStep);
    return [told('refused', 'error', localized(problem.what), next ? { detail: next } : {})];
  }
  const { how, branch, from, base, folder, request, warnings } = meaning;
  const action: CreateAction = { kind: 'create', request, withStack: false, label: request.name ?? branch };
  const more = {
    description: how === 'new' ? l10n.t('in {0}', folder) : l10n.t('based on {0}, in {1}', base, folder),
    ...(warnings.length === 0 ? {} : { detail: `$(warning) ${warnings.map(localized).join(' ')}` }),
  };
  switch (how) {
    case 'new':
      return [row('new', 'add', l10n.t('Create “{0}” from {1}', branch, base), action, more)];
    case 'existing':
      return [row('meant', 'git-branch', l10n.t('Continue branch {0}', branch), action, more)];
    case 'remote':
      return [row('meant', 'cloud', l10n.t('Continue {0}', from ?? branch), action, more)];
  }
}

/** The row of a number of which nothing is known yet. */
export function numberRow({ kind, number }: NonNullable<Offers['number']>, base: string | undefined): CreateRow {
  const labels = {
    pull: l10n.t('Pull request #{0}', number),
    issue: l10n.t('Issue #{0}', number),
    either: l10n.t('Pull request or issue #{0}', number),
  };
  const name = kind === 'either' ? `#${number}` : `${kind === 'pull' ? 'pr' : 'issue'}:${number}`;
  const action = { kind: 'create', request: { name, base }, withStack: false, label: labels[kind] } as const;
  const icon = kind === 'issue' ? 'issues' : 'git-pull-request';
  return row('number', icon, labels[kind], action, { description: l10n.t('read from GitHub') });
}

/** While a text is looked up: what was shown before it, so that nothing flickers. */
export function lookingRow(text: string, before: CreateRow | undefined): CreateRow {
  const looks = before ?? told('looking', 'loading~spin', l10n.t('Create “{0}”', text));
  return { ...looks, key: 'looking', action: { kind: 'tell' } };
}

/** Why what was chosen was not made, and what helps; the text is still there to be changed. */
export function failedRows(
  problem: Problem,
  helps: readonly { readonly label: string; readonly action: CreateAction }[],
  known: Pick<Known, 'worktrees'>,
): CreateRow[] {
  const sentence = meaningRows({ kind: 'refused', problem }, known);
  return [
    ...sentence.map((each) => ({ ...each, key: `failed ${each.key}` })),
    ...helps.map(({ label, action }) => row(`help ${label}`, 'arrow-right', label, action)),
    { ...heading(''), key: 'after failure' },
  ];
}

/** What is offered below, in groups with headings; of pull requests also whether more are coming. */
export function offerRows(
  groups: readonly OfferGroup[],
  base: string | undefined,
  pulls: OpenPullsState,
  ask: { readonly signIn: () => unknown; readonly again: () => unknown },
): CreateRow[] {
  const shown = new Map(groups.map((group) => [group.kind, group]));
  const headings = {
    branch: l10n.t('Branches without a worktree'),
    remote: l10n.t('Remote branches'),
    pull: l10n.t('Open pull requests'),
    task: l10n.t('Tasks'),
  };
  return (['branch', 'remote', 'pull', 'task'] as const).flatMap((kind) => {
    const group = shown.get(kind);
    const rows = (group?.offers ?? []).map((offer) => offerRow(offer, base));
    if (group && group.more > 0)
      rows.push(told(`more ${kind}`, 'ellipsis', l10n.t('{0} more: type to find them', group.more)));
    if (kind === 'pull') rows.push(...pullsRows(pulls, ask));
    return rows.length === 0 ? [] : [heading(headings[kind]), ...rows];
  });
}

function pullsRows(
  { state, problem }: OpenPullsState,
  { signIn, again }: { readonly signIn: () => unknown; readonly again: () => unknown },
): CreateRow[] {
  switch (state) {
    case 'loading':
      return [told('loading', 'loading~spin', l10n.t('Loading pull requests…'))];
    case 'signIn':
      return [row('signIn', 'github', l10n.t('Sign in to GitHub…'), { kind: 'run', run: signIn })];
    case 'failed':
      return [
        row(
          'again',
          'refresh',
          l10n.t('Try Again'),
          { kind: 'run', run: again },
          failure(problem && problemText(problem)),
        ),
      ];
    case 'none':
    case 'known':
      return [];
  }
}

const failure = (detail: string | undefined): Partial<QuickPickItem> =>
  detail === undefined ? {} : { detail: `$(warning) ${detail}` };

function offerRow(offer: Offer, base: string | undefined): CreateRow {
  const request = requestOf(offer, base);
  const create = (label: string, withStack = false): CreateAction => ({ kind: 'create', request, withStack, label });
  switch (offer.kind) {
    case 'branch':
      return row(`branch ${offer.name}`, 'git-branch', offer.name, create(offer.name), { description: offer.subject });
    case 'remote':
      return row(`remote ${offer.name}`, 'cloud', offer.name, create(offer.short));
    case 'task': {
      const { name, detail: description } = offer;
      return row(`task ${name}`, 'checklist', name, create(name), { description });
    }
    case 'pull':
      return pullRow(offer, create);
  }
}

function pullRow(
  { pull, below, here, withStack }: Offer & { readonly kind: 'pull' },
  create: (label: string, withStack?: boolean) => CreateAction,
): CreateRow {
  const { number, title, branch, fork, draft } = pull;
  const named = `#${number}`;
  if (withStack) {
    const all = [...below, number].map((each) => `#${each}`).join(', ');
    return row(`stack ${number}`, 'layers', l10n.t('{0} with its stack', named), create(named, true), {
      description: l10n.t('{0} pull requests: {1}', below.length + 1, all),
    });
  }
  const description = [
    ...(here === undefined ? [] : [l10n.t('has the worktree {0}', here.name)]),
    fork === undefined ? branch : `${fork}:${branch}`,
    ...(fork === undefined ? [] : [l10n.t('fork')]),
    ...(draft ? [l10n.t('draft')] : []),
  ].join(' · ');
  const icon = draft ? 'git-pull-request-draft' : 'git-pull-request';
  const action: CreateAction = here === undefined ? create(named) : { kind: 'open', path: here.path };
  const buttons = below.length > 0 && here === undefined ? [stackButton] : [];
  return row(`pull ${number}`, icon, `${named} ${title}`, action, { description, buttons });
}
