const factors: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  ki: 2 ** 10,
  m: 1e6,
  mi: 2 ** 20,
  g: 1e9,
  gi: 2 ** 30,
};

/** How a size is written: `20MB`, `512 KiB`, `1.5 GB`, or the number of bytes. */
const written = /^(\d+(?:\.\d+)?)\s*(?:([kmg]i?)?b)?$/i;

/** A size as people write it, in bytes; `undefined` for what is none. */
export function parseByteSize(text: string | number): number | undefined {
  if (typeof text === 'number') return Number.isFinite(text) && text >= 0 ? Math.floor(text) : undefined;
  const [, number, unit = ''] = written.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Math.floor(Number(number) * (factors[unit.toLowerCase()] ?? 1));
}

/** A number of bytes for people: "312 bytes", "4.2 kB", "37 MB". */
export function byteSizeWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  for (const [unit, factor] of [
    ['kB', 1e3],
    ['MB', 1e6],
  ] as const) {
    if (bytes < factor * 999.5) return `${rounded(bytes / factor)} ${unit}`;
  }
  return `${rounded(bytes / 1e9)} GB`;
}

const rounded = (number: number): string => (number < 9.95 ? number.toFixed(1) : number.toFixed(0));
