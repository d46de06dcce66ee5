/** Texts, and what stands between them in JSON as DuckDB writes it: numbers of any length, and `NaN`. */
const token = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** So many digits any number of JavaScript can hold. */
const safeDigits = 15;

/**
 * Reads a row that DuckDB has written as JSON. Numbers that JavaScript cannot hold become texts, and so do `NaN` and
 * `Infinity`, which JSON does not know; times become ISO 8601.
 *
 * @param types the types of the columns, by name.
 */
export function parseRow(text: string, types: ReadonlyMap<string, string>): Record<string, unknown> {
  const safe = text.replaceAll(token, (found) => (isSafe(found) ? found : `"${found}"`));
  const row = JSON.parse(safe) as Record<string, unknown>;
  for (const [name, value] of Object.entries(row))
    if (typeof value === 'string' && types.get(name)?.startsWith('TIMESTAMP')) row[name] = toIso(value);
  return row;
}

function isSafe(found: string): boolean {
  if (found.startsWith('"')) return true;
  if (/[NI]/.test(found)) return false;
  return (
    found.replaceAll(/[-.]|[eE].*$/g, '').replace(/^0+/, '').length <= safeDigits ||
    (Number.isSafeInteger(+found) && String(+found) === found)
  );
}

/** `2026-11-29 14:02:48.5+00` as `2026-11-29T14:02:48.5Z`; one without a zone stays without. */
function toIso(text: string): string {
  return text.replace(/^(\d{4,}-\d{2}-\d{2}) /, '$1T').replace(/\+00$/, 'Z');
}
