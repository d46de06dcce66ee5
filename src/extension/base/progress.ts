import { ProgressLocation, window } from 'vscode';
import type { Progress } from '../../core/worktree/model.ts';
import type { Message } from '../../core/messages/message.ts';
import { localized } from './messages.ts';

/** Milliseconds before progress is shown: quick work shows by its result. */
const patience = 500;

/**
 * Does work that may take long: once it does, a notification names the step and offers to cancel.
 *
 * @param title what is being done: "Creating worktree x".
 * @param cancellable false for what happens as a whole once it has begun.
 */
export async function withProgress<T>(
  title: string,
  work: (progress: Progress, signal: AbortSignal) => Promise<T>,
  cancellable = true,
): Promise<T> {
  const cancel = new AbortController();
  let step: Message | undefined;
  let show: Progress = () => {};
  const result = work((now) => {
    step = now;
    show(now);
  }, cancel.signal);
  const ended = result.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    void window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable },
      async (progress, token) => {
        token.onCancellationRequested(() => cancel.abort());
        show = (now) => progress.report({ message: now === undefined ? '' : localized(now) });
        if (step !== undefined) show(step);
        await ended;
      },
    );
  }, patience);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
  }
}
