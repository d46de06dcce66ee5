import { commands } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { showFailure } from '../messages.ts';
import type { Services } from '../services.ts';
import { commandTitles, type CommandId } from './ids.ts';

/**
 * Registers every command behind one wrapper: what fails is logged and told with the next step, and does not reject, since nobody who starts a
 * command from a menu could do anything with a rejection.
 */
export function registerCommands(services: Services): Disposable {
  const store = new DisposableStore();
  for (const id of Object.keys(commandTitles) as CommandId[]) {
    const run = async (...args: unknown[]): Promise<unknown> => {
      try {
        const { commandTable } = await import('./index.ts');
        return await commandTable[id](services, ...args);
      } catch (thrown) {
        showFailure(services.channel, commandTitles[id](), thrown);
        return undefined;
      }
    };
    store.add(commands.registerCommand(id, run));
  }
  return store;
}
