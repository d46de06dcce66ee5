import { QuickPickItemKind, ThemeIcon, l10n, type QuickPickItem } from 'vscode';
import { readBranches, readRemoteBranches } from '../../core/git/refs.ts';
import { worktreeRows } from '../../core/stack/graph.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { descriptionOf } from '../views/worktreeItem.ts';
import { askChoice, type Answer, type Position } from './steps.ts';

/** A base that can be chosen; without a branch it leads to all others. */
interface BaseItem extends QuickPickItem {
  readonly branch?: string;
}

const branchIcon = new ThemeIcon('git-branch');

/** The likely base of a new worktree: the branch that this window has checked out, or else the trunk. */
export function likelyBase({ state }: RepositoryModel): string | undefined {
  const here = state?.worktrees.find((each) => each.path === state.here[0]);
  return here?.branch ?? state?.snapshot.trunk;
}

/** How the question for a base differs from that for a new worktree's. */
export interface BaseQuestion {
  readonly placeholder: string;
  /** Whether a branch may be the base. */
  readonly offers: (branch: string) => boolean;
}

/** Asks for the base of a new or existing worktree. */
export async function askBase(
  model: RepositoryModel,
  title: string,
  name: string,
  chosen: string | undefined,
  position: Position,
  question: BaseQuestion = { placeholder: l10n.t('Select the base of {0}', name), offers: () => true },
): Promise<Answer<string>> {
  const { placeholder, offers } = question;
  for (;;) {
    const likely = likelyBase(model);
    const all = baseItems(model, likely !== undefined && offers(likely) ? likely : undefined);
    const items = all.filter(({ branch }) => branch === undefined || offers(branch));
    const preselected = items.find((each) => each.branch !== undefined && each.branch === chosen);
    const answer = await askChoice({ title, placeholder, items, preselected }, position);
    if (typeof answer === 'string') return answer;
    if (answer.value.branch !== undefined) return { value: answer.value.branch };
    const other = await askBranch(model, title, position, {
      placeholder: l10n.t('Select a branch'),
      offers: () => true,
    });
    if (other !== 'back') return other;
  }
}

function baseItems({ state }: RepositoryModel, current: string | undefined): BaseItem[] {
  const trunk = state?.snapshot.trunk;
  const items: BaseItem[] = [];
  if (current !== undefined) {
    const description = current === trunk ? l10n.t('current branch · trunk') : l10n.t('current branch');
    items.push({ label: current, branch: current, description, iconPath: branchIcon });
  }
  if (trunk !== undefined && trunk !== current) {
    items.push({ label: trunk, branch: trunk, description: l10n.t('the trunk'), iconPath: branchIcon });
  }
  const others = (state?.worktrees ?? []).filter(
    ({ branch }) => branch !== undefined && branch !== current && branch !== trunk,
  );
  if (others.length > 0) items.push({ label: l10n.t('Worktrees'), kind: QuickPickItemKind.Separator });
  for (const { worktree, depth } of worktreeRows(others)) {
    const branch = worktree.branch ?? '';
    items.push({
      label: `${'\u2003'.repeat(depth)}${branch}`,
      branch,
      description: descriptionOf(worktree),
      iconPath: branchIcon,
    });
  }
  items.push(
    { label: '', kind: QuickPickItemKind.Separator },
    { label: l10n.t('Other branch…'), iconPath: new ThemeIcon('list-selection') },
  );
  return items;
}

/** Asks for a branch, local or of a remote; there is always a way back. */
async function askBranch(
  model: RepositoryModel,
  title: string,
  position: Position,
  { placeholder, offers }: BaseQuestion,
): Promise<Answer<string>> {
  const { git } = await model.workspace();
  const { commonDir } = model.repository;
  const [local, remote] = await Promise.all([readBranches(git, commonDir), readRemoteBranches(git, commonDir)]);
  const latest = [...local.values()].sort((one, other) => other.committed - one.committed);
  const items: BaseItem[] = [
    ...latest
      .filter(({ name }) => offers(name))
      .map(({ name, subject }) => ({
        label: name,
        branch: name,
        description: subject,
        iconPath: branchIcon,
      })),
    { label: l10n.t('Remote branches'), kind: QuickPickItemKind.Separator },
    ...[...remote.oids.keys()]
      .map((name) => name.replace(/^refs\/remotes\//, ''))
      .filter(offers)
      .map((name) => ({ label: name, branch: name, iconPath: new ThemeIcon('cloud') })),
  ];
  const answer = await askChoice({ title, placeholder, items }, position);
  return typeof answer === 'string' || answer.value.branch === undefined
    ? answer === 'left'
      ? 'left'
      : 'back'
    : { value: answer.value.branch };
}
