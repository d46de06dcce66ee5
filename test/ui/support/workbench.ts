import { errors, type Locator, type Page } from 'playwright-core';
import { screenshot } from '../../support/launch/browser.ts';
import { eventually, matches, patience } from './eventually.ts';
import { isLabel, QuickInput, type QuickInputState } from './quickInput.ts';
import { Tree } from './tree.ts';

/** VS Code's window as a person uses it. Everything is found by role and accessible name. */
export class Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;

  constructor(page: Page) {
    this.page = page;
    this.quickInput = new QuickInput(page);
  }

  /** Waits until the window is there and its extensions have been started. */
  async ready(): Promise<void> {
    await this.#activityBar().waitFor({ timeout: 2 * patience });
  }

  /** Waits until the rows of a view have the focus, as they have it again after a click has shown what a worktree changed. */
  async rowsHaveFocus(): Promise<void> {
    await eventually(
      'the rows have the focus',
      () => this.page.evaluate(() => document.activeElement?.closest('.pane-body .monaco-list') !== null),
      (have) => have,
    );
  }

  /**
   * Runs a command by its full title ("Category: Title") from the palette. The palette lists what was enabled when it was
   * opened, so it is opened anew until the command is there.
   */
  async runCommand(title: string): Promise<void> {
    let seen: QuickInputState | undefined;
    for (const end = Date.now() + patience; Date.now() < end;) {
      await this.#openPalette(title);
      const offered = await this.#settled(title);
      if (offered.rows.some((row) => isLabel(row, title))) return this.quickInput.pick(title);
      seen = offered;
      if (offered.open) await this.quickInput.cancel();
    }
    throw new Error(`The palette does not offer "${title}". Last seen: ${JSON.stringify(seen, null, 2)}`);
  }

  /** What the palette offers for a text; closes it again. */
  async commandsOffered(text: string): Promise<readonly string[]> {
    await this.#openPalette(text);
    let { rows, open } = await this.#settled(text);
    while (!open) {
      await this.#openPalette(text);
      ({ rows, open } = await this.#settled(text));
    }
    await this.quickInput.cancel();
    // Each says "Category: Title, recently used" or the like; what is only similar to the text is no answer.
    return rows.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  }

  /** What the palette lists once it has answered to the text: it filters a moment after the last key. */
  async #settled(text: string): Promise<QuickInputState> {
    let before = '';
    let same = 0;
    return eventually(
      `the palette answers to ${text}`,
      () => this.quickInput.state(),
      (state) => {
        const now = JSON.stringify(state);
        same = now === before ? same + 1 : 0;
        before = now;
        // What takes the keyboard once it is open closes it as well.
        return same >= 4 && (!state.open || (state.value === `>${text}` && state.rows.length > 0));
      },
    );
  }

  /** Whatever takes the keyboard in that moment, a row that is revealed for example, closes it: then it is opened again. */
  async #openPalette(text: string): Promise<void> {
    const shortly = { timeout: 5_000 };
    for (let left = 5; ; left--) {
      try {
        await this.page.keyboard.press('F1');
        await this.page.getByPlaceholder('Type the name of a command to run.').waitFor(shortly);
        return await this.quickInput.type(`>${text}`, shortly);
      } catch (thrown) {
        if (left === 0 || !(thrown instanceof errors.TimeoutError)) throw thrown;
      }
    }
  }

  /** The panel below has a switcher of the same name, and comes later. */
  #activityBar(): Locator {
    return this.page.getByRole('tablist', { name: 'Active View Switcher' }).first();
  }

  /** Opens a view container by its name in the activity bar. */
  async openContainer(name: string): Promise<void> {
    const tab = this.#activityBar().getByRole('tab', { name: containerName(name) });
    await tab.waitFor({ timeout: patience });
    const heading = this.page.getByRole('heading', { level: 2, name }).first();
    // A click on the one that is open would close the side bar, and a window that was loaded again may be about to open it.
    for (let left = 3; ; left--) {
      if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
      const seen = heading.waitFor({ timeout: patience / 3 }).then(
        () => true,
        (thrown: unknown) => {
          if (left === 1) throw thrown;
          return false;
        },
      );
      if (await seen) return;
    }
  }

  /** Waits until a view container is the one that is open, without opening it. */
  async containerShown(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 2, name }).first().waitFor({ timeout: patience });
  }

  /** Presses the button of VS Code's git in the merge editor, which stages the result and closes the editor. */
  async completeMerge(): Promise<void> {
    // On a busy machine the editor is closed before its own save has ended, and VS Code asks whether to save.
    await this.runCommand('File: Save');
    await this.page.getByRole('button', { name: 'Complete Merge' }).click({ timeout: patience });
  }

  /** The names in the activity bar, without key bindings. */
  async containers(): Promise<string[]> {
    const tabs = this.#activityBar().getByRole('tab');
    const names = await tabs.evaluateAll((all) =>
      // The name stands on the tab's icon until the tab was hovered.
      all.map(
        (each) =>
          each.getAttribute('aria-label') || each.querySelector('[aria-label]')?.getAttribute('aria-label') || '',
      ),
    );
    return names.map((name) => name.replace(/ \(.*\)$|( - .*)$/, ''));
  }

  /** A tree view by its name, e.g. "Worktrees". */
  tree(name: string): Tree {
    return new Tree(this.page, name);
  }

  /** Presses an action in the title of a view. One that shares its container must be named, as its actions show on hover. */
  async pressViewAction(action: string | RegExp, view?: string): Promise<void> {
    if (view !== undefined)
      await this.page.getByRole('button', { name: `${view} Section` }).hover({ timeout: patience });
    const button = this.page.getByRole('toolbar', { name: /actions$/ }).getByRole('button', { name: action });
    await button.first().click({ timeout: patience });
  }

  /** Waits for a text of a view without rows (its welcome content), gives the element. */
  async welcome(wanted: string | RegExp): Promise<Locator> {
    const text = this.page.getByText(wanted).first();
    await text.waitFor({ timeout: patience });
    return text;
  }

  /** The accessible names of the notifications that are shown. */
  async notifications(): Promise<string[]> {
    const toasts = this.#notifications();
    return toasts.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''));
  }

  #notifications(): Locator {
    return this.page.locator('[role=dialog][aria-label*=", notification"]');
  }

  /** Waits for a notification and gives its text. */
  async notification(wanted: string | RegExp): Promise<string> {
    const all = await eventually(
      `a notification says ${String(wanted)}`,
      () => this.notifications(),
      (texts) => texts.some((text) => matches(text, wanted)),
    );
    return all.find((text) => matches(text, wanted)) ?? '';
  }

  /** The buttons of a notification, in the order in which they are read: the one that is told apart by its colour first. */
  async notificationButtons(wanted: string | RegExp): Promise<string[]> {
    await this.notification(wanted);
    const buttons = this.#notifications().filter({ hasText: wanted }).first().locator('.monaco-button');
    return buttons.evaluateAll((all) =>
      all.map((each) => each.textContent?.trim() ?? '').filter((text) => text !== ''),
    );
  }

  /** Presses a button of a notification. */
  async pressInNotification(wanted: string | RegExp, button: string): Promise<void> {
    await this.notification(wanted);
    await this.#notifications().filter({ hasText: wanted }).first().getByRole('button', { name: button }).click();
  }

  /** Waits for a modal dialog, gives its text. */
  async dialog(wanted: string | RegExp = ''): Promise<string> {
    const box = this.page.locator('[role=dialog][aria-modal=true]');
    return eventually(
      `a dialog says ${String(wanted)}`,
      async () => ((await box.count()) > 0 ? await box.first().innerText() : ''),
      (text) => text !== '' && matches(text, wanted),
    );
  }

  /** Presses a button of the modal dialog. */
  async pressInDialog(button: string): Promise<void> {
    const box = this.page.locator('[role=dialog][aria-modal=true]');
    await box.getByRole('button', { name: button, exact: true }).click({ timeout: patience });
    await box.waitFor({ state: 'detached', timeout: patience });
  }

  /** The accessible names of the status bar's items. */
  async statusBar(): Promise<string[]> {
    const items = this.page.getByRole('status').getByRole('button');
    return items.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''));
  }

  /** Waits for a status bar item, gives its accessible name. */
  async statusBarItem(wanted: string | RegExp): Promise<string> {
    const all = await eventually(
      `the status bar has ${String(wanted)}`,
      () => this.statusBar(),
      (items) => items.some((item) => matches(item, wanted)),
    );
    return all.find((item) => matches(item, wanted)) ?? '';
  }

  /** Clicks a status bar item. */
  async clickStatusBarItem(wanted: string | RegExp): Promise<void> {
    const name = await this.statusBarItem(wanted);
    await this.page
      .getByRole('status')
      .getByRole('button')
      .and(this.page.locator(`[aria-label=${JSON.stringify(name)}]`))
      .first()
      .click();
  }

  /** The titles of the open editors. */
  async editors(): Promise<string[]> {
    const tabs = this.page.getByRole('main').getByRole('tab');
    return tabs.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
  }

  /** Waits until an editor is open, gives its tab's accessible name. */
  async editor(wanted: string | RegExp): Promise<string> {
    const all = await eventually(
      `an editor ${String(wanted)} is open`,
      () => this.editors(),
      (names) => names.some((name) => matches(name, wanted)),
    );
    return all.find((name) => matches(name, wanted)) ?? '';
  }

  /** Opens a file by its name, as a person does from the list of files. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    await this.quickInput.shows(/Search files by name/);
    await this.quickInput.type(name);
    await this.quickInput.shows(name);
    await this.quickInput.accept();
  }

  /** Types a command into a new terminal. What it did is seen on the disk: a terminal's text is drawn, not written. */
  async runInTerminal(command: string): Promise<void> {
    await this.runCommand('Terminal: Create New Terminal');
    const terminal = this.page.getByRole('textbox', { name: /^Terminal \d/ }).last();
    await terminal.waitFor({ state: 'attached', timeout: patience });
    await terminal.focus();
    await this.page.keyboard.type(command);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses a colour theme by its name, and waits until the window looks so (`vs`, `vs-dark`, `hc-black`, `hc-light`). */
  async chooseTheme(theme: string, look: string): Promise<void> {
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.shows('Select Color Theme');
    await this.quickInput.type(theme);
    await this.quickInput.pick(theme);
    await this.quickInput.closes();
    await this.page.locator(`.monaco-workbench.${look}`).waitFor();
  }

  /** Gives the side bar a width in pixels, by dragging its edge. */
  async narrow(width: number): Promise<void> {
    const sideBar = this.page.locator('[id="workbench.parts.sidebar"]');
    const box = await sideBar.boundingBox();
    if (!box) throw new Error('The side bar is not shown.');
    const [edge, middle] = [box.x + box.width, box.y + box.height / 2];
    await this.page.mouse.move(edge, middle);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, middle, { steps: 10 });
    await this.page.mouse.up();
    // The rows show their buttons while the mouse is over them.
    await this.page.mouse.move(edge + 300, middle);
    await eventually(
      `the side bar is ${width} pixels wide`,
      async () => (await sideBar.boundingBox())?.width ?? 0,
      (now) => Math.abs(now - width) < 8,
    );
  }

  /** Takes a picture to artifacts/screenshots/NAME.png. */
  async screenshot(name: string): Promise<string> {
    return screenshot(this.page, name);
  }
}

/** The tab of a container: its name alone, or with a key binding or a badge behind it. */
function containerName(name: string): RegExp {
  return new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}( \\(| - |$)`);
}
