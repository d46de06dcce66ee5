import { QuickPickItemKind, ThemeIcon, l10n, type QuickPickItem } from 'vscode';
import { askChoice, type Answer, type Position } from './steps.ts';

/** What a person may answer to a preview. */
export interface PreviewAction<T> {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  readonly value: T;
}

/** A question about something that was worked out and not done yet. */
export interface Preview<T> {
  readonly title: string;
  readonly placeholder: string;
  /** The first is what Enter takes. A way out is always added. */
  readonly actions: readonly PreviewAction<T>[];
  /** The heading of what would happen, and its rows. */
  readonly heading: string;
  readonly rows: readonly QuickPickItem[];
  /** What leaving means; by default that nothing is moved. */
  readonly otherwise?: string;
  /** Sentences below them. */
  readonly notes: readonly string[];
}

interface Item<T> extends QuickPickItem {
  readonly action?: PreviewAction<T> | 'cancel';
}

/** A question that stands alone has no number. */
const alone: Position = { step: 0, totalSteps: 0 };

/**
 * Shows what would happen, row by row, and asks whether it should: a list, so that arrow keys, Enter and Escape are all it needs, and a screen
 * reader reads each row.
 */
export async function askPreview<T>(preview: Preview<T>, position: Position = alone): Promise<Answer<T>> {
  const actions = preview.actions.map((action): Item<T> => ({
    label: action.label,
    iconPath: new ThemeIcon(action.icon),
    action,
    ...(action.description === undefined ? {} : { description: action.description }),
  }));
  const items: Item<T>[] = [
    ...actions,
    {
      label: l10n.t('Cancel'),
      description: preview.otherwise ?? l10n.t('nothing is moved'),
      iconPath: new ThemeIcon('close'),
      action: 'cancel',
    },
    { label: preview.heading, kind: QuickPickItemKind.Separator },
    ...preview.rows,
    ...preview.notes.map((note) => ({ label: note, iconPath: new ThemeIcon('info') })),
  ];
  const answer = await askChoice(
    {
      title: preview.title,
      placeholder: preview.placeholder,
      items,
      preselected: actions[0],
      informs: ({ action }) => action === undefined,
    },
    position,
  );
  if (typeof answer === 'string') return answer;
  const { action } = answer.value;
  return action === undefined || action === 'cancel' ? 'left' : { value: action.value };
}
