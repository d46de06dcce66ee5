import { commands } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Problem } from '../../core/base/problem.ts';
import type { Services } from '../services/services.ts';
import { verbatim } from '../../core/messages/message.ts';

/** The commands of the manifest, with their titles in the person's language. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
}

/**
 * The command that an id stands for: `worktreeStacks.row.rename` is `worktreeStacks.rename` with the short title that the menus of rows
 * show. VS Code has no short titles there.
 */
const commandOf = (id: string): string => id.replace('.row.', '.');

/**
 * Registers every command of the manifest behind one wrapper. It logs a failure and shows it with the next step, and does not reject: nobody
 * who starts a command from a menu could do anything with a rejection.
 */
export function registerCommands(services: Services): Disposable {
  const store = new DisposableStore();
  const { contributes } = services.context.extension.packageJSON as Manifest;
  for (const { command: id, title } of contributes.commands) {
    const run = async (...args: unknown[]): Promise<unknown> => {
      try {
        const { commandTable } = await import('./index.ts');
        const command = commandTable[commandOf(id)];
        if (!command) throw new Problem('not-found', verbatim(`There is no code for ${id}.`));
        return await command(services, ...args);
      } catch (thrown) {
        const { tellFailure } = await import('../remedies/buttons.ts');
        tellFailure(services, title.replace(/…$/, ''), thrown, () => commands.executeCommand(id, ...args));
        return undefined;
      }
    };
    store.add(commands.registerCommand(id, run));
  }
  return store;
}
