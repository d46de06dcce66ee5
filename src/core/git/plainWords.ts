/** What git, ssh and curl take from outside and repeat: what is quoted, addresses, refs, paths and file names, and object ids. */
const foreign = [
  // A quote begins and ends beside a word: the one in "couldn't" does neither.
  /(?<![\w'])'.*?'(?=[\s:;,.)\]]|$)/gm,
  /(?<![\w"])".*?"(?=[\s:;,.)\]]|$)/gm,
  /\b[a-z][a-z0-9+.-]*:\/\/\S*?(?=[:,;.]*(?:\s|$))/gim,
  /(?<=\b(?:file|directory|folder|path|ref|branch|host|hostname) )(?!of\b|not\b|is\b|name\b)\S+?(?=[:;,.]*(?:\s|$))/gim,
  /[^\s'"()]*[/\\][^\s'"()]*?(?=[:;,.]*(?:[\s'"()]|$))/gm,
  /[\w@%+-]+(?:\.[\w@%+-]+)+/g,
  /\b[0-9a-f]{7,64}\b/g,
];

/**
 * The words of git, ssh, curl and of servers without what they repeat from outside: a cause is to be recognised by their own words, and a
 * branch, a folder or a port may be called like one. Lines stay lines; what was taken out is an ellipsis.
 */
export function plainWords(words: string): string {
  return foreign.reduce((text, pattern) => text.replace(pattern, '…'), words);
}
