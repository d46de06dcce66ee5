import { branchesOfName } from '../core/create/branchOfName.ts';
import type { CreateRequest } from '../core/create/request.ts';
import { textOf } from '../core/messages/message.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import { askOneOf, askYesNo } from './ask.ts';
import { cliMessages } from './cliMessages.ts';
import type { CommandLine } from './command.ts';

/**
 * Where the name alone does not tell which branch is meant, the person does.
 *
 * @returns the request, with the branch where one was chosen.
 */
export async function askForBranch(
  cli: CommandLine,
  workspace: Workspace,
  request: CreateRequest,
): Promise<CreateRequest> {
  const found = await branchesOfName(workspace, request, cli.signal);
  if (!found) return request;
  cli.output.done();
  const { branches, areRemote } = found;
  if (!areRemote) {
    const question = cliMessages.checkOutExisting({ branch: branches[0] });
    return (await askYesNo(textOf(question), cli.signal, true)) ? { ...request, branch: branches[0] } : request;
  }
  const choices = [...branches.map((branch) => cliMessages.continueBranch({ branch })), cliMessages.startNewBranch()];
  const question = cliMessages.whichRemoteBranch({ name: request.name ?? request.task ?? '' });
  const chosen = await askOneOf(textOf(question), choices.map(textOf), cli.signal);
  if (chosen === undefined) return request;
  const branch = branches[chosen];
  return branch === undefined ? { ...request, newBranch: true } : { ...request, branch };
}
