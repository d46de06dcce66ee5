import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/lib/install.mjs';

interface Menu {
  readonly command?: string;
  readonly submenu?: string;
}
interface Contributes {
  readonly commands?: readonly { command: string; title: string; category?: string }[];
  readonly menus?: Readonly<Record<string, readonly Menu[]>>;
  readonly submenus?: readonly { id: string; label: string }[];
  readonly keybindings?: readonly { command: string }[];
  readonly views?: Readonly<Record<string, readonly { id: string; name: string }[]>>;
  readonly viewsContainers?: Readonly<Record<string, readonly { id: string }[]>>;
  readonly viewsWelcome?: readonly { view: string; contents: string }[];
}
interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly contributes?: Contributes;
}

const text = await readFile(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const nls = JSON.parse(await readFile(join(root, 'package.nls.json'), 'utf8')) as Record<string, unknown>;
const {
  commands = [],
  menus = {},
  submenus = [],
  keybindings = [],
  views = {},
  viewsContainers = {},
  viewsWelcome = [],
} = manifest.contributes ?? {};
const ids = new Set(commands.map(({ command }) => command));
const viewIds = new Set(Object.values(views).flatMap((each) => each.map(({ id }) => id)));

/** Commands and containers that VS Code brings along may be named without being contributed here. */
const own = (id: string) => id.startsWith('worktreeStacks.');

describe('the manifest', () => {
  it('titles every command through %keys%, with a category', () => {
    const bare = commands.filter(({ title, category }) => !/^%.+%$/.test(title) || !category);
    assert.deepEqual(bare, []);
  });

  it('has each of its keys once: of two the last one counts, without a word', () => {
    const keys = [...text.matchAll(/^ {2}"(\w+)":/gm)].map(([, key]) => key);
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    );
  });

  it('contributes no command twice', () => {
    assert.equal(ids.size, commands.length);
  });

  it('names only commands that exist in menus and key bindings', () => {
    const named = [...Object.values(menus).flat(), ...keybindings].flatMap(({ command }) => (command ? [command] : []));
    assert.deepEqual(
      named.filter((command) => own(command) && !ids.has(command)),
      [],
    );
  });

  it('names only submenus that exist', () => {
    const known = new Set(submenus.map(({ id }) => id));
    const named = Object.values(menus).flatMap((items) => items.flatMap(({ submenu }) => (submenu ? [submenu] : [])));
    assert.deepEqual(
      named.filter((submenu) => !known.has(submenu)),
      [],
    );
  });

  it('puts its views into containers that exist, and welcomes into views that exist', () => {
    const containers = new Set(Object.values(viewsContainers).flatMap((each) => each.map(({ id }) => id)));
    const builtIn = ['explorer', 'scm', 'debug', 'test', 'remote'];
    assert.deepEqual(
      Object.keys(views).filter((container) => !containers.has(container) && !builtIn.includes(container)),
      [],
    );
    assert.deepEqual(
      viewsWelcome.map(({ view }) => view).filter((view) => own(view) && !viewIds.has(view)),
      [],
    );
  });

  it('links only to commands that exist from its welcomes', () => {
    const contents = viewsWelcome.map((welcome) => resolve(welcome.contents)).join('\n');
    const named = [...contents.matchAll(/command:([\w.]+)/g)].flatMap((match) => match[1] ?? []);
    assert.deepEqual(
      named.filter((command) => own(command) && !ids.has(command)),
      [],
    );
  });

  it('asks in its conditions only for views that exist', () => {
    const asked = [...text.matchAll(/\bview\s*==\s*'?([\w.]+)/g)].flatMap((match) => match[1] ?? []);
    assert.deepEqual(
      asked.filter((view) => own(view) && !viewIds.has(view)),
      [],
    );
  });

  it('minds in its conditions on the end of a row that several are selected together', () => {
    const ends = [...text.matchAll(/viewItem =~ \/([^" ]*)\$\//g)].map(([, pattern = '']) => pattern);
    assert.ok(ends.length > 50, `only ${ends.length} were found`);
    assert.deepEqual(
      ends.filter((pattern) => !/(?:;together|\(;together\)\?)$/.test(pattern)),
      [],
    );
  });

  it('has a text for every %key%, and no text that nothing uses', () => {
    const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    assert.deepEqual(
      [...used].filter((key) => key === undefined || !(key in nls)),
      [],
      'missing in package.nls.json',
    );
    assert.deepEqual(
      Object.keys(nls).filter((key) => !used.has(key)),
      [],
      'unused in package.nls.json',
    );
  });

  it('points to programs that were built', () => {
    const programs = [manifest.main, ...Object.values(manifest.bin)];
    assert.deepEqual(
      programs.filter((program) => !existsSync(join(root, program))),
      [],
    );
  });

  it('has code for every command, and no code for a command that it does not have', async () => {
    const table = await readFile(join(root, 'src/extension/commands/index.ts'), 'utf8');
    const coded = [...table.matchAll(/^ {2}'(worktreeStacks\.\w+)':/gm)].flatMap(([, id]) => id ?? []);
    const inMenusOfRows = [...ids].filter((id) => id.includes('.row.'));
    assert.deepEqual(coded.toSorted(), [...ids].filter((id) => !inMenusOfRows.includes(id)).toSorted());
    const strays = inMenusOfRows.filter((id) => !coded.includes(id.replace('.row.', '.')));
    assert.deepEqual(strays, [], 'no command has these with a longer title');
  });

  it('decides for every command whether the palette offers it', () => {
    const decided = new Set((menus['commandPalette'] ?? []).map(({ command }) => command));
    const always = [...ids].filter((id) => !decided.has(id));
    assert.deepEqual(
      always,
      ['worktreeStacks.getStarted', 'worktreeStacks.showLog'],
      'without a line in commandPalette',
    );
  });

  it("has the version of CHANGELOG's newest section", async () => {
    const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
    const newest = /^## \[?v?(\d+\.\d+\.\d+)/m.exec(changelog)?.[1];
    assert.equal(newest, manifest.version);
  });
});

function resolve(value: string): string {
  const key = /^%(.+)%$/.exec(value)?.[1];
  const found = key === undefined ? value : nls[key];
  return typeof found === 'string' ? found : '';
}
