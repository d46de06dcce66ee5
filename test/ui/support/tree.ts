import type { Locator, Page } from 'playwright-core';
import { eventually, matches, patience } from './eventually.ts';

/** A tree row as a screen reader meets it. */
export interface TreeRow {
  /** The accessible name. */
  readonly name: string;
  readonly level: number;
  /** undefined for a row that cannot be expanded. */
  readonly expanded?: boolean;
  /** What is written on it: label and description. */
  readonly text: string;
}

/** A tree view, found by its accessible name (the view's title). Rows are found by their accessible names. */
export class Tree {
  readonly #page: Page;
  readonly #name: string;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
  }

  get #locator(): Locator {
    return this.#page.getByRole('tree', { name: this.#name });
  }

  /** The rows that are there now (only those scrolled into view exist in VS Code's lists). */
  async rows(): Promise<TreeRow[]> {
    // Asked again and again, so it looks at the trees alone: to find rows by their role takes the whole window each time.
    return this.#page.locator('[role=tree]:visible').evaluateAll(
      (trees, name) =>
        trees
          .filter((tree) => tree.getAttribute('aria-label')?.toLowerCase().includes(name))
          .flatMap((tree) => [...tree.querySelectorAll('[role=treeitem]')])
          .map((item) => {
            const expanded = item.getAttribute('aria-expanded');
            return {
              name: item.getAttribute('aria-label') ?? '',
              level: Number(item.getAttribute('aria-level')),
              ...(expanded === null ? {} : { expanded: expanded === 'true' }),
              text: (item.textContent ?? '').trim(),
            };
          }),
      this.#name.toLowerCase(),
    );
  }

  /** Waits until the rows satisfy a condition, and gives them. */
  async until(what: string, accept: (rows: TreeRow[]) => boolean, deadline: number = patience): Promise<TreeRow[]> {
    return eventually(`the tree ${this.#name}: ${what}`, () => this.rows(), accept, deadline);
  }

  /** Waits for a row. */
  async waitForRow(name: string | RegExp): Promise<TreeRow> {
    const rows = await this.until(`has a row ${String(name)}`, (all) => all.some((row) => matches(row.name, name)));
    const row = rows.find((each) => matches(each.name, name));
    if (!row) throw new Error(`The row ${String(name)} went away.`);
    return row;
  }

  /** Waits until no row is named so. */
  async waitForNoRow(name: string | RegExp): Promise<void> {
    await this.until(`has no row ${String(name)}`, (all) => !all.some((row) => matches(row.name, name)));
  }

  /** The row's element, for what this class does not offer. */
  async row(name: string | RegExp): Promise<Locator> {
    const { name: full } = await this.waitForRow(name);
    return this.#locator
      .getByRole('treeitem')
      .and(this.#page.locator(`[aria-label=${JSON.stringify(full)}]`))
      .first();
  }

  /**
   * The row's element once the rows stand still. A person does not click at what is still moving; a click aimed at a row that moves
   * meanwhile meets another one, because VS Code uses the elements of its rows again.
   */
  async #steadyRow(name: string | RegExp): Promise<Locator> {
    // The tooltip of another row may lie over it; it goes when the pointer leaves.
    await this.#page.mouse.move(1, 1);
    let before = '';
    let same = 0;
    await this.until(`stands still with a row ${String(name)}`, (rows) => {
      const now = JSON.stringify(rows.map((row) => [row.name, row.level]));
      same = now === before ? same + 1 : 0;
      before = now;
      return same >= 3 && rows.some((row) => matches(row.name, name));
    });
    return this.row(name);
  }

  /** Clicks a row, as one does to select or open it. */
  async click(name: string | RegExp): Promise<void> {
    await (await this.#steadyRow(name)).click();
  }

  /** Clicks a row while Ctrl is held, so that it is selected beside others, or no more. */
  async addToSelection(name: string | RegExp): Promise<void> {
    await (await this.#steadyRow(name)).click({ modifiers: ['Control'] });
  }

  /** Expands a row. */
  async expand(name: string | RegExp): Promise<void> {
    await this.#turn(name, true);
  }

  /** Collapses a row. */
  async collapse(name: string | RegExp): Promise<void> {
    await this.#turn(name, false);
  }

  async #turn(name: string | RegExp, expanded: boolean): Promise<void> {
    if ((await this.waitForRow(name)).expanded === expanded) return;
    // The arrow before the row: a click on the row itself could run its command. It has no role of its own.
    await (await this.#steadyRow(name)).locator('.monaco-tl-twistie').click();
    await this.until(`${String(name)} is ${expanded ? 'expanded' : 'collapsed'}`, (all) =>
      all.some((row) => matches(row.name, name) && row.expanded === expanded),
    );
  }

  /**
   * Points at a row until its tooltip shows something. Drawing the row anew closes its tooltip: a person would point at it once more.
   *
   * @param shown what must be seen, anywhere in the window.
   */
  async pointAt(name: string | RegExp, shown: Locator): Promise<void> {
    await eventually(
      `the tooltip of ${String(name)}`,
      async () => {
        await this.#page.mouse.move(700, 400);
        await (await this.row(name)).hover();
        return shown.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        );
      },
      Boolean,
    );
  }

  /** Opens a row's context menu until it has these items: that of a row is another a moment after more rows were selected. */
  async openContextMenuOf(name: string | RegExp, items: readonly string[]): Promise<void> {
    await eventually(
      `the menu of ${String(name)} has ${items.length} items`,
      async () => {
        const shown = await this.openContextMenu(name);
        if (JSON.stringify(shown) !== JSON.stringify(items)) await this.#page.keyboard.press('Escape');
        return shown;
      },
      (shown) => JSON.stringify(shown) === JSON.stringify(items),
    );
  }

  /** Opens a row's context menu and gives the titles of its items. */
  async openContextMenu(name: string | RegExp): Promise<string[]> {
    for (const end = Date.now() + patience; ;) {
      await (await this.#steadyRow(name)).click({ button: 'right' });
      const items = await menuItems(this.#page);
      // The row that the menu belongs to has the focus: another one if the rows moved in the very moment of the click.
      const focused = await this.#locator.locator('[role=treeitem].focused').first().getAttribute('aria-label');
      if (focused !== null && matches(focused, name)) return items;
      if (Date.now() > end) throw new Error(`The menu is that of the row ${focused}, not of ${String(name)}.`);
      await this.#page.keyboard.press('Escape');
    }
  }

  /** Picks an item of a row's context menu, the last of the path; those before it are submenus. */
  async pickFromContextMenu(name: string | RegExp, ...path: [string, ...string[]]): Promise<void> {
    await this.openContextMenu(name);
    for (const submenu of path.slice(0, -1)) await openSubmenu(this.#page, submenu);
    const item = path.at(-1) ?? '';
    // By what is written on it: its accessible name has the key binding behind it.
    const choice = this.#page
      .getByRole('menuitem')
      .filter({ has: this.#page.locator('.action-label').getByText(item, { exact: true }) })
      .or(this.#page.getByRole('menuitem', { name: item, exact: true }))
      .first();
    // A menu that has just opened ignores the mouse for a moment, so that the click that opened it does not choose.
    await eventually(
      `the menu takes ${item}`,
      async () => {
        await choice.click({ timeout: 1000 }).catch(() => undefined);
        return choice.isVisible();
      },
      (visible) => !visible,
    );
  }

  /** Drags a row onto another one, as a person does: the mouse goes over it before it is let go. */
  async dragOnto(name: string | RegExp, onto: string | RegExp): Promise<void> {
    const { mouse } = this.#page;
    const target = await this.row(onto);
    await (await this.row(name)).hover();
    await mouse.down();
    const box = await target.boundingBox();
    if (!box) throw new Error(`The row ${String(onto)} is not in view.`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    // The first moves begin the drag, the last ones tell the row what is over it.
    await mouse.move(x, y, { steps: 10 });
    await mouse.move(x + 2, y, { steps: 2 });
    await mouse.up();
  }

  /** The names of a row's inline actions (shown on hover). */
  async inlineActions(name: string | RegExp): Promise<string[]> {
    const row = await this.#steadyRow(name);
    await row.hover();
    return row.getByRole('button').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
  }

  /** Presses a row's inline action. */
  async pressInlineAction(name: string | RegExp, action: string | RegExp): Promise<void> {
    for (const end = Date.now() + patience; ;) {
      const row = await this.#steadyRow(name);
      await row.hover();
      try {
        return await row.getByRole('button', { name: action }).click({ timeout: 3000 });
      } catch (thrown) {
        // The row was drawn anew, perhaps with another name, before it could be pressed: a person would aim again.
        if (Date.now() > end) throw thrown;
      }
    }
  }
}

/** Opens a submenu of the menu that is open, and gives the titles of its items. */
export async function openSubmenu(page: Page, name: string): Promise<string[]> {
  const menus = page.getByRole('menu');
  const before = await menus.count();
  const item = menus.last().getByRole('menuitem', { name, exact: true });
  // A menu that has just opened ignores the mouse for a moment.
  await eventually(
    `the submenu ${name} opens`,
    async () => {
      await item.hover({ timeout: 1000 }).catch(() => undefined);
      return menus.count();
    },
    (count) => count > before,
  );
  return menuItems(page);
}

/** The titles of the items of the menu that is open, without their key bindings. */
async function menuItems(page: Page): Promise<string[]> {
  const items = page.getByRole('menu').last().getByRole('menuitem');
  await items.first().waitFor({ timeout: patience });
  return items.evaluateAll((all) =>
    all.map((each) => (each.querySelector('.action-label')?.textContent ?? each.textContent ?? '').trim()),
  );
}
