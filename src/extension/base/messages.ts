import { basename } from 'node:path';
import { Position, Range, l10n, window, workspace, type LogOutputChannel } from 'vscode';
import { systemProblem } from '../../core/base/systemFailure.ts';
import { Problem, messageOf } from '../../core/base/problem.ts';
import { editorTextOf, type Message } from '../../core/messages/message.ts';
import { uriOf } from './uris.ts';

/** A button beside a message, and what it does. */
export interface FailureButton {
  readonly label: string;
  readonly run: () => unknown;
}

/**
 * Shows a failure: its reason and the next step. The log, with git's own messages, is one click away. Nothing is shown for a cancellation.
 *
 * @param what the title of the command, for an unexpected failure.
 * @param buttons what helps.
 */
export function showFailure(
  channel: LogOutputChannel,
  what: string,
  thrown: unknown,
  buttons: readonly FailureButton[] = [],
): void {
  if (Problem.is(thrown, 'cancelled')) {
    channel.info(`${what}: cancelled.`);
    return;
  }
  const problem = Problem.is(thrown) ? thrown : systemProblem(thrown);
  if (!problem) {
    channel.error(thrown instanceof Error ? thrown : String(thrown));
    void offer(channel, l10n.t('{0} failed unexpectedly: {1}', what, messageOf(thrown)), undefined, []);
    return;
  }
  channel.error(
    [
      `${what}: ${problem.message}`,
      ...problem.items,
      ...(problem.next === undefined ? [] : [`next: ${problem.next}`]),
    ].join('\n'),
  );
  void offer(channel, problemText(problem), problem, buttons);
}

/** What the core has to say, in the person's language. */
export function localized(message: Message | string): string {
  return editorTextOf(message, (english) => l10n.t(english));
}

/** The sentence of a problem and its next step, where there is one: what a button does instead is not told. */
export function problemText({ what, nextStep }: Problem): string {
  return withNext(localized(what), nextStep);
}

/** A sentence and what to do next. */
export function withNext(sentence: string, nextStep: Message | undefined): string {
  const next = nextStep === undefined ? '' : localized(nextStep);
  if (next === '') return sentence;
  return l10n.t('{0} Next: {1}.', /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`, next);
}

async function offer(
  channel: LogOutputChannel,
  message: string,
  problem: Problem | undefined,
  buttons: readonly FailureButton[],
): Promise<void> {
  const showLog = l10n.t('Show Log');
  // A line number means that the file is text that a person can correct.
  const file = problem?.line === undefined ? undefined : problem.file;
  const openFile = l10n.t('Open {0}', basename(file ?? ''));
  const labels = [...(file === undefined ? [] : [openFile]), ...buttons.map(({ label }) => label)];
  const choice = await window.showErrorMessage(message, ...new Set(labels), showLog);
  if (choice === showLog) channel.show(true);
  else if (choice === openFile && file !== undefined) {
    const at = new Position(Math.max(0, (problem?.line ?? 1) - 1), 0);
    await window.showTextDocument(await workspace.openTextDocument(uriOf(file)), { selection: new Range(at, at) });
  } else await buttons.find(({ label }) => label === choice)?.run();
}

/** The first names of a list, and how many more there are: `a, b and 4 more`. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? l10n.t('{0} and {1} more', shown, names.length - most) : shown;
}
