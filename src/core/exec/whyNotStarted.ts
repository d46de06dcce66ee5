import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { causes } from '../base/fileProblem.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { quoted, shellWord } from '../base/quoted.ts';
import { baseMessages } from '../messages/base.ts';
import { execMessages } from '../messages/exec.ts';
import { verbatim, type Message } from '../messages/message.ts';
import type { Worktree } from '../worktree/model.ts';

/** What to tell of a command that could not be started, and the exit code that shells and `env` give for it. */
export async function whyNotStarted(
  thrown: unknown,
  { name, path }: Pick<Worktree, 'name' | 'path'>,
  command: readonly string[],
): Promise<{ readonly problem: Problem; readonly exitCode: 126 | 127 }> {
  const [program = ''] = command;
  const isPath = /[\\/]/.test(program);
  const code = errorCode(thrown) ?? '';
  const not = (message: Message, next: Message | undefined, exitCode: 126 | 127) => ({
    problem: new Problem('not-found', message, { next, outcome: 'incomplete', cause: thrown }),
    exitCode,
  });
  const folder = await stat(path).catch(() => undefined);
  if (!folder?.isDirectory()) {
    return not(execMessages.noFolder({ name, path }), execMessages.bringBack({ name: quoted(name) }), 126);
  }
  const why = (message: Message): Message => execMessages.mayNotRun({ program, why: message });
  if (code === 'ENOENT' || code === 'ENOTDIR' || program === '') {
    const there = isPath && (await stat(resolve(path, program)).catch(() => undefined));
    if (there) return not(why(execMessages.noInterpreter()), execMessages.correctFirstLine(), 126);
    const next =
      command.length === 1 && /\s/.test(program)
        ? execMessages.wholeLine({ name: quoted(name), line: shellWord(program) })
        : execMessages.installOrPath();
    return not(
      isPath
        ? execMessages.noCommandFile({ program, folder: path })
        : execMessages.noCommand({ program: program || '“”' }),
      next,
      127,
    );
  }
  if (code === 'EACCES') {
    const mayRun =
      isPath &&
      (await access(resolve(path, program), constants.X_OK).then(
        () => true,
        () => false,
      ));
    return not(why(execMessages.notExecutable()), mayRun ? undefined : execMessages.makeExecutable(), 126);
  }
  const [what, next] = causes[code] ?? [verbatim(messageOf(thrown)), undefined];
  return not(baseMessages.couldNotStarted({ program, why: what }), next, 126);
}
