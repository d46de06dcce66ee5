/** Where the core tells what it does. The CLI prints it with `--verbose`, the extension shows it in its output channel. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A log that nobody reads. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
