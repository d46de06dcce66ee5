import { join } from 'node:path';
import { l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { createWorktree, type Created } from '../../core/worktrees/create/create.ts';
import { withProgress } from '../progress.ts';
import { askForWorktree } from '../quickPicks/askForWorktree.ts';
import type { RepositoryModel } from '../repositoryModel.ts';
import type { Services } from '../services.ts';
import { openTerminal } from './openInTerminal.ts';
import { openFolder } from './openWorktree.ts';
import { startClaude } from './startClaude.ts';
import { resolveModel, wordOf } from './targets.ts';

/** What is done with a worktree once it is there. */
export type Afterwards = 'window' | 'here' | 'terminal' | 'claude' | 'stay';

/** What a keybinding or a test may give; what is missing is asked for. */
export interface CreateArgument {
  readonly name?: string;
  readonly base?: string;
  readonly then?: Afterwards;
  readonly branch?: string;
  readonly task?: string;
  /** The name or the main root of a repository of this window. */
  readonly repository?: string;
}

const lastChoice = 'worktreeStacks.afterCreate';

/** Makes a worktree: asks for its name, its base and what to do then. Gives the path of the worktree. */
export async function createWorktreeCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const model = await resolveModel(services, argument, l10n.t('Create Worktree'));
  if (!model) return undefined;
  const given: CreateArgument = {
    ...optional('name', wordOf(argument, 'name')),
    ...optional('base', wordOf(argument, 'base')),
    ...optional('then', afterwardsOf(wordOf(argument, 'then'))),
  };
  const memento = services.context.globalState;
  const answers = await askForWorktree(model, given, afterwardsOf(memento.get(lastChoice)) ?? 'window');
  if (!answers) return undefined;
  if (given.then === undefined) await memento.update(lastChoice, answers.then);

  const created = await withProgress(l10n.t('Creating worktree {0}', answers.name), (progress, signal) =>
    model.change((workspace) =>
      createWorktree(
        workspace,
        {
          name: answers.name,
          base: answers.base,
          branch: wordOf(argument, 'branch'),
          task: wordOf(argument, 'task'),
          createdBy: 'vscode',
        },
        {
          progress,
          signal,
          approveSetup,
          onSetupOutput: (text) => services.channel.append(text),
          programs: { wt: programOf(services, 'wt.js'), hook: programOf(services, 'hook.js') },
        },
      ),
    ),
  );
  void tell(services, created);
  await show(services, model, created, answers.then);
  return created.path;
}

/** Only ever run with the person's word, since whoever wrote the repository wrote the commands. */
async function approveSetup(commands: readonly string[]): Promise<boolean> {
  const run = { title: l10n.t('Run') };
  const leave = { title: l10n.t('Do Not Run'), isCloseAffordance: true };
  const detail = [
    ...commands,
    '',
    l10n.t(
      'They come from .worktrees.yml. Once approved, they run in new worktrees of this repository without a question, until they change.',
    ),
  ].join('\n');
  const message =
    commands.length === 1
      ? l10n.t('Run the setup command in the new worktree?')
      : l10n.t('Run {0} setup commands in the new worktree?', commands.length);
  return (await window.showWarningMessage(message, { modal: true, detail }, run, leave)) === run;
}

async function show(services: Services, model: RepositoryModel, created: Created, then: Afterwards): Promise<void> {
  const node = services.view.find(created.path);
  if (node && services.view.tree.visible) await services.view.tree.reveal(node, { select: true, focus: false });
  const worktree = model.state?.worktrees.find((each) => each.path === created.path) ?? {
    ...created,
    condition: 'fine' as const,
  };
  switch (then) {
    case 'window':
      return openFolder(worktree, true);
    case 'here':
      return openFolder(worktree, false);
    case 'terminal':
      openTerminal(worktree);
      return;
    case 'claude':
      return startClaude(services, model, worktree);
    case 'stay':
      return;
  }
}

/** The tree shows that it is there; a message only says what the tree cannot. */
async function tell(services: Services, { name, path, setup, warnings }: Created): Promise<void> {
  for (const warning of warnings) services.log.warn(`${name}: ${warning}`);
  if (warnings.length > 0) {
    const showLog = l10n.t('Show Log');
    void window
      .showWarningMessage(warnings.join(' '), showLog)
      .then((choice) => choice === showLog && services.channel.show(true));
  }
  const waiting = setup.state === 'unapproved' ? setup.commands : setup.suggested;
  if (setup.state === 'done' || waiting.length === 0) return;
  const open = l10n.t('Open Terminal');
  const choice = await window.showInformationMessage(
    l10n.t('{0} is not set up yet: {1}', name, waiting.join(', ')),
    open,
  );
  if (choice !== open) return;
  const terminal = openTerminal({ name, path, condition: 'fine' });
  // Typed, not run: that is for the person to do.
  terminal.sendText(waiting.join(' && '), false);
}

function programOf({ context }: Services, file: string): string {
  return join(context.extensionPath, 'dist', file);
}

function afterwardsOf(word: string | undefined): Afterwards | undefined {
  switch (word) {
    case undefined:
    case 'window':
    case 'here':
    case 'terminal':
    case 'claude':
    case 'stay':
      return word;
    default:
      throw new Problem('usage', l10n.t('{0} is nothing that can be done with a new worktree.', word), {
        next: l10n.t('say window, here, terminal, claude or stay'),
      });
  }
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}
