// `npm run generate`: writes what repeats a list of the sources: the tables of the docs (commands and options of `wt`, commands and settings of
// the extension, each between two comments) and what the guards know of the command line of `wt`. test/package/reference.test.ts fails while
// one is out of date. It exports the texts for translators as well.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { node24, root } from './lib/install.mjs';
import { must } from './lib/processes.mjs';

/**
 * @typedef {{ syntax: string, short?: string, description: string }} Word
 * @typedef {{ name: string, group?: string, aliases?: string[], summary: string, words?: Word[], options?: Word[] }} CommandDefinition
 */

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
function table(heads, rows) {
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

async function wtCommands() {
  /** @type {CommandDefinition[]} */
  const catalogue = (await source('src/cli/definitions/catalogue.ts'))['catalogue'];
  const rows = catalogue
    .filter(({ group }) => group !== undefined)
    .map(({ name, aliases = [], words = [], options = [], summary }) => [
      [`wt ${[name, ...words.map(({ syntax }) => syntax)].join(' ')}`, ...aliases.map((alias) => `wt ${alias}`)]
        .map((each) => `\`${each}\``)
        .join(', '),
      summary,
      options.map(({ syntax, short }) => `\`${short === undefined ? '' : `${short}, `}${syntax}\``).join(' '),
    ]);
  return table(['command', 'what it does', 'options'], rows);
}

const guards = 'src/core/claude/guard/commands/wtTable.ts';

async function extensionTables() {
  /** @param {string} name */
  const json = async (name) => JSON.parse(await readFile(join(root, name), 'utf8'));
  const [{ contributes }, nls] = await Promise.all([json('package.json'), json('package.nls.json')]);
  /** @param {string} text */
  const resolved = (text) => text.replace(/^%(.+)%$/, (_, key) => nls[key]);
  /** @type {{ command: string, title: string }[]} */
  const commands = contributes.commands;
  /** @type {Record<string, { default: unknown, description?: string, markdownDescription?: string }>} */
  const settings = contributes.configuration.properties;
  return {
    commands: table(
      ['id', 'title'],
      // Those of the menus of rows are others with shorter titles.
      commands
        .filter(({ command }) => !command.includes('.row.'))
        .map(({ command, title }) => [`\`${command}\``, resolved(title)]),
    ),
    settings: table(
      ['setting', 'default', 'meaning'],
      Object.entries(settings).map(([name, { default: value, description, markdownDescription }]) => [
        `\`${name}\``,
        `\`${JSON.stringify(value)}\``,
        resolved(markdownDescription ?? description ?? ''),
      ]),
    ),
  };
}

/** @param {string} file @returns {Promise<Record<string, any>>} */
const source = (file) => import(pathToFileURL(join(root, file)).href);

/**
 * The files with generated parts, as they are and as they should be.
 * @returns {Promise<{ file: string, before: string, after: string }[]>}
 */
export async function references() {
  const extension = await extensionTables();
  /** @type {[file: string, tables: Record<string, string>][]} */
  const docs = [
    ['docs/cli.md', { commands: await wtCommands() }],
    ['docs/extension.md', extension],
  ];
  const { guardTable } = await source('src/cli/guardTable.ts');
  /** @type {[file: string, pattern: RegExp, text: string][]} */
  const parts = [
    ...docs.flatMap(([file, tables]) =>
      Object.entries(tables).map(
        ([name, text]) =>
          /** @type {[string, RegExp, string]} */ ([
            file,
            new RegExp(`(<!-- ${name}: [^>]*-->\n)[^]*?(\n<!-- end of ${name} -->)`),
            `\n${text}\n`,
          ]),
      ),
    ),
    [guards, /(export const wtTable: WtTable = )[^]*?(;\n)/, JSON.stringify(guardTable())],
  ];
  return Promise.all(
    [...docs.map(([file]) => file), guards].map(async (file) => {
      const before = await readFile(join(root, file), 'utf8');
      let after = before;
      for (const [, pattern, text] of parts.filter(([of]) => of === file)) {
        if (!pattern.test(before)) throw new Error(`${file} has no place for what is generated: ${pattern}`);
        after = after.replace(pattern, (_, start, end) => `${start}${text}${end}`);
      }
      return { file, before, after: await format(after, { ...(await resolveConfig(file)), filepath: file }) };
    }),
  );
}

/**
 * Writes the texts that VS Code shows, for translators: those of the extension, and those of the core's messages.
 * @param {string} folder
 */
export async function exportTexts(folder) {
  const exporter = join(root, 'node_modules/@vscode/l10n-dev/dist/cli.js');
  const args = [exporter, 'export', '--outDir', folder, join(root, 'src/extension')];
  await must('The texts could not be exported.', node24, args, { cwd: root });
  const file = join(folder, 'bundle.l10n.json');
  const texts = JSON.parse(await readFile(file, 'utf8'));
  for (const text of await coreTexts()) texts[text] = text;
  await writeFile(file, `${JSON.stringify(texts, undefined, 2)}\n`);
}

/** The rooms whose messages only the terminal shows; a test makes sure that the extension has nothing of them. */
export const terminalRooms = ['database', 'exec'];

/** The English texts of all messages of the core that VS Code may show. */
async function coreTexts() {
  const folder = join(root, 'src/core/messages');
  const names = (await readdir(folder)).filter((name) => !terminalRooms.includes(name.replace('.ts', '')));
  /** @type {string[]} */
  const texts = [];
  for (const name of names.sort()) {
    for (const messages of Object.values(await source(`src/core/messages/${name}`))) {
      for (const { template, editor = template } of Object.values(messages)) {
        if (editor) texts.push(...(typeof editor === 'string' ? [editor] : Object.values(editor)));
      }
    }
  }
  return texts;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { file, before, after } of await references()) {
    if (before !== after) await writeFile(join(root, file), after);
  }
  await exportTexts(join(root, 'l10n'));
}
