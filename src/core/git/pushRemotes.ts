import type { Git } from './git.ts';

/**
 * The name of the remote that git's settings choose for the pushes of a branch: `branch.<name>.pushRemote`, `remote.pushDefault`,
 * `branch.<name>.remote`; `undefined` where they choose none.
 *
 * @param settings by lower-case section and key: `branch.login.pushremote`.
 */
export function chosenPushRemote(settings: ReadonlyMap<string, string>, branch: string): string | undefined {
  const upstream = settings.get(`branch.${branch}.remote`);
  return (
    settings.get(`branch.${branch}.pushremote`) ??
    settings.get('remote.pushdefault') ??
    // `.` means a branch of this very repository.
    (upstream === '.' ? undefined : upstream)
  );
}

/**
 * The remotes that branches are pushed to, by branch.
 *
 * @param configured the remote where git's settings choose none.
 * @param tracked the full names of the branches of all remotes: where there are those of one remote only, git is not asked.
 */
export async function readPushRemotes(
  git: Git,
  commonDir: string,
  branches: readonly string[],
  { configured, tracked }: { readonly configured: string; readonly tracked: Iterable<string> },
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const own = `refs/remotes/${configured}/`;
  const settings = new Map<string, string>();
  if ([...tracked].some((ref) => !ref.startsWith(own))) {
    const pattern = '^branch\\..*\\.(remote|pushremote)$|^remote\\.pushdefault$';
    const answer = await git.in(commonDir).run(['config', '-z', '--get-regexp', pattern], { signal });
    for (const entry of answer.stdout.split('\0')) {
      const end = entry.indexOf('\n');
      if (end >= 0) settings.set(entry.slice(0, end), entry.slice(end + 1));
    }
  }
  return new Map(branches.map((branch) => [branch, chosenPushRemote(settings, branch) ?? configured]));
}

/** Whether a remote is pushed to where it is fetched from; elsewhere what was fetched says nothing of what is there. */
export async function isPushedWhereFetched(
  git: Git,
  commonDir: string,
  remote: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const repo = git.in(commonDir);
  const [from, to] = await Promise.all([
    repo.line(['remote', 'get-url', remote], { signal }),
    repo.line(['remote', 'get-url', '--push', '--all', remote], { signal }),
  ]);
  return from !== undefined && to?.split('\n').every((url) => url === from) === true;
}
