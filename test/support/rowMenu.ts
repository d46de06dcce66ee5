/** An entry of a menu, as the manifest has it. */
interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group: string;
}

/** The part of the manifest that says what rows have. */
export interface Menus {
  readonly contributes: { readonly menus: Readonly<Record<string, readonly Entry[]>> };
}

/** What a row has beside its label: buttons and the entries of its menu, those of submenus behind their title. */
export interface RowMenu {
  readonly inline: readonly string[];
  readonly menu: readonly string[];
}

/**
 * The buttons and the menu of a row of the Worktrees view, in the order of their groups.
 *
 * @param flags the `contextValue` of the row.
 * @param keys the context keys that are set, by their names.
 */
export function menuOfRow(
  { contributes: { menus } }: Menus,
  flags: string,
  keys: Readonly<Record<string, string>> = {},
): RowMenu {
  const known = { view: 'worktreeStacks.worktrees', ...keys };
  const shown = (menus['view/item/context'] ?? []).filter(({ when = 'true' }) => holds(when, flags, known));
  const sorted = shown.toSorted((one, other) => placeOf(one) - placeOf(other));
  const names = (entries: readonly Entry[], before = ''): string[] =>
    entries.flatMap(({ command = '', submenu }) => {
      if (submenu === undefined) return [before + shortOf(command)];
      const below = (menus[submenu] ?? []).filter(({ when = 'true' }) => holds(when, flags, known));
      return names(below, `${shortOf(submenu)} > `);
    });
  return {
    inline: names(sorted.filter(({ group }) => group.startsWith('inline'))),
    menu: names(sorted.filter(({ group }) => !group.startsWith('inline'))),
  };
}

const shortOf = (id: string): string => id.replace('worktreeStacks.', '');

/** Groups stand in the order of their first digit, and entries in them in that behind the `@`. */
function placeOf({ group }: Entry): number {
  const [, digit = '0', order = '0'] = /^(\d*)[^@]*@(-?\d+)$/.exec(group) ?? [];
  return Number(digit) * 100 + Number(order);
}

/** Whether a condition of the manifest holds: `=~`, `==`, `!=`, `!`, `&&`, `||` and brackets, as VS Code reads them. */
function holds(when: string, flags: string, keys: Readonly<Record<string, string>>): boolean {
  let rest = when
    .replaceAll(/viewItem =~ \/(.*?)\/(?=[ )]|$)/g, (_, pattern: string) => String(new RegExp(pattern).test(flags)))
    .replaceAll(/([\w.]+) == '?([\w.]+)'?/g, (_, key: string, value: string) => String(keys[key] === value))
    .replaceAll(/([\w.]+) != '?([\w.]+)'?/g, (_, key: string, value: string) => String(keys[key] !== value))
    .replaceAll(/(?<![\w.])(?!true\b|false\b)[a-zA-Z][\w.]*/g, (key) => String(keys[key] !== undefined));
  for (let last = ''; last !== rest;) {
    last = rest;
    rest = rest
      .replaceAll(/\((true|false)\)/g, '$1')
      .replaceAll('!true', 'false')
      .replaceAll('!false', 'true')
      .replace(/(true|false) && (true|false)/, (_, one, other) => String(one === 'true' && other === 'true'));
    if (!rest.includes(' && '))
      rest = rest.replace(/(true|false) \|\| (true|false)/, (_, one, other) =>
        String(one === 'true' || other === 'true'),
      );
    else
      rest = rest.replace(/\((true|false) \|\| (true|false)\)/, (_, one, other) =>
        String(one === 'true' || other === 'true'),
      );
  }
  if (rest !== 'true' && rest !== 'false') throw new Error(`not understood: ${when} (${rest})`);
  return rest === 'true';
}
