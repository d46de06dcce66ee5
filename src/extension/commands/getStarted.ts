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

/** VS Code knows the walkthrough of an extension about five seconds after its host has started; in milliseconds. */
const knownAfter = 6_000;
const interval = 500;

/**
 * Opens the walkthrough. Where VS Code does not know it yet it opens another one, so then it is asked until it has had the time.
 *
 * @returns that it is open.
 */
export async function getStarted({ context, keys }: Services, options?: GetStartedOptions): Promise<true> {
  const { extension } = context;
  const [walkthrough] = (extension.packageJSON as Manifest).contributes.walkthroughs;
  const beside = options?.beside === true;
  const before = new Set(tabs());
  for (;;) {
    // Since the host has started.
    const isKnown = performance.now() > knownAfter;
    await commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#${walkthrough.id}`, {
      toSide: beside,
      inactive: beside,
    });
    // Its tab may have the name of the welcome page for good, so the name proves one thing only.
    if (isKnown) break;
    await new Promise((resolve) => setTimeout(resolve, interval));
    if (tabs().some(({ label }) => label.includes(walkthrough.title))) break;
    // A walkthrough is a tab of whose content extensions know nothing.
    const opened = tabs().filter((tab) => tab.input === undefined && !before.has(tab));
    await window.tabGroups.close(opened, true);
  }
  await keys.tickSteps();
  return true;
}

function tabs(): Tab[] {
  return window.tabGroups.all.flatMap((group) => group.tabs);
}
