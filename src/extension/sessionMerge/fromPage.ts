import { choiceOrder, type PageAction, type FromPage } from '../../webview/protocol.ts';

const actions: readonly PageAction[] = ['accept', 'openAsText', 'useFile', 'useRules', 'openMergeEditor', 'close'];

/** A message of the page, if it is valid. */
export function fromPage(message: unknown): FromPage | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  const { type, id, choice, action, text, reviewed } = message as Record<string, unknown>;
  if (type === 'ready') return { type };
  if (type === 'choose' && typeof id === 'string') {
    const chosen = choiceOrder.find((each) => each === choice);
    return chosen && { type, id, choice: chosen };
  }
  if (type === 'edit' && typeof id === 'string' && typeof text === 'string') return { type, id, text };
  if (type === 'review' && typeof id === 'string' && typeof reviewed === 'boolean') return { type, id, reviewed };
  const act = type === 'act' ? actions.find((each) => each === action) : undefined;
  return act && { type: 'act', action: act };
}
