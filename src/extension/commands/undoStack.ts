import { ThemeIcon, commands, env, l10n, window, type QuickPickItem } from 'vscode';
import { listed, localized } from '../base/messages.ts';
import { Problem } from '../../core/base/problem.ts';
import { readSummaries } from '../../core/git/commits.ts';
import { readOperations } from '../../core/operations/store.ts';
import type { Operation } from '../../core/operations/operation.ts';
import { planRedo, planUndo, reverse, undoable, type Reversal } from '../../core/recovery/undo.ts';
import type { Inverse } from '../../core/operations/runner.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { withProgress } from '../base/progress.ts';
import { askPreview } from '../quickPicks/pickPreview.ts';
import { askChoice, runSteps, type Position, type InputStep } from '../quickPicks/steps.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { branchCount, short } from '../restack/planMessages.ts';
import { restackFlags } from '../restack/subject.ts';
import type { Services } from '../services/services.ts';
import { ageWords } from '../views/labels.ts';
import { resolveModel, wordOf } from '../services/resolveTarget.ts';
import { verbatim, textOf } from '../../core/messages/message.ts';

/**
 * Undoes an operation on stacks: the person picks it from the log, the last one first, and sees which branches go back to which commits
 * before they do.
 *
 * @returns what was done; `undefined` when the person left.
 */
export async function undoCommand(services: Services, argument?: unknown): Promise<Operation | undefined> {
  const title = l10n.t('Undo Operation');
  const model = await resolveModel(services, argument, title, ({ state }) => state?.stacks?.canUndo === true);
  if (!model) return undefined;
  const workspace = await model.workspace();
  const given = wordOf(argument, 'operation');
  const reversal = restackFlags(argument).ask
    ? await chooseUndo(model, workspace, title, given)
    : await planned((signal) => planUndo(workspace, given, signal));
  return reversal && carryOut(services, model, reversal);
}

/** Asks which operation is meant, where there are several and none is given, and shows what taking it back would do. */
async function chooseUndo(
  model: RepositoryModel,
  workspace: Workspace,
  title: string,
  given: string | undefined,
): Promise<Reversal | undefined> {
  const operations = undoable(await readOperations(workspace));
  let id = given;
  let chosen: Reversal | undefined;
  const pick: InputStep = async (position) => {
    const items = operations.map((operation) => operationItem(model, operation));
    const preselected = items.find((item) => item.id === id);
    const placeholder = l10n.t('Select what to undo');
    const answer = await askChoice({ title, placeholder, items, preselected }, position);
    if (typeof answer === 'string') return answer;
    id = answer.value.id;
    return 'next';
  };
  const picks = given === undefined && operations.length > 1;
  const look: InputStep = async (position) => {
    chosen = await planned((signal) => planUndo(workspace, id, signal));
    return confirm(model, workspace, chosen, picks ? position : undefined);
  };
  return (await runSteps(picks ? [pick, look] : [look])) ? chosen : undefined;
}

/** Does again what the last undo has undone, after showing what that moves. */
export async function redoCommand(services: Services, argument?: unknown): Promise<Operation | undefined> {
  const model = await resolveModel(
    services,
    argument,
    l10n.t('Redo Operation'),
    ({ state }) => state?.stacks?.canRedo === true,
  );
  if (!model) return undefined;
  const workspace = await model.workspace();
  const reversal = await planned((signal) => planRedo(workspace, signal));
  if (restackFlags(argument).ask && (await confirm(model, workspace, reversal)) !== 'next') return undefined;
  return carryOut(services, model, reversal);
}

/** An obstacle and its subject in one sentence, because a message has no list. */
async function planned(plan: (signal: AbortSignal) => Promise<Reversal>): Promise<Reversal> {
  try {
    return await withProgress(l10n.t('Planning the move'), (_progress, signal) => plan(signal));
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.items.length === 0) throw thrown;
    const { reason, what, nextStep, items, outcome } = thrown;
    throw new Problem(reason, verbatim(`${localized(what)} ${listed(items)}.`), {
      items,
      outcome,
      cause: thrown,
      next: nextStep,
    });
  }
}

function operationItem(
  { state }: RepositoryModel,
  { id, title, started, moves, renaming, removal, merged }: Operation,
): QuickPickItem & { readonly id: string } {
  const seconds = Date.parse(started) / 1000;
  const tips = state?.stacks?.branches;
  const changed = moves.filter(({ branch, to }) => tips?.has(branch) && tips.get(branch)?.tip !== to);
  const facts = [
    ageWords(seconds, env.language),
    ...(renaming || removal ? [] : [branchCount(moves.length)]),
    ...(changed.length === 0 ? [] : [l10n.t('changed since: {0}', listed(changed.map(({ branch }) => branch)))]),
  ];
  const icon = renaming ? 'edit' : removal ? 'trash' : merged ? 'git-merge' : 'history';
  return { id, label: title, description: facts.join(' · '), iconPath: new ThemeIcon(icon) };
}

async function confirm(
  model: RepositoryModel,
  workspace: Workspace,
  reversal: Reversal,
  position?: Position,
): Promise<'next' | 'back' | 'left'> {
  const { kind, title } = reversal;
  const preview = {
    title: kind === 'undo' ? l10n.t('Undo “{0}”?', title) : l10n.t('Redo “{0}”?', title),
    placeholder: l10n.t('Preview: nothing has changed yet'),
    actions: [
      kind === 'undo'
        ? { label: l10n.t('Undo'), icon: 'discard', value: true }
        : { label: l10n.t('Redo'), icon: 'redo', value: true },
    ],
    heading: l10n.t('what will happen'),
    rows: await reversalRows(model, workspace, reversal),
    notes: [],
  };
  const answer = await askPreview(preview, position);
  return typeof answer === 'string' ? answer : 'next';
}

/** The branches with their commits, and the bases that are restored. */
async function reversalRows(
  { state }: RepositoryModel,
  { git, repository }: Workspace,
  { last, steps }: Reversal,
): Promise<QuickPickItem[]> {
  const restored = steps.flatMap(({ inverse }) => inverse.restore ?? []);
  if (restored.length > 0) return restored.flatMap(restoreRows);
  if (last.renaming) {
    const { from, to } = last.renaming;
    const branch =
      from.branch === to.branch
        ? []
        : [{ label: to.branch, description: l10n.t('the branch becomes {0}', from.branch) }];
    return [{ label: to.name, description: l10n.t('becomes {0}', from.name) }, ...branch];
  }
  const batch = steps[0]?.inverse.batch ?? { moves: [], entries: [] };
  const commits = await readSummaries(git, repository.commonDir, new Set(batch.moves.map(({ to }) => to)));
  const edges = new Map(batch.entries.map(({ before, after }) => [before?.branch ?? after?.branch, { before, after }]));
  const rows = batch.moves.map(({ branch, from, to, worktrees }): QuickPickItem => {
    const paths = new Set(worktrees.map(({ path }) => path));
    const holders = (state?.worktrees ?? []).filter(({ path }) => paths.has(path));
    const count = holders.reduce((sum, { changes }) => sum + (changes?.total ?? 0), 0);
    const base = edges.get(branch);
    edges.delete(branch);
    const detail = [
      ...(commits.has(to) ? [JSON.stringify(commits.get(to)?.subject)] : []),
      ...(base?.after && base.after.base !== base.before?.base
        ? [l10n.t('is based on {0} again', base.after.base)]
        : []),
      ...(count === 0
        ? []
        : [count === 1 ? l10n.t('keeps 1 uncommitted file') : l10n.t('keeps {0} uncommitted files', count)]),
    ];
    return {
      label: branch,
      description: `${short(from)} → ${short(to)}`,
      detail: detail.join(', '),
      iconPath: new ThemeIcon('git-branch'),
    };
  });
  // A branch that did not move may have another base all the same.
  const others = [...edges.values()].flatMap(({ before, after }): QuickPickItem[] =>
    after && after.base !== before?.base
      ? [
          {
            label: after.branch,
            description: l10n.t('is based on {0} again', after.base),
            iconPath: new ThemeIcon('git-branch'),
          },
        ]
      : [],
  );
  return [...rows, ...others];
}

/** A restored worktree, and its dependents. */
function restoreRows({ removal, repointed }: NonNullable<Inverse['restore']>): QuickPickItem[] {
  const { name, branch, changes, index } = removal;
  const worktree: QuickPickItem = {
    label: name,
    description: branch === undefined ? l10n.t('is restored') : l10n.t('is restored, based on {0}', branch),
    ...(changes === undefined && index === undefined ? {} : { detail: l10n.t('with its uncommitted changes') }),
    iconPath: new ThemeIcon('repo-forked'),
  };
  const again = removal.repointed.filter((each) => repointed.includes(each.name));
  return [
    worktree,
    ...again.map(({ name: each, from }) => ({
      label: each,
      description: l10n.t('is based on {0} again', from),
      iconPath: new ThemeIcon('git-branch'),
    })),
  ];
}

async function carryOut(services: Services, model: RepositoryModel, reversal: Reversal): Promise<Operation> {
  const { kind, of, steps } = reversal;
  const title = kind === 'undo' ? l10n.t('Undoing: {0}', reversal.title) : l10n.t('Redoing: {0}', reversal.title);
  const done = await withProgress(title, () => model.change((workspace) => reverse(workspace, reversal)), false);
  for (const { branch, from, to } of done.moves) services.log.info(`${done.title}: ${branch} ${from} -> ${to}`);
  for (const note of done.notes ?? []) services.log.info(`${done.title}: ${textOf(note)}`);
  if (steps.some(({ inverse }) => inverse.restore)) return showRestored(services, reversal.title, done);
  const words = kind === 'undo' ? l10n.t('Undone: {0}.', of.title) : l10n.t('Redone: {0}.', of.title);
  const other = kind === 'undo' ? l10n.t('Redo') : l10n.t('Undo');
  void window.showInformationMessage([words, ...(done.notes ?? []).map(localized)].join(' '), other).then((choice) => {
    if (choice !== other) return;
    const argument = { repository: model.repository.mainRoot, ask: false };
    if (kind === 'undo') return commands.executeCommand('worktreeStacks.redo', argument);
    return commands.executeCommand('worktreeStacks.undo', { ...argument, operation: of.id });
  });
  return done;
}

/** A removal has no redo. What could not be restored is shown, or where it is. */
function showRestored(services: Services, title: string, done: Operation): Operation {
  const notes = done.notes ?? [];
  const showLog = l10n.t('Show Log');
  void window
    .showInformationMessage(
      [l10n.t('Undone: {0}.', title), ...notes.map(localized)].join(' '),
      ...(notes.length > 0 ? [showLog] : []),
    )
    .then((choice) => choice === showLog && services.channel.show(true));
  return done;
}
