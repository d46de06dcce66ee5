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
const [knownAfter, knownAtLast] = [6_000, 60_000];
/** A walkthrough is called like the welcome page until it is drawn, and now and then for good; in milliseconds. */
const drawnWithin = 3_000;
const interval = 500;

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
  // A walkthrough is a tab of whose content extensions know nothing.
  const opened = (): Tab[] => tabs().filter((tab) => tab.input === undefined && !before.has(tab));
  for (;;) {
    // Since the host has started.
    const asked = performance.now();
    await commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#${walkthrough.id}`, {
      toSide: beside,
      inactive: beside,
    });
    const label = await drawnLabel(opened);
    // One that was open before keeps its tab, and the old name of it.
    if (label === undefined || label.includes(walkthrough.title) || asked > knownAtLast) break;
    if (asked > knownAfter && !namesWalkthrough.test(label)) break;
    await window.tabGroups.close(opened(), true);
    await passed(interval);
  }
  await keys.tickSteps();
  return true;
}

/** As VS Code labels a walkthrough, `Walkthrough: …`, in any language. */
const namesWalkthrough = /[:：]/;

/** The label of a new tab as soon as it names a walkthrough, or what it is after a while; `undefined` without a new tab. */
async function drawnLabel(opened: () => readonly Tab[]): Promise<string | undefined> {
  const deadline = performance.now() + drawnWithin;
  for (;;) {
    await passed(interval);
    const label = opened()[0]?.label;
    if (label === undefined || namesWalkthrough.test(label) || performance.now() > deadline) return label;
  }
}

async function passed(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tabs(): Tab[] {
  return window.tabGroups.all.flatMap((group) => group.tabs);
}
