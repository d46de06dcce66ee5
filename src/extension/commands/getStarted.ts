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

/** VS Code knows the walkthrough of an extension about five seconds after its host has started, later on a busy machine; in milliseconds. */
const knownAfter = 6_000;
const knownAtLast = 60_000;
const [shown, pause] = [500, 1_500];

/**
 * Opens the walkthrough. Where VS Code does not know it yet it opens another one, so then it is asked again until it has had the time.
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
    const since = performance.now();
    await commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#${walkthrough.id}`, {
      toSide: beside,
      inactive: beside,
    });
    if (since > knownAtLast) break;
    const isLate = since > knownAfter;
    await passed(shown);
    if (tabs().some(({ label }) => label.includes(walkthrough.title))) break;
    // A walkthrough is a tab of whose content extensions know nothing.
    const opened = tabs().filter((tab) => tab.input === undefined && !before.has(tab));
    // Ours may keep the name of the welcome page for good; with a name after a colon it is another one.
    if (isLate && !opened.some(({ label }) => namesWalkthrough.test(label))) break;
    await window.tabGroups.close(opened, true);
    if (isLate) await passed(pause);
  }
  await keys.tickSteps();
  return true;
}

/** As VS Code labels a walkthrough, `Walkthrough: …`, in any language. */
const namesWalkthrough = /[:：]/;

async function passed(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tabs(): Tab[] {
  return window.tabGroups.all.flatMap((group) => group.tabs);
}
