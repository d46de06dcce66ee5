/** What stands in a log where a secret was. */
const gone = '[…]';

/** Texts that are secrets by their look, whoever issued them. */
const tokens = new RegExp(
  [
    String.raw`gh[opsur]_\w{16,}`,
    String.raw`github_pat_\w{16,}`,
    String.raw`glpat-[\w-]{16,}`,
    String.raw`sk-[\w-]{16,}`,
    String.raw`(?:sk|rk|pk)_(?:live|test)_\w{10,}`,
    String.raw`xox[a-z]-[\w-]{8,}`,
    String.raw`npm_\w{16,}`,
    String.raw`pypi-[\w-]{16,}`,
    String.raw`AIza[\w-]{20,}`,
    String.raw`A(?:KI|SI)A[A-Z0-9]{12,}`,
    String.raw`ey[JI][\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`,
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
  ].join('|'),
  'g',
);

/** One word of a shell command, quoted or not. */
const word = String.raw`(?:"(?:\\.|[^"\\])*"?|'[^']*'?|(?:\\.|[^\s"'\\;|&<>()])+)+`;
const secretName = String.raw`\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?|AUTH)\w*`;

/** The place of the secret is what each pattern matches after its first group. */
const places: readonly RegExp[] = [
  // https://user:password@host, and https://token@host
  /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+(?=@)/gi,
  // -H 'Authorization: Bearer …', and every other header: names stay, values go
  /((?:-H|--header|--proxy-header)[=\s]*["']?[\w-]+:\s*)(?:[^"'\n]+)/g,
  /(\b(?:authorization|x-[\w-]*(?:key|token|auth)[\w-]*|(?:set-)?cookie|private-token)["']?\s*[:=]\s*["']?)[^"'\n]+/gi,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  // --password x, --token=x, curl -u user:password
  new RegExp(
    String.raw`(--?(?:[\w-]*-)?(?:password|passwd|passphrase|token|secret|api-?key|access-?key|private-?key|auth-?token|oauth2-bearer|user)(?:=|\s+))${word}`,
    'gi',
  ),
  new RegExp(String.raw`(\s-u\s*)(?=\S*:)${word}`, 'g'),
  // TOKEN=x, "password": "x"
  new RegExp(String.raw`(\b${secretName}=)${word}`, 'gi'),
  new RegExp(String.raw`(["']?\b${secretName}["']?\s*:\s*)${word}`, 'gi'),
];

/** Takes out what looks like a secret: tokens, passwords, credentials in addresses, the values of headers. */
export function redact(text: string): string {
  return places.reduce((left, place) => left.replace(place, `$1${gone}`), text.replace(tokens, gone));
}

/**
 * A shell command as a log may keep it: without the bodies of its here-documents, which are file content, without secrets, and at
 * most so many characters long.
 */
export function commandForLog(command: string, longest = 240): string {
  // Far more than is kept: what is cut off is then at most the end of a secret that begins before.
  const near = command.slice(0, 16 * 1024);
  const short = redact(withoutHereDocuments(near))
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .trim();
  return short.length > longest ? `${short.slice(0, longest - 1)}…` : short;
}

function withoutHereDocuments(command: string): string {
  const kept: string[] = [];
  const ends: string[] = [];
  for (const line of command.split('\n')) {
    const end = ends[0];
    if (end !== undefined) {
      if (line.trim() === end) ends.shift();
      continue;
    }
    kept.push(line);
    for (const [, , delimiter] of line.matchAll(/(?<!<)<<-?\s*(["'\\]?)([\w.-]+)\1/g))
      if (delimiter) ends.push(delimiter);
  }
  return kept.join('\n');
}
