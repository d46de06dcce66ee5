import { commands, window, type Tab } from 'vscode';
import type { Services } from '../services/services.ts';

/** How the walkthrough is opened; by default in front, in the editor group that has the focus. */
export interface GetStartedOptions {
  /** Beside what is open, without the focus. */
  readonly beside?: boolean;
}

/** The manifest's one walkthrough, with its title in the person's language. */
interface Manifest {
  readonly contributes: { readonly walkthroughs: readonly [{ readonly id: string; readonly title: string }] };
}

/** VS Code registers the walkthrough of an extension up to five seconds after it has started; in milliseconds. */
const patience = 10_000;
const interval = 500;

/**
 * Opens the walkthrough.
 *
 * @returns whether it is open: VS Code opens another one while it does not know ours yet, so it is asked again.
 */
export async function getStarted({ context, keys }: Services, options?: GetStartedOptions): Promise<boolean> {
  const { extension } = context;
  const [walkthrough] = (extension.packageJSON as Manifest).contributes.walkthroughs;
  const beside = options?.beside === true;
  const before = new Set(tabs());
  for (const end = Date.now() + patience; ;) {
    await commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#${walkthrough.id}`, {
      toSide: beside,
      inactive: beside,
    });
    await new Promise((resolve) => setTimeout(resolve, interval));
    if (tabs().some(({ label }) => label.includes(walkthrough.title))) {
      await keys.tickSteps();
      return true;
    }
    if (Date.now() > end) return false;
    // A walkthrough is a tab of whose content extensions know nothing.
    await window.tabGroups.close(
      tabs().filter((tab) => tab.input === undefined && !before.has(tab)),
      true,
    );
  }
}

function tabs(): Tab[] {
  return window.tabGroups.all.flatMap((group) => group.tabs);
}
