import { basename } from 'node:path';
import { quoted } from '../core/base/quoted.ts';
import type { Created } from '../core/create/created.ts';
import type { UncommittedJson } from '../core/create/createdJson.ts';
import { sharedMessages } from '../core/create/shared.ts';
import { textOf } from '../core/messages/message.ts';
import { cliMessages } from './cliMessages.ts';
import type { CommandLine } from './command.ts';
import { tellSetup } from './setupPrompt.ts';

/**
 * Prints a new worktree: what a person should know on standard error, its path on standard output.
 *
 * @param uncommitted what became of the uncommitted work of the worktree that one is in.
 */
export function tellCreated(cli: CommandLine, created: Created, uncommitted?: UncommittedJson): void {
  const { output } = cli;
  for (const warning of created.warnings) output.tell(`${output.messageColours.yellow('warning:')} ${textOf(warning)}`);
  const { name, branch, base, fromRemote, path } = created;
  const start = fromRemote === undefined ? '' : `, which continues ${fromRemote}`;
  output.tell(`Created worktree ${name} on branch ${branch}${start} (based on ${base}).`);
  if (basename(path) !== name) output.tell(textOf(cliMessages.folderIsCalled({ folder: basename(path) })));
  if (created.taskMoved) output.tell(`Moved the task ${JSON.stringify(created.task)} to the worktree tasks.`);
  for (const each of sharedMessages(created.shared)) output.tell(textOf(each));
  if (uncommitted) tellUncommitted(cli, name, uncommitted);
  tellSetup(cli, created.setup);
  output.answer(created.relativePath);
}

function tellUncommitted({ output }: CommandLine, name: string, { state, files }: UncommittedJson): void {
  const count = files.length;
  if (state === 'stays') output.tell(textOf(cliMessages.workStays({ count, name: quoted(name) })));
  else output.tell(textOf(cliMessages.workCame({ count, state: state === 'moved' ? 'along' : 'along as a copy' })));
}
