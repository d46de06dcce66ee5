// `npm run docs`: writes the tables of the docs that repeat what the sources say: commands and options of `wt`, commands and settings of the
// extension. Each stands between two comments; test/package/reference.test.ts fails while one is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { root } from './lib/install.mjs';

/**
 * @typedef {{ syntax: string, description: string }} Word
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
  const file = pathToFileURL(join(root, 'src/cli/definitions/catalogue.ts')).href;
  const { catalogue } = /** @type {{ catalogue: CommandDefinition[] }} */ (await import(file));
  const rows = catalogue
    .filter(({ group }) => group !== undefined)
    .map(({ name, aliases = [], words = [], options = [], summary }) => [
      [`wt ${[name, ...words.map(({ syntax }) => syntax)].join(' ')}`, ...aliases.map((alias) => `wt ${alias}`)]
        .map((each) => `\`${each}\``)
        .join(', '),
      summary,
      options.map(({ syntax }) => `\`${syntax}\``).join(' '),
    ]);
  return table(['command', 'what it does', 'options'], rows);
}

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
      commands.map(({ command, title }) => [`\`${command}\``, resolved(title)]),
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

/**
 * The docs with tables in them, as they are and as they should be.
 * @returns {Promise<{ file: string, before: string, after: string }[]>}
 */
export async function references() {
  const extension = await extensionTables();
  /** @type {[file: string, tables: Record<string, string>][]} */
  const docs = [
    ['docs/cli.md', { commands: await wtCommands() }],
    ['docs/extension.md', extension],
  ];
  return Promise.all(
    docs.map(async ([file, tables]) => {
      const before = await readFile(join(root, file), 'utf8');
      let after = before;
      for (const [name, text] of Object.entries(tables)) {
        const place = new RegExp(`(<!-- ${name}: [^>]*-->\n)[^]*?(\n<!-- end of ${name} -->)`);
        if (!place.test(before)) throw new Error(`${file} has no place for the table of ${name}.`);
        after = after.replace(place, (_, start, end) => `${start}\n${text}\n${end}`);
      }
      return {
        file,
        before,
        after: await format(after, { parser: 'markdown' }),
      };
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { file, before, after } of await references()) {
    if (before !== after) await writeFile(join(root, file), after);
  }
}
