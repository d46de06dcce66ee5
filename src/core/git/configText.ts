const skipped = /(?:\s|[#;][^\n]*)*/y;
const header = /\[([a-z\d.-]*)(\s+"(?:[^"\\\n]|\\.)*")?\]/iy;
/** A value may be in quotes, wholly or in part, and goes on in the next line behind a backslash. */
const setting = /([a-z][a-z\d-]*)[ \t]*(?:=((?:[^\n"\\#;]|\\[^]|"(?:[^"\\\n]|\\[^])*")*)(?:[#;][^\n]*)?)?(?=\n|$)/iy;

/**
 * Whether a text in the format of git's configuration turns a setting on: the last place that says so holds.
 * Files that the text includes are not read, and sections with a name of their own (`[remote "origin"]`) are passed over.
 *
 * @param section in small letters, as the name.
 * @returns `undefined` when the text does not say; where git would refuse the text, what it says up to there.
 */
export function isOnIn(text: string, section: string, name: string): boolean | undefined {
  const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(plain) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };
  let on: boolean | undefined;
  let here = false;
  while (take(skipped) && at < plain.length) {
    const opened = take(header);
    if (opened) {
      here = opened[2] === undefined && opened[1]?.toLowerCase() === section;
      continue;
    }
    const found = take(setting);
    if (!found) break;
    if (here && found[1]?.toLowerCase() === name) on = isOn(found[2]);
  }
  return on;
}

/** What git takes a value for; a name without a value is on. */
function isOn(value: string | undefined): boolean {
  return !/^(?:false|no|off|[-+]?0+[kmg]?|)$/i.test(value?.replace(/\\\n|"/g, '').trim() ?? 'true');
}
