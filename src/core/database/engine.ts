/** A row as an engine gives it. Numbers that JavaScript cannot hold are texts. */
export type Row = Readonly<Record<string, unknown>>;

/** How a database is opened. */
export interface OpenOptions {
  readonly readOnly?: boolean;
  /** Statements that come before all others, such as those that attach files to a database in memory. */
  readonly setUp?: readonly string[];
  /** How long to wait for a file that another process has open, in milliseconds. Default ten seconds. */
  readonly patience?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An open database. */
export interface Connection {
  /**
   * Runs statements one after the other, and stops at the first that fails.
   *
   * @returns the rows of the last one.
   * @throws EngineFailure with the engine's own words.
   */
  run(statements: readonly string[]): Promise<readonly Row[]>;
  /** Closes the database: what was written is in its file. Never fails. */
  close(): void;
}

/** What runs SQL: the library `@duckdb/node-api`, or the program `duckdb`. */
export interface Engine {
  readonly kind: 'library' | 'program';
  readonly version: string;
  /** The folder or the program that it was loaded from. */
  readonly from: string;
  /**
   * Opens a database; one in memory without a file.
   *
   * @throws EngineFailure when the file is locked by another process or cannot be read.
   */
  open(file: string | undefined, options?: OpenOptions): Promise<Connection>;
}

/** What an engine refused, in its own words. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
}

/** A text as SQL writes it. */
export function literal(text: string | undefined): string {
  return text === undefined ? 'NULL' : `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`;
}

/** The same on one line, whatever the text is: nothing in it can begin a line of a script. */
export function oneLineLiteral(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "''", '\n': '\\n', '\r': '\\r', '\0': '' };
  return `E'${text.replaceAll(/[\\'\n\r\0]/g, (found) => escapes[found] ?? '')}'`;
}

/** A name as SQL writes it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
