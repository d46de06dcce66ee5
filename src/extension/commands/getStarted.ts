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
/** On a busy machine it knows it later, and tells nobody: it is asked again after so many milliseconds. */
const onceMore = [4_000, 8_000, 16_000];

/**
 * Opens the walkthrough. Where VS Code does not know it yet it opens another one, so then it is asked again until it has had the time.
 *
 * @returns that it is open.
 */
export async function getStarted({ context, keys }: Services, options?: GetStartedOptions): Promise<true> {
  const { extension } = context;
  const [walkthrough] = (extension.packageJSON as Manifest).contributes.walkthroughs;
  const beside = options?.beside === true;
  const open = async (): Promise<void> => {
    await commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#${walkthrough.id}`, {
      toSide: beside,
      inactive: beside,
    });
  };
  // A walkthrough is a tab of whose content extensions know nothing. Its name is the welcome page's until it is drawn, and often for good.
  const before = new Set(tabs());
  const opened = (): Tab[] => tabs().filter((tab) => tab.input === undefined && !before.has(tab));
  const isNamed = (): boolean => tabs().some(({ label }) => label.includes(walkthrough.title));
  for (;;) {
    // Since the host has started.
    const isKnown = performance.now() > knownAfter;
    await open();
    await passed(interval);
    if (isKnown || isNamed()) break;
    await window.tabGroups.close(opened(), true);
  }
  if (beside) void askAgain(open, () => opened().length > 0 && !isNamed());
  await keys.tickSteps();
  return true;
}

/** Asks in the background, as long as what was opened is there: opening what is open moves nothing. */
async function askAgain(open: () => Promise<void>, isWanted: () => boolean): Promise<void> {
  for (const wait of onceMore) {
    await passed(wait);
    if (!isWanted()) return;
    await open();
  }
}

async function passed(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tabs(): Tab[] {
  return window.tabGroups.all.flatMap((group) => group.tabs);
}
