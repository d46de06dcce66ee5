import { Git } from '../../core/git/git.ts';
import { readBranches, readRemoteBranches } from '../../core/git/refs.ts';
import { defaultConfiguration, readConfiguration } from '../../core/repository/configuration.ts';
import { locate } from '../../core/repository/identity.ts';
import { listTasks } from '../../core/session/tasks.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { readTaskFile } from '../../core/tasks/taskFile.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { bashReply, splitBashLine } from '../bashLine.ts';
import { coloursFor } from '../colour.ts';
import type { CommandLine, CommandRun } from '../command.ts';
import { expectedNext, type Candidate } from '../completions.ts';
import { createCandidates } from '../createCandidates.ts';
import { shells } from '../shellScripts.ts';
import { catalogue } from '../definitions/catalogue.ts';
import type { WordKind } from '../definitions/definition.ts';
import { oneLine } from '../factLabels.ts';
import { readGlobalOptions } from '../program.ts';
import { stateCell } from '../stateCell.ts';

/** Answers the completion scripts; whatever goes wrong, there is just nothing to complete. */
export const run: CommandRun = async (cli, [shell = '', ...words]) => {
  const [line = '', breaks = ''] = words;
  const bash = shell === 'bash' ? splitBashLine(line) : undefined;
  const typed = bash ? [...bash.before, bash.current] : shell === 'powershell' ? withoutSign(words) : words;
  const found = await candidates(cli, typed.length > 0 ? typed : ['']).catch(() => []);
  if (typeof found === 'string') cli.output.answer(found);
  else if (bash)
    cli.output.answer(
      found
        .filter(({ value }) => value.startsWith(bash.current))
        .map(({ value }) => bashReply(value, bash, breaks))
        .join('\n'),
    );
  else cli.output.answer(found.map((candidate) => scriptLine(shell, candidate)).join('\n'));
  return 0;
};

/** The branch of a worktree, and what is known of its state without reading its files. */
function describe(worktree: Worktree): string {
  const state = stateCell(worktree, {}, coloursFor({}, {}, true));
  return [worktree.branch ?? 'detached', ...(state === '' ? [] : [state])].join(' · ');
}

/** The word that is typed in PowerShell has a sign before it, since it may be empty. */
function withoutSign(words: readonly string[]): string[] {
  return [...words.slice(0, -1), (words.at(-1) ?? '').slice(1)];
}

/** Zsh takes a colon for the beginning of the description, fish a tab. */
function scriptLine(shell: string, { value, description }: Candidate): string {
  const words = oneLine(description);
  return shell === 'zsh' ? `${value.replace(/[\\:]/g, '\\$&')}${words && `:${words}`}` : `${value}\t${words}`;
}

async function candidates(
  cli: CommandLine,
  typed: readonly string[],
): Promise<readonly Candidate[] | ':file' | ':folder' | ':program'> {
  const expected = expectedNext(typed);
  if ('candidates' in expected) return expected.candidates;
  const { kind, prefix, also = [] } = expected;
  if (kind === 'file' || kind === 'folder' || kind === 'program') return `:${kind}`;
  const found = await lookUp(cli, kind, readGlobalOptions(typed, cli.environment.cwd).folder);
  return [...found.map((each) => ({ ...each, value: `${prefix}${each.value}` })), ...also];
}

async function lookUp(
  { environment, signal }: CommandLine,
  kind: Exclude<WordKind, 'file' | 'folder' | 'program'>,
  folder: string,
): Promise<Candidate[]> {
  switch (kind) {
    case 'free':
      return [];
    case 'shell':
      return shells.map((value) => ({ value, description: '' }));
    case 'command':
      return catalogue
        .filter(({ group }) => group !== undefined)
        .map(({ name, summary }) => ({ value: name.replaceAll(' ', '-'), description: summary }));
    case 'worktree': {
      const git = new Git(environment);
      const { repository } = await locate(git, folder, signal);
      const { worktrees } = await readSnapshot(
        { environment, git, repository, configuration: defaultConfiguration },
        { signal, withChanges: false },
      );
      return worktrees.filter(({ main }) => !main).map((each) => ({ value: each.name, description: describe(each) }));
    }
    case 'task': {
      const git = new Git(environment);
      const { repository } = await locate(git, folder, signal);
      const configuration = await readConfiguration(repository.mainRoot);
      const file = await readTaskFile({ environment, git, repository, configuration });
      const { pending } = file ? listTasks(file.document) : { pending: [] };
      return pending.map(({ name, detail }) => ({ value: name, description: detail }));
    }
    case 'subject':
      return createCandidates(environment, folder, signal);
    case 'branch': {
      const git = new Git(environment);
      const { repository } = await locate(git, folder, signal);
      const [local, remote] = await Promise.all([
        readBranches(git, repository.commonDir, signal),
        readRemoteBranches(git, repository.commonDir, signal),
      ]);
      return [
        ...[...local.values()].map(({ name, subject }) => ({ value: name, description: subject })),
        ...[...remote.oids.keys()].map((name) => ({
          value: name.replace('refs/remotes/', ''),
          description: 'remote branch',
        })),
      ];
    }
  }
}
