// Stands in for the program `duckdb`, with the real engine behind it: the options and the output are those of DuckDB's own documentation. Like
// the real one it takes a line that begins with a dot for a command, unless it is within a statement.
const { DuckDBInstance, version } = require('@duckdb/node-api');

const known = new Set(['-bail', '-batch', '-json', '-readonly']);

async function main(args) {
  if (args.includes('--version')) return void console.log(`${version()} (Variegata) 0123456789`);
  let file = ':memory:';
  let readOnly = false;
  while (args.length > 0) {
    const word = args.shift();
    if (word === '-init') args.shift();
    else if (word === '-readonly') readOnly = true;
    else if (word.startsWith('-') && !known.has(word)) throw new Error(`unknown option: ${word}`);
    else if (!word.startsWith('-')) file = word;
  }
  const instance = await DuckDBInstance.create(file, readOnly ? { access_mode: 'READ_ONLY' } : {});
  const connection = await instance.connect();
  let statement = '';
  for (const line of require('node:fs').readFileSync(0, 'utf8').split('\n')) {
    if (statement.trim() === '' && line.startsWith('.print ')) console.log(line.slice('.print '.length));
    else if (statement.trim() === '' && line.startsWith('.'))
      require('node:fs').writeFileSync(process.env.TEST_DUCKDB_DOTS, line);
    else statement += `${line}\n`;
    if (!isComplete(statement)) continue;
    const reader = await connection.runAndReadAll(statement);
    statement = '';
    const rows = reader.getRowObjectsJson();
    if (reader.columnCount > 0 && rows.length > 0 && !('Count' in rows[0])) console.log(JSON.stringify(rows));
  }
  connection.closeSync();
  instance.closeSync();
}

/** Whether a semicolon ends it, outside of texts. */
function isComplete(statement) {
  return (
    /;\s*$/.test(statement.replaceAll(/[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '')) &&
    (statement.match(/'/g) ?? []).length % 2 === 0
  );
}

main(process.argv.slice(2)).catch((thrown) => {
  console.error(thrown.message);
  process.exit(1);
});
