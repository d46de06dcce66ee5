import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  LanguageModelError,
  l10n,
  lm,
  type Disposable,
  type LanguageModelChat,
} from 'vscode';
import { Problem, messageOf } from '../../core/base/problem.ts';
import { verbatim } from '../../core/messages/message.ts';
import { textsMessages } from '../../core/messages/texts.ts';
import { textOfAnswer, type TextKind } from '../../core/texts/answer.ts';

/** How long a model may take, in milliseconds, and how much of its answer is read, in characters. */
const bounds = { time: 120_000, answer: 256_000 };

/** Whether VS Code has a model that could write a text. Asks nobody. */
export async function hasModel(): Promise<boolean> {
  return (await models()).length > 0;
}

/**
 * Tells whether there is a model, now and whenever VS Code's models change.
 *
 * @param tell gets whether there is one.
 */
export function watchModels(tell: (hasOne: boolean) => void): Disposable {
  const look = (): void => void hasModel().then(tell);
  look();
  return lm.onDidChangeChatModels(look);
}

/**
 * Has a text written by a model of VS Code, which asks the person for their consent. It is for the person to change: nothing is done with it here.
 *
 * @throws Problem `unsupported` without a model, `text-failed`, `cancelled`.
 */
export async function writtenByModel(kind: TextKind, prompt: string, signal: AbortSignal): Promise<string> {
  const [model] = await models();
  if (!model)
    throw new Problem('unsupported', verbatim(l10n.t('VS Code has no language model that could write this.')));
  const source = new CancellationTokenSource();
  const limit = AbortSignal.timeout(bounds.time);
  const cancel = (): void => source.cancel();
  for (const each of [signal, limit]) each.addEventListener('abort', cancel, { once: true });
  try {
    const options = { justification: l10n.t('To write a text from your changes, for you to edit.') };
    const { text } = await model.sendRequest([LanguageModelChatMessage.User(prompt)], options, source.token);
    let answer = '';
    for await (const part of text) {
      answer += part;
      if (answer.length > bounds.answer || source.token.isCancellationRequested) break;
    }
    if (signal.aborted) throw Problem.cancelled();
    if (limit.aborted) throw failed(l10n.t('The language model took too long.'));
    const used = textOfAnswer(answer, kind);
    if (used === '') throw new Problem('text-failed', textsMessages.nothingFromModel(), { outcome: 'incomplete' });
    return used;
  } catch (thrown) {
    if (Problem.is(thrown)) throw thrown;
    if (signal.aborted) throw Problem.cancelled();
    throw failed(limit.aborted ? l10n.t('The language model took too long.') : wordsOf(thrown, model));
  } finally {
    for (const each of [signal, limit]) each.removeEventListener('abort', cancel);
    source.cancel();
    source.dispose();
  }
}

async function models(): Promise<readonly LanguageModelChat[]> {
  try {
    return await lm.selectChatModels();
  } catch {
    return [];
  }
}

function failed(words: string): Problem {
  return new Problem('text-failed', verbatim(words), { next: textsMessages.writeItYourself(), outcome: 'incomplete' });
}

/** Why a model did not answer, in plain words. */
function wordsOf(thrown: unknown, { name }: LanguageModelChat): string {
  const code = thrown instanceof LanguageModelError ? thrown.code : '';
  switch (code) {
    case LanguageModelError.NoPermissions.name:
      return l10n.t('You have not allowed the use of {0}.', name);
    case LanguageModelError.Blocked.name:
      return l10n.t('{0} refuses for now: its limit is reached.', name);
    case LanguageModelError.NotFound.name:
      return l10n.t('{0} is not there any more.', name);
    default:
      return /off.?topic|filtered/i.test(messageOf(thrown))
        ? l10n.t('{0} declined to answer.', name)
        : l10n.t('{0} failed: {1}', name, messageOf(thrown));
  }
}
