/** How long a slug may be, in characters. */
export const longestSlug = 30;

/** Letters of Latin alphabets that are written as two, or that Unicode does not take apart. */
const asciiLetters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A text in lower case, with Latin letters in ASCII: `Füße` becomes `fuesse`. Letters of other alphabets stay. */
export function transliterated(text: string): string {
  const lower = text.toLowerCase();
  // Guards come by here: what is ASCII already takes no time.
  if (!/[^\u0000-\u007f]/.test(lower)) return lower;
  return lower
    .normalize('NFC')
    .replace(/[äöüßæœøłđðþı]/g, (letter) => asciiLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
}

/**
 * The slug of a name, without what it takes when there is nothing left of the name, or when another name has the same: lower
 * case, Latin letters in ASCII, runs of what is no letter or digit become `-`, trimmed, at most {@link longestSlug} characters. Letters of other
 * alphabets stay: file systems and refs can hold them. May be empty.
 *
 * Apart from slug.ts because guards need it: the hash there takes longer to load than a guard to decide.
 */
export function plainSlugOf(name: string): string {
  const words = transliterated(name)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    // A mark without its letter is nothing that a person could read.
    .replace(/^[-\p{M}]+|-+$/gu, '');
  return [...words].slice(0, longestSlug).join('').replace(/-+$/, '');
}
