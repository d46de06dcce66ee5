import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startGitHub } from '../../../scripts/sample/github.mjs';
import { makeTour, pointTour, tourFolders } from '../../../scripts/sample/tour.mjs';
import { scale, window } from '../../../scripts/pictures/list.mjs';
import { ensureServer } from '../../../scripts/lib/vscodeServer.mjs';
import { appendToLog } from '../../../src/core/claude/decisionLog.ts';
import { workbenchUrl } from '../../support/launch/browser.ts';
import { installVsix, startCodeServer } from '../../support/launch/codeServer.ts';
import { makePlace } from '../../support/launch/place.ts';
import { packagedVsix } from '../../support/launch/vsix.ts';
import { Workbench } from '../support/workbench.ts';

/** One screenshot, and how long it stays, in milliseconds. */
export interface Frame {
  readonly png: Buffer;
  readonly delay: number;
}

/** A rectangle of the page, in its pixels. */
export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const colours = { light: 'Default Light Modern', dark: 'Default Dark Modern' };

/** The commit dates of the sample: the same in every run, so that its commits are. */
const moment = Date.UTC(2026, 8, 1, 12);

/** What scenes do, as key bindings: a picture does not depend on how a command is called, or where it is in a menu. */
const commands = {
  create: {},
  list: 'viewAsList',
  stack: 'viewAsStack',
  rebaseStack: { worktree: 'cart-model' },
  cleanup: { worktree: 'cart-page' },
  undo: { ask: false },
  signIn: {},
} as const;

/** A window on the sample, in which pictures are taken. */
export class Stage {
  readonly workbench: Workbench;
  readonly page: Page;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
  }

  /** Runs one of our commands. */
  async run(name: keyof typeof commands): Promise<void> {
    await this.page.keyboard.press(keyOf(name));
  }

  /** Takes a picture once nothing moves any more. The mouse is where nothing shows it. */
  async frame(part?: Part, delay = 0): Promise<Frame> {
    const shoot = (): Promise<Buffer> => this.page.screenshot({ caret: 'hide', ...(part ? { clip: part } : {}) });
    let png = await shoot();
    // Something may always blink; then the last picture is as good as any.
    for (let left = 40, same = 0; left > 0 && same < 3; left--) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const next = await shoot();
      same = next.equals(png) ? same + 1 : 0;
      png = next;
    }
    return { png, delay };
  }

  /** Puts the mouse and the focus away, so that nothing is shown as hovered or focused. */
  async away(): Promise<void> {
    await this.page.mouse.move(window.width - 30, window.height - 5);
    await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  }

  /** The upper left of an element, as large as a picture. */
  async from(selector: string, width: number, height: number): Promise<Part> {
    const { x, y } = await this.#box(selector);
    return { x, y, width, height };
  }

  /** Shows or hides the side bar. */
  async toggleSideBar(): Promise<void> {
    const visible = await this.page.locator('.part.sidebar').isVisible();
    await this.page.keyboard.press('Control+B');
    await this.page.locator('.part.sidebar').waitFor({ state: visible ? 'hidden' : 'visible' });
  }

  /** A rectangle of a picture's size around the middle of the top of an element. */
  async around(selector: string, width: number, height: number, above: number): Promise<Part> {
    const box = await this.#box(selector);
    const x = Math.max(0, Math.min(window.width - width, box.x + box.width / 2 - width / 2));
    const y = Math.max(0, Math.min(window.height - height, box.y - above));
    return { x: Math.round(x), y: Math.round(y), width, height };
  }

  /** Makes the side bar so wide. */
  async widen(width: number): Promise<void> {
    const { x, y, width: now, height } = await this.#box('.part.sidebar');
    const { mouse } = this.page;
    await mouse.move(x + now, y + height / 2);
    await mouse.down();
    await mouse.move(x + width, y + height / 2, { steps: 5 });
    await mouse.up();
    await this.away();
  }

  async #box(selector: string): Promise<Part> {
    const box = await this.page.locator(selector).first().boundingBox();
    if (!box) throw new Error(`${selector} is not in view.`);
    return box;
  }
}

function keyOf(name: keyof typeof commands): string {
  return `Control+Alt+F${Object.keys(commands).indexOf(name) + 1}`;
}

function keyBindings(folder: string): object[] {
  return Object.entries(commands).map(([name, how]) => ({
    key: keyOf(name as keyof typeof commands)
      .replace('Control', 'ctrl')
      .toLowerCase(),
    command: `worktreeStacks.${typeof how === 'string' ? how : name}`,
    ...(typeof how === 'string' ? {} : { args: { ...how, repository: folder } }),
  }));
}

/** Opens the sample in a workbench of a look, and gives it with what closes it. */
export async function openStage(
  browser: Browser,
  look: keyof typeof colours,
): Promise<{ readonly stage: Stage; close(): Promise<void> }> {
  const server = await ensureServer();
  const place = await makePlace(`pictures-${look}`, {
    'workbench.colorTheme': colours[look],
    'window.title': 'orchard',
    'workbench.layoutControl.enabled': false,
    'editor.minimap.enabled': false,
    'worktreeStacks.notify': 'off',
  });
  await installVsix(server, place, await packagedVsix());
  const tour = join(place.work, 'tour');
  await makeTour(tour, place.env, moment);
  const { folder } = tourFolders(tour);
  const github = await startGitHub(tour, place.env);
  await pointTour(tour, github.address);
  await mkdir(join(place.userData, 'User'), { recursive: true });
  await writeFile(join(place.userData, 'User/keybindings.json'), JSON.stringify(keyBindings(folder)));
  note(folder, 'search', 'PermissionRequest', 'Bash');
  note(folder, 'gift-cards', 'Stop');
  // The commits that a restack would make have names of their own in its preview, and those depend on the date.
  const date = new Date(moment).toISOString();
  const running = await startCodeServer(server, place, { env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } });
  const context = await browser.newContext({ viewport: window, deviceScaleFactor: scale });
  const page = await context.newPage();
  const workbench = new Workbench(page);
  const close = async (): Promise<void> => {
    await context.close();
    await running.stop();
    await github.stop();
    await place.remove();
  };
  try {
    await page.goto(workbenchUrl(running.authority, { folder }));
    await workbench.ready();
    // A tooltip may stay where the mouse has been.
    await page.addStyleTag({ content: '.workbench-hover-container { display: none }' });
    return { stage: new Stage(workbench), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Writes what the hooks of an agent in a worktree would. This process stands for Claude Code. */
function note(folder: string, worktree: string, event: string, tool?: string): void {
  const common = {
    ...{ decision: 'none' as const, session: `session of ${worktree}`, worktree, agent: `wt-${worktree}` },
    client: { pid: process.pid, host: hostname() },
  };
  const gitDir = join(folder, '.git');
  appendToLog(gitDir, { at: new Date().toISOString(), event: 'UserPromptSubmit', ...common });
  appendToLog(gitDir, { at: new Date().toISOString(), event, ...(tool === undefined ? {} : { tool }), ...common });
}
