import { Problem } from '../core/base/problem.ts';
import { textOf } from '../core/messages/message.ts';
import { textOfAnswer, type TextKind } from '../core/texts/answer.ts';
import { editText } from '../core/texts/editor.ts';
import { writtenByCommand } from '../core/texts/userCommand.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine, CommandOptions } from './command.ts';
import { cliMessages } from './cliMessages.ts';

/** A text that is to be written. */
export interface TextWish {
  readonly kind: TextKind;
  readonly prompt: string;
  /** What it will be used for, below the text in the editor: "The message of a commit in login." */
  readonly about: string;
  /** Use it as it is written. */
  readonly yes: boolean;
}

/**
 * Has a text written by the person's own command, and lets the person change it in their editor before it is used. Where nobody is there to do
 * that it is used only with `--yes`, and else told.
 *
 * @throws Problem `not-approved` (outcome incomplete) with the text, `text-failed`, `unsupported`, `cancelled`.
 */
export async function generateText(cli: CommandLine, workspace: Workspace, wish: TextWish): Promise<string> {
  const { output, signal, mayAsk } = cli;
  const { kind, prompt, about, yes } = wish;
  const progress = (step: Parameters<typeof textOf>[0] | undefined): void =>
    step === undefined ? output.done() : output.progress(textOf(step));
  const text = await writtenByCommand(workspace, kind, prompt, { signal, progress });
  output.done();
  if (yes) return text;
  if (mayAsk) {
    const lines = [about, 'It is used as you leave it. Empty the text to do nothing.'];
    const left = await editText(workspace, text, lines, signal);
    return kind === 'name' ? textOfAnswer(left, kind) : left;
  }
  throw new Problem('not-approved', cliMessages.textNotUsed(), {
    next: cliMessages.useTextAsItIs(),
    items: text.split('\n'),
    outcome: 'incomplete',
  });
}

/**
 * Whether a text is to be written.
 *
 * @throws Problem `usage` for `--yes` without it.
 */
export function checkGenerate(options: CommandOptions): boolean {
  if (options['generate'] === true) return true;
  if (options['yes'] === true)
    throw new Problem('usage', cliMessages.yesOfGenerate(), { next: cliMessages.leaveOutYes() });
  return false;
}
