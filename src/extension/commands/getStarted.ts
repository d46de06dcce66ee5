import { commands, window } from 'vscode';
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
const interval = 250;

/**
 * Opens the walkthrough.
 *
 * @returns whether it is open: VS Code opens another one while it does not know ours yet, so it is asked again.
 */
export async function getStarted({ context }: Services, options?: GetStartedOptions): Promise<boolean> {
  const { id, packageJSON } = context.extension;
  const [walkthrough] = (packageJSON as Manifest).contributes.walkthroughs;
  const beside = options?.beside === true;
  for (let left = patience / interval; left > 0; left--) {
    await commands.executeCommand('workbench.action.openWalkthrough', `${id}#${walkthrough.id}`, {
      toSide: beside,
      inactive: beside,
    });
    await new Promise((resolve) => setTimeout(resolve, interval));
    const tabs = window.tabGroups.all.flatMap(({ tabs: all }) => all);
    if (tabs.some(({ label }) => label.includes(walkthrough.title))) return true;
  }
  return false;
}
