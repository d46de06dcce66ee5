import { fstatSync, readSync, writeSync } from 'node:fs';

/**
 * Standard input without Node's stream for it, which takes a good part of a guard's time to set up. Reads to the end of the input or of
 * a complete JSON text, because a caller may keep the pipe open.
 *
 * @returns `undefined` where that does not work; read the stream then.
 */
export function readStdinSync(): string | undefined {
  // A terminal: nothing is piped.
  if (fstatSync(0).isCharacterDevice()) return '';
  const buffer = Buffer.allocUnsafe(65_536);
  const chunks: Buffer[] = [];
  for (;;) {
    let length: number;
    try {
      length = readSync(0, buffer);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === 'EAGAIN' && chunks.length === 0) return undefined;
      if (code === 'EAGAIN') continue;
      // Windows reports the end of the input as an error.
      if (code !== 'EOF') throw thrown;
      length = 0;
    }
    if (length > 0) chunks.push(Buffer.from(buffer.subarray(0, length)));
    if (length === 0 || buffer[length - 1] === closingBrace || buffer[length - 1] === newline) {
      const text = Buffer.concat(chunks).toString('utf8');
      if (length === 0 || isJson(text)) return text;
    }
  }
}

const closingBrace = 0x7d;
const newline = 0x0a;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes a whole text to a descriptor. Throws when nobody reads it. */
export function writeSyncWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
    }
  }
}
