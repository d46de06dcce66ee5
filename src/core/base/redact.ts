/** What stands in a log where a secret was. */
const gone = '[…]';

/** A kind of secret. */
interface Secret {
  /**
   * Texts in lower case of which at least one stands wherever the pattern matches. To look for them costs nothing; making the patterns
   * ready for their first use was a tenth of what a guard does.
   */
  readonly hints: readonly string[];
  readonly pattern: () => RegExp;
  readonly instead: string;
}

/** One word of a shell command, quoted or not. */
const word = String.raw`(?:"(?:\\.|[^"\\])*"?|'[^']*'?|(?:\\.|[^\s"'\\;|&<>()])+)+`;
const secretName = String.raw`\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?|AUTH)\w*`;
const secretHints = ['token', 'secret', 'passw', 'passphrase', 'key', 'credential', 'auth'];

/** Where the secret is only a part of the match, it is what comes after the first group. */
const after = `$1${gone}`;

const secrets: readonly Secret[] = [
  {
    // Texts that are secrets by their look, whoever issued them.
    hints: 'gh github_pat_ glpat- sk- sk_ rk_ pk_ xox npm_ pypi- aiza akia asia eyj eyi -----begin'.split(' '),
    pattern: () =>
      new RegExp(
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
      ),
    instead: gone,
  },
  {
    // https://user:password@host, and https://token@host
    hints: ['://'],
    pattern: () => /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+(?=@)/gi,
    instead: after,
  },
  {
    // -H 'Authorization: Bearer …', and every other header: names stay, values go
    hints: ['-h', 'header'],
    pattern: () => /((?:-H|--header|--proxy-header)[=\s]*["']?[\w-]+:\s*)(?:[^"'\n]+)/g,
    instead: after,
  },
  {
    hints: ['authorization', 'x-', 'cookie', 'private-token'],
    pattern: () =>
      /(\b(?:authorization|x-[\w-]*(?:key|token|auth)[\w-]*|(?:set-)?cookie|private-token)["']?\s*[:=]\s*["']?)[^"'\n]+/gi,
    instead: after,
  },
  { hints: ['bearer', 'basic'], pattern: () => /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi, instead: after },
  {
    // --password x, --token=x, curl -u user:password
    hints: ['passw', 'passphrase', 'token', 'secret', 'key', 'bearer', 'user'],
    pattern: () =>
      new RegExp(
        String.raw`(--?(?:[\w-]*-)?(?:password|passwd|passphrase|token|secret|api-?key|access-?key|private-?key|auth-?token|oauth2-bearer|user)(?:=|\s+))${word}`,
        'gi',
      ),
    instead: after,
  },
  { hints: ['-u'], pattern: () => new RegExp(String.raw`(\s-u\s*)(?=\S*:)${word}`, 'g'), instead: after },
  // TOKEN=x, "password": "x"
  { hints: secretHints, pattern: () => new RegExp(String.raw`(\b${secretName}=)${word}`, 'gi'), instead: after },
  {
    hints: secretHints,
    pattern: () => new RegExp(String.raw`(["']?\b${secretName}["']?\s*:\s*)${word}`, 'gi'),
    instead: after,
  },
];

/** Takes out what looks like a secret: tokens, passwords, credentials in addresses, the values of headers. */
export function redact(text: string): string {
  const lower = text.toLowerCase();
  let left = text;
  for (const { hints, pattern, instead } of secrets) {
    if (hints.some((hint) => lower.includes(hint))) left = left.replace(pattern(), instead);
  }
  return left;
}

/**
 * A shell command as a log may keep it: without the bodies of its here-documents, which are file content, without secrets, and at
 * most so many characters long.
 */
export function commandForLog(command: string, longest = 240): string {
  // Far more than is kept: what is cut off is then at most the end of a secret that begins before.
  const near = command.slice(0, 16 * 1024);
  const kept = redact(near.includes('<<') ? withoutHereDocuments(near) : near);
  const short = (kept.includes('\n') ? kept.replace(/\s*\n\s*/g, ' ⏎ ') : kept).trim();
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
