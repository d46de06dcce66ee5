/** What `git status` says of one path. */
export interface StatusEntry {
  readonly path: string;
  /** Where a renamed or copied file came from. */
  readonly from?: string;
  readonly kind: 'changed' | 'renamed' | 'unmerged' | 'untracked' | 'ignored';
  /** The two letters of the short format: index, then working tree; `.` where nothing changed. */
  readonly code: string;
  /** For a submodule what changed in it: its commit, its tracked files, its untracked files. */
  readonly submodule?: { readonly commit: boolean; readonly modified: boolean; readonly untracked: boolean };
}

/** The state of a working tree as `git status --porcelain=v2 --branch -z` tells it. */
export interface Status {
  /** The commit that is checked out, `undefined` before the first one. */
  readonly head: string | undefined;
  /** The branch, `undefined` when detached. */
  readonly branch: string | undefined;
  readonly upstream: string | undefined;
  /** Commits ahead of and behind the upstream; `undefined` without one or when it is gone. */
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly entries: readonly StatusEntry[];
}

/** Reads the output of `git status --porcelain=v2 --branch -z` (git-status(1), "Porcelain Format Version 2"). */
export function parseStatus(output: string): Status {
  const parts = output.split('\0');
  const headers = new Map<string, string>();
  const entries: StatusEntry[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    const kind = part[0];
    if (kind === '#') {
      const [, name = '', ...rest] = part.split(' ');
      headers.set(name, rest.join(' '));
    } else if (kind === '1') {
      entries.push({ kind: 'changed', ...changed(part, 8) });
    } else if (kind === '2') {
      index++;
      entries.push({ kind: 'renamed', ...changed(part, 9), from: parts[index] ?? '' });
    } else if (kind === 'u') {
      entries.push({ kind: 'unmerged', ...changed(part, 10) });
    } else if (kind === '?') {
      entries.push({ kind: 'untracked', code: '??', path: part.slice(2) });
    } else if (kind === '!') {
      entries.push({ kind: 'ignored', code: '!!', path: part.slice(2) });
    }
  }
  const oid = headers.get('branch.oid');
  const branch = headers.get('branch.head');
  const distance = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '');
  return {
    head: oid === undefined || oid === '(initial)' ? undefined : oid,
    branch: branch === undefined || branch === '(detached)' ? undefined : branch,
    upstream: headers.get('branch.upstream'),
    ahead: distance ? Number(distance[1]) : undefined,
    behind: distance ? Number(distance[2]) : undefined,
    entries,
  };
}

/** Fields are separated by single spaces; the path is the rest and may hold spaces of its own. */
function changed(part: string, fieldsBeforePath: number): Pick<StatusEntry, 'path' | 'code' | 'submodule'> {
  let start = 0;
  for (let field = 0; field < fieldsBeforePath; field++) start = part.indexOf(' ', start) + 1;
  const submodule = part.slice(5, 9);
  return {
    code: part.slice(2, 4),
    path: part.slice(start),
    ...(submodule.startsWith('S')
      ? { submodule: { commit: submodule[1] === 'C', modified: submodule[2] === 'M', untracked: submodule[3] === 'U' } }
      : {}),
  };
}

/** One entry of the short format. */
export interface ShortEntry {
  /** Two letters: index, then working tree; a space where nothing changed. */
  readonly code: string;
  readonly path: string;
  /** Where a renamed or copied file came from. */
  readonly from?: string;
}

/** Reads the output of `git status --porcelain -z`, the first version of the format. */
export function parseShortStatus(output: string): ShortEntry[] {
  const parts = output.split('\0');
  const entries: ShortEntry[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    if (part === '') continue;
    const code = part.slice(0, 2);
    const from = /[RC]/.test(code) ? parts[++index] : undefined;
    entries.push({ code, path: part.slice(3), ...(from === undefined ? {} : { from }) });
  }
  return entries;
}
