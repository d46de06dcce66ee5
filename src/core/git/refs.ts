import type { Git } from './git.ts';

/** A branch, local or of a remote. */
export interface Ref {
  /** The full name, `refs/heads/…` or `refs/remotes/…`. */
  readonly name: string;
  readonly oid: string;
  /** The full name of the upstream, where one is set. */
  readonly upstream: string | undefined;
  /** Commits ahead of and behind the upstream; `undefined` without one, or when it is gone. */
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  /** The upstream is set but does not exist any more. */
  readonly upstreamGone: boolean;
  /** When its last commit was made, in seconds since 1970. */
  readonly committed: number;
  /** The first line of its last commit's message. */
  readonly subject: string;
}

const format = ['refname', 'objectname', 'upstream', 'upstream:track,nobracket', 'committerdate:unix', 'subject', 'symref'].map((field) => `%(${field})`).join('%00');

/** All local branches, in one process. */
export async function readBranches(git: Git, commonDir: string, signal?: AbortSignal): Promise<Ref[]> {
  return parseRefs(await git.text(['for-each-ref', `--format=${format}`, 'refs/heads'], { cwd: commonDir, signal }));
}

/** Reads lines of NUL-separated fields; a subject holds no line break, so a line is a record. */
export function parseRefs(output: string): Ref[] {
  const refs: Ref[] = [];
  for (const line of output.split('\n')) {
    const [name, oid, upstream, track, committed, subject, symref] = line.split('\0');
    if (!name || !oid || symref) continue;
    refs.push({
      name,
      oid,
      upstream: upstream || undefined,
      upstreamGone: track === 'gone',
      ahead: upstream && track !== 'gone' ? Number(/ahead (\d+)/.exec(track ?? '')?.[1] ?? 0) : undefined,
      behind: upstream && track !== 'gone' ? Number(/behind (\d+)/.exec(track ?? '')?.[1] ?? 0) : undefined,
      committed: Number(committed ?? 0),
      subject: subject ?? '',
    });
  }
  return refs;
}

/** The commits of all branches of all remotes, by full name. */
export async function readRemoteRefs(git: Git, commonDir: string, signal?: AbortSignal): Promise<Map<string, string>> {
  const output = await git.text(['for-each-ref', '--format=%(refname)%00%(objectname)%00%(symref)', 'refs/remotes'], { cwd: commonDir, signal });
  const refs = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [name, oid, symref] = line.split('\0');
    if (name && oid && !symref) refs.set(name, oid);
  }
  return refs;
}
