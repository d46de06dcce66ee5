// Windows programs whose parts begin where memory pages do. Wine then maps a file, as Windows does, where it otherwise reads all of it at each start:
// half of the time in which Node for Windows starts, and a third of git's.
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const page = 0x1000;
/** Where the headers of a program lie, from its signature `PE` on, in bytes. */
const at = { sections: 6, symbols: 12, optionalSize: 20, optional: 24, alignment: 24 + 36, certificates: 24 + 144 };
const sectionLength = 40;
const inSection = { size: 16, from: 20 };

/** @param {Buffer} program @returns {number} where its signature is */
const signatureOf = (program) => program.readUInt32LE(0x3c);

/** Whether the parts of a program begin at pages. @param {Buffer} program at least its headers */
const isAligned = (program) => program.readUInt32LE(signatureOf(program) + at.alignment) === page;

/** @param {number} offset */
const nextPage = (offset) => Math.ceil(offset / page) * page;

/**
 * The same program for x64 with its parts at pages of the file. What nobody reads at run time is left out: symbols and the signature, which no longer holds.
 * @param {Buffer} program
 * @returns {Buffer}
 */
export function pageAligned(program) {
  const signature = signatureOf(program);
  const first = signature + at.optional + program.readUInt16LE(signature + at.optionalSize);
  const sections = Array.from(
    { length: program.readUInt16LE(signature + at.sections) },
    (_, index) => first + index * sectionLength,
  ).filter((section) => program.readUInt32LE(section + inSection.size) > 0);
  const starts = sections.map((section) => program.readUInt32LE(section + inSection.from));
  const headers = Buffer.from(program.subarray(0, Math.min(...starts)));
  headers.writeUInt32LE(page, signature + at.alignment);
  headers.fill(0, signature + at.symbols, signature + at.symbols + 8);
  headers.fill(0, signature + at.certificates, signature + at.certificates + 8);
  /** @type {Buffer[]} */
  const parts = [headers];
  let length = headers.length;
  for (const [index, section] of sections.entries()) {
    const from = starts[index] ?? 0;
    const part = program.subarray(from, from + program.readUInt32LE(section + inSection.size));
    const begins = nextPage(length);
    headers.writeUInt32LE(begins, section + inSection.from);
    parts.push(Buffer.alloc(begins - length), part);
    length = begins + part.length;
  }
  return Buffer.concat([...parts, Buffer.alloc(nextPage(length) - length)]);
}

/**
 * Replaces the programs and libraries in a folder by {@link pageAligned} ones, those that are not yet.
 * @param {string} folder
 */
export async function alignPrograms(folder) {
  for (const name of (await readdir(folder)).filter((each) => /\.(?:exe|dll)$/.test(each))) {
    const file = join(folder, name);
    if (isAligned(await beginningOf(file))) continue;
    // Written aside: a program that another run has started keeps the file that it has.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, pageAligned(await readFile(file)), { mode: 0o755 });
    await rename(draft, file);
  }
}

/** @param {string} file */
async function beginningOf(file) {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(page), 0, page, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
