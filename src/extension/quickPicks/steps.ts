import {
  InputBoxValidationSeverity,
  QuickInputButtons,
  window,
  type Event,
  type InputBoxValidationMessage,
  type QuickInput,
  type QuickInputButton,
  type QuickPickItem,
} from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';

/** How a question ended: with an answer, one step back, or by leaving. */
export type Answer<T> = { readonly value: T } | 'back' | 'left';

/** Where a question stands in a row of them; zeros for one that stands alone. */
export interface Position {
  readonly step: number;
  readonly totalSteps: number;
}

/** Asks one question, stores the answer, and returns where to go next. */
export type InputStep = (position: Position) => Promise<'next' | 'back' | 'left'>;

/**
 * Asks questions one after the other; each can be gone back from.
 *
 * @returns whether all were answered.
 */
export async function runSteps(steps: readonly InputStep[]): Promise<boolean> {
  for (let at = 0; at < steps.length;) {
    const outcome = await steps[at]?.({ step: at + 1, totalSteps: steps.length });
    if (outcome === 'left' || outcome === undefined) return false;
    at += outcome === 'back' ? -1 : 1;
    if (at < 0) return false;
  }
  return true;
}

/** A text that is asked for. */
export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  /**
   * Says of a text, as it is typed, what would come of it, or what is wrong with it (severity error); `undefined` says nothing. Called with
   * a signal that is aborted when the text has changed.
   */
  readonly judge: (text: string, signal: AbortSignal) => Promise<InputBoxValidationMessage | undefined>;
  /** Whether a validation lets the text through. */
  readonly passes: (validation: InputBoxValidationMessage | undefined) => boolean;
  /** What Enter on an empty box says; by default nothing. */
  readonly whenEmpty?: string;
}

/** Milliseconds without a key before a text is judged. */
const typingPause = 80;

/**
 * Asks for a text, which is judged as it is typed; Enter waits for the validation. */
export async function askText(question: TextQuestion, position: Position): Promise<Answer<string>> {
  const box = window.createInputBox();
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
  box.value = question.value;
  const listen: Listen<string> = (store, answer) => {
    let judging = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const judge = async (): Promise<InputBoxValidationMessage | undefined> => {
      judging.abort();
      judging = new AbortController();
      const { signal } = judging;
      const validation = box.value === '' ? undefined : await question.judge(box.value, signal);
      if (!signal.aborted) box.validationMessage = validation;
      return validation;
    };
    const later = (): void => {
      judging.abort();
      clearTimeout(timer);
      timer = setTimeout(() => void judge(), typingPause);
    };
    store.add({ dispose: () => (clearTimeout(timer), judging.abort()) });
    store.add(box.onDidChangeValue(later));
    store.add(
      box.onDidAccept(async () => {
        clearTimeout(timer);
        const { value } = box;
        if (value === '' && question.whenEmpty !== undefined) {
          box.validationMessage = { message: question.whenEmpty, severity: InputBoxValidationSeverity.Error };
        }
        if (value === '') return;
        box.busy = true;
        const validation = await judge();
        box.busy = false;
        if (value === box.value && question.passes(validation)) answer(value);
      }),
    );
    if (box.value !== '') later();
  };
  return answerOf(await askInput<string>(box, question.title, position, listen));
}

/** A choice that is asked for. */
export interface ChoiceQuestion<Item extends QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly Item[];
  /** The one that Enter takes. */
  readonly preselected?: Item | undefined;
  /** Whether an item is only informative: Enter goes back from it to the preselected one. */
  readonly informs?: (item: Item) => boolean;
}

/** Asks for one of several. */
export async function askChoice<Item extends QuickPickItem>(
  question: ChoiceQuestion<Item>,
  position: Position,
): Promise<Answer<Item>> {
  const pick = window.createQuickPick<Item>();
  pick.placeholder = question.placeholder;
  pick.matchOnDescription = true;
  pick.items = question.items;
  if (question.preselected) pick.activeItems = [question.preselected];
  const answered = await askInput<Item>(pick, question.title, position, (store, answer) => {
    store.add(
      pick.onDidAccept(() => {
        const [chosen] = pick.activeItems;
        if (!chosen) return;
        if (!question.informs?.(chosen)) answer(chosen);
        else if (question.preselected) pick.activeItems = [question.preselected];
      }),
    );
  });
  return answerOf(answered);
}

/** The answer of an input without a button of its own. */
const answerOf = <T>(answered: Answer<T> | 'pressed'): Answer<T> => (answered === 'pressed' ? 'left' : answered);

/** What an input box and a pick have in common. */
export interface Input extends QuickInput {
  buttons: readonly QuickInputButton[];
  readonly onDidTriggerButton: Event<QuickInputButton>;
}

/** Waits for the answer of a person. */
export type Listen<T> = (store: DisposableStore, answer: (value: T) => void) => void;

/** Shows an input until it is answered, gone back from or left, or until a button of its own is pressed. */
export async function askInput<T>(
  input: Input,
  title: string,
  { step, totalSteps }: Position,
  listen: Listen<T>,
  own?: QuickInputButton,
): Promise<Answer<T> | 'pressed'> {
  const store = new DisposableStore();
  store.add(input);
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  try {
    return await new Promise<Answer<T> | 'pressed'>((resolve) => {
      listen(store, (value) => resolve({ value }));
      input.buttons = [...(step > 1 ? [QuickInputButtons.Back] : []), ...(own ? [own] : [])];
      store.add(
        input.onDidTriggerButton((button) => {
          if (button === QuickInputButtons.Back) resolve('back');
          else if (button === own) resolve('pressed');
        }),
      );
      store.add(input.onDidHide(() => resolve('left')));
      input.show();
    });
  } finally {
    store.dispose();
  }
}
