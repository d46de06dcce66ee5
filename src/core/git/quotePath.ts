const letters: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * A path as git prints it where line breaks separate paths (`core.quotePath=false`): in double quotes with escapes when it holds
 * control characters, quotes or backslashes.
 *
 * @param options.spaces quote a path that holds spaces as well, as the short format of `git status` does.
 */
export function quotePath(path: string, options: { readonly spaces?: boolean } = {}): string {
  const escaped = path.replace(
    /[\x00-\x1f"\\\x7f]/g,
    (character) => letters[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return escaped !== path || (options.spaces && path.includes(' ')) ? `"${escaped}"` : path;
}
