import { textOf, type Message } from '../../src/core/messages/message.ts';
import type { Progress } from '../../src/core/worktree/model.ts';

/** What messages say in English. */
export const texts = (all: readonly (Message | string)[] = []): string[] => all.map((each) => textOf(each));

/** Hears the steps of an operation as a person reads them. */
export const heard =
  (hear: (step: string) => unknown): Progress =>
  (step) =>
    void hear(step === undefined ? '' : textOf(step));
