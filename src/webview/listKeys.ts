import type { ReviewStep } from './protocol.ts';

/** How many rows the page keys go. */
const pageStep = 10;

/** What keys do in the list, about the row that has the focus. */
export interface ListActions {
  /** Goes some rows on or back, as far as there are some. */
  move(rows: number): void;
  unfold(unfolded: boolean | 'toggle'): void;
  /** The next or previous choice; of a group as {@link unfold}. */
  cycle(step: 1 | -1): void;
  review(): void;
  edit(): void;
  goToReview(to: ReviewStep): void;
}

/** What a key without Ctrl, Alt or Cmd does; `undefined` for one that does nothing here. */
export function actionOf(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  list: ListActions,
): (() => void) | undefined {
  switch (key) {
    case 'ArrowDown':
      return () => list.move(1);
    case 'ArrowUp':
      return () => list.move(-1);
    case 'PageDown':
      return () => list.move(pageStep);
    case 'PageUp':
      return () => list.move(-pageStep);
    case 'Home':
      return () => list.move(-Infinity);
    case 'End':
      return () => list.move(Infinity);
    case 'ArrowRight':
      return () => list.unfold(true);
    case 'ArrowLeft':
      return () => list.unfold(false);
    case 'Enter':
      return () => list.unfold('toggle');
    case ' ':
      return () => list.cycle(shiftKey ? -1 : 1);
    case 'r':
    case 'R':
      return () => list.review();
    case 'F2':
      return () => list.edit();
    default:
      return undefined;
  }
}
