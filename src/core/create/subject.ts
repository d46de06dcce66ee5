/** What a person has in hand for a new worktree: a pull request, an issue, or a text. */
export type Subject =
  | { readonly kind: 'text' }
  | {
      /** `either`: `#12`, which is the one or the other. */
      readonly kind: 'pull' | 'issue' | 'either';
      readonly number: number;
      /** Where it is, by its address: host in lower case, owner and repository. */
      readonly at: { readonly host: string; readonly owner: string; readonly repo: string } | undefined;
    };

/**
 * Reads `pr:12`, `issue:12`, `#12`, and the address of a pull request or an issue, whatever page of it; everything else is a text.
 * Reads no file and asks nobody.
 */
export function parseSubject(text: string): Subject {
  const word = text.trim();
  const [, prefix, digits] = /^(?:(pr|pull|issue):\s*#?|#)(\d{1,9})$/i.exec(word) ?? [];
  if (digits !== undefined && Number(digits) > 0) {
    const kind = prefix === undefined ? 'either' : prefix.toLowerCase() === 'issue' ? 'issue' : 'pull';
    return { kind, number: Number(digits), at: undefined };
  }
  const address =
    /^https?:\/\/(?:[^/@\s]*@)?([^/\s]+)\/([^/\s]+)\/([^/\s]+)\/(pull|issues)\/(\d{1,9})(?:[/?#]\S*)?$/i.exec(word);
  if (!address) return { kind: 'text' };
  const [, host = '', owner = '', repo = '', page = '', number = ''] = address;
  if (Number(number) === 0) return { kind: 'text' };
  const kind = page.toLowerCase() === 'pull' ? 'pull' : 'issue';
  return { kind, number: Number(number), at: { host: host.toLowerCase(), owner, repo } };
}
