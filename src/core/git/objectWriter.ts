import { fileTrouble, lines } from './gitTrouble.ts';
import { Problem } from '../base/problem.ts';
import type { Conversation } from './conversation.ts';
import { gitMessages } from '../messages/git.ts';

/**
 * Hands objects to a git process whose answer to each is its id. The ids are known beforehand, so nobody has to wait for an answer;
 * whether git has written what was meant is looked at as the answers come.
 */
export class ObjectWriter {
  readonly #git: Conversation;
  #said: Promise<unknown> = Promise.resolve();
  #heard: Promise<unknown> = Promise.resolve();

  constructor(git: Conversation) {
    this.#git = git;
  }

  /**
   * Hands over an object.
   *
   * @param oid what git will call it.
   * @param words gives what git has to be told; it is asked for in the order of the calls.
   */
  write(oid: string, words: () => Promise<string | Uint8Array> | string | Uint8Array): void {
    const said = this.#said.then(async () => this.#git.say(await words()));
    this.#said = said;
    this.#heard = Promise.all([said, this.#heard]).then(() => this.#hear(oid));
    // Whoever needs the objects asks for them with `settled`; until then a failure is nobody's concern.
    this.#said.catch(() => undefined);
    this.#heard.catch(() => undefined);
  }

  /**
   * Waits until everything that was handed over is written.
   *
   * @throws Problem `not-writable` when the disk is full or the like; `git-failed` when git has not written something, or calls it otherwise.
   */
  async settled(): Promise<void> {
    await this.#heard;
  }

  async #hear(oid: string): Promise<void> {
    const answer = await this.#git.line();
    if (answer === oid) return;
    const words = answer === undefined ? (await this.#git.end()).stderr : '';
    throw (
      fileTrouble('Writing new objects', words) ??
      new Problem(
        'git-failed',
        gitMessages.objectNotWritten({ oid, instead: answer ? gitMessages.wroteInstead({ answer }) : '' }),
        {
          next: gitMessages.seeWhetherDisk(),
          items: lines(words),
        },
      )
    );
  }
}
