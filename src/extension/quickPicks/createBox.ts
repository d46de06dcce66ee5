import { ThemeIcon, l10n, window, type QuickInputButton, type QuickPick } from 'vscode';
import type { Problem } from '../../core/base/problem.ts';
import { asProblem } from '../../core/base/systemFailure.ts';
import { meaningOf } from '../../core/create/nameMeaning.ts';
import { resolveRequest } from '../../core/create/resolveRequest.ts';
import { parseSubject } from '../../core/create/subject.ts';
import type { OpenPullsReader, OpenPullsState } from '../github/openPullsReader.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { offersFor, type Known } from './createOffers.ts';
import {
  emptyRow,
  failedRows,
  lookingRow,
  meaningRows,
  numberRow,
  offerRows,
  stackButton,
  type CreateAction,
  type CreateRow,
} from './createRows.ts';
import { likelyBase } from './pickBase.ts';
import { askInput, type Answer, type Position } from './steps.ts';

/** Why what was chosen was not made, and what helps. */
export interface Failed {
  readonly problem: Problem;
  readonly helps: readonly { readonly label: string; readonly action: CreateAction }[];
}

/** What the box is opened with. */
export interface BoxQuestion {
  readonly title: string;
  readonly text: string;
  /** The base that the person has chosen. */
  readonly base: string | undefined;
  /** Only pull requests are offered. */
  readonly only: 'pulls' | undefined;
  readonly failed: Failed | undefined;
}

/** What the person has typed, and what they chose of it. */
export interface BoxAnswer {
  readonly text: string;
  readonly action: Extract<CreateAction, { readonly kind: 'create' | 'open' }>;
}

/** Where everything comes from that the box shows. */
export interface BoxSources {
  readonly model: RepositoryModel;
  /** What was read once: everything but the pull requests. */
  readonly known: Omit<Known, 'pulls'>;
  readonly pulls: OpenPullsReader;
  /** Tells a failure of something that left the box open. */
  readonly tell: (thrown: unknown) => void;
}

/** Milliseconds without a key before a text is looked up. */
const typingPause = 80;

/** With this VS Code keeps the rows in their order; else those in which the text occurs would come before the first one. */
type Unsorted = QuickPick<CreateRow> & { sortByLabel?: boolean };

const nothing: OpenPullsState = { state: 'none', pulls: [] };

/**
 * Asks what a new worktree is made of, in one box: a text, a number, an address, or one of the rows. The first row says what the text would
 * become, and what cannot be is told there in plain words.
 *
 * @returns `otherBase` with the text when another base is wanted.
 */
export async function askWhat(
  sources: BoxSources,
  question: BoxQuestion,
  position: Position,
): Promise<Answer<BoxAnswer> | { readonly otherBase: string }> {
  const pick: Unsorted = window.createQuickPick<CreateRow>();
  pick.sortByLabel = false;
  pick.keepScrollPosition = true;
  pick.value = question.text;
  pick.placeholder =
    question.only === 'pulls'
      ? l10n.t('Search open pull requests, or type a number or an address')
      : l10n.t('Name or purpose, #12, an address, or choose below');
  const otherBase: QuickInputButton = { iconPath: new ThemeIcon('git-branch'), tooltip: l10n.t('From Another Base…') };
  const answered = await askInput<BoxAnswer>(
    pick,
    question.title,
    position,
    (store, answer) => {
      const box = new Box(sources, question, pick, answer);
      store.add(box);
      store.add(pick.onDidChangeValue(() => box.typed()));
      store.add(pick.onDidAccept(() => void box.accept()));
      store.add(
        pick.onDidTriggerItemButton(({ button, item }) => void (button === stackButton && box.choose(item, true))),
      );
      store.add(sources.pulls.onDidChange(() => box.show()));
    },
    question.only === 'pulls' ? undefined : otherBase,
  );
  return answered === 'pressed' ? { otherBase: pick.value } : answered;
}

/** The rows of a box that is open. */
class Box {
  readonly #sources: BoxSources;
  readonly #question: BoxQuestion;
  readonly #pick: QuickPick<CreateRow>;
  readonly #answer: (value: BoxAnswer) => void;
  #failed: Failed | undefined;
  /** What the text was found to mean; `undefined` while that is looked up. */
  #meant: readonly CreateRow[] | undefined;
  #before: CreateRow | undefined;
  #looking = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    sources: BoxSources,
    question: BoxQuestion,
    pick: QuickPick<CreateRow>,
    answer: (value: BoxAnswer) => void,
  ) {
    this.#sources = sources;
    this.#question = question;
    this.#pick = pick;
    this.#answer = answer;
    this.#failed = question.failed;
    this.show();
    void this.#look();
  }

  dispose(): void {
    this.#looking.abort();
    clearTimeout(this.#timer);
  }

  /** The text has changed. */
  typed(): void {
    this.dispose();
    this.#failed = undefined;
    this.#meant = undefined;
    this.show(true);
    this.#timer = setTimeout(() => void this.#look(), typingPause);
  }

  /** Enter, or a click on a row. */
  async accept(): Promise<void> {
    const [chosen] = this.#pick.activeItems;
    if (!chosen) return;
    if (chosen.key !== 'looking') return this.choose(chosen);
    // Faster than the look: a new branch is what anybody expects then, everything else is shown first.
    const text = this.#pick.value;
    await this.#look();
    const isNew = this.#pick.value === text && this.#meant?.[0]?.key === 'new';
    if (isNew && this.#meant?.[0]) await this.choose(this.#meant[0]);
  }

  /** Takes a row. What cannot be made is told while the box is open, as far as that is known without GitHub. */
  async choose({ action, key }: CreateRow, withStack = false): Promise<void> {
    const text = this.#pick.value;
    if (action.kind === 'open') return this.#answer({ text, action });
    if (action.kind === 'run') {
      await Promise.resolve(action.run()).catch((thrown: unknown) => this.#sources.tell(thrown));
    } else if (action.kind === 'create') {
      const problem = key === 'new' ? undefined : await this.#check(action.request);
      if (!problem) return this.#answer({ text, action: withStack ? { ...action, withStack } : action });
      this.#failed = { problem, helps: [] };
      this.show(true);
    } else if (key === 'empty') this.#pick.prompt = l10n.t('Type a name first, or choose one of the rows.');
  }

  /** Shows the rows of what is known now. The chosen one stays chosen, but for a new text. */
  show(isNewText = false): void {
    const { known, pulls } = this.#sources;
    const { base, only } = this.#question;
    const offers = offersFor(this.#pick.value, { ...known, pulls: pulls.now.pulls }, only);
    const items = [
      ...(this.#failed ? failedRows(this.#failed.problem, this.#failed.helps, known) : []),
      ...this.#firstRows(offers),
      ...offerRows(offers.groups, base, offers.number ? nothing : pulls.now, {
        signIn: () => pulls.signIn(),
        again: () => pulls.read(),
      }),
    ];
    const active = isNewText ? undefined : this.#pick.activeItems[0]?.key;
    this.#pick.prompt = '';
    this.#pick.items = items;
    const stays = items.find(({ key }) => key === active);
    const help = items.find(({ key }) => key.startsWith('help '));
    const first = stays ?? help ?? items.find(({ kind }) => kind === undefined);
    if (first) this.#pick.activeItems = [first];
  }

  #firstRows({ number, groups }: ReturnType<typeof offersFor>): readonly CreateRow[] {
    const { base, only } = this.#question;
    if (number) return groups.length > 0 ? [] : [numberRow(number, base)];
    if (only === 'pulls') return [];
    const text = this.#pick.value.trim();
    if (text === '') return [emptyRow(base ?? likelyBase(this.#sources.model) ?? '')];
    if (this.#meant) this.#before = this.#meant[0];
    return this.#meant ?? [lookingRow(text, this.#before)];
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    const name = this.#pick.value.trim();
    if (name === '' || this.#question.only === 'pulls' || parseSubject(name).kind !== 'text') return;
    this.#looking.abort();
    this.#looking = new AbortController();
    const { signal } = this.#looking;
    const { model, known } = this.#sources;
    const base = { chosen: this.#question.base, likely: likelyBase(model) };
    const meaning = await model
      .workspace()
      .then((workspace) => meaningOf(workspace, { name }, base, signal))
      .catch((thrown: unknown) => ({ kind: 'refused', problem: asProblem(thrown) }) as const);
    if (signal.aborted) return;
    this.#meant = meaningRows(meaning, known);
    this.show();
  }

  /** Why a request cannot be carried out; `undefined` where nothing is known against it. */
  async #check(request: Extract<CreateAction, { readonly kind: 'create' }>['request']): Promise<Problem | undefined> {
    if (request.name !== undefined && parseSubject(request.name).kind !== 'text') return undefined;
    this.#pick.busy = true;
    try {
      await resolveRequest(await this.#sources.model.workspace(), { ...request, createdBy: 'vscode' });
      return undefined;
    } catch (thrown) {
      return asProblem(thrown);
    } finally {
      this.#pick.busy = false;
    }
  }
}
