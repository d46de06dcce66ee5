import { execFileSync } from 'node:child_process';

/** The branches of a repository on the stand-in for GitHub. */
export interface Refs {
  get(branch: string): string | undefined;
  set(branch: string, oid: string): void;
  delete(branch: string): void;
  /** All branches with their last commits, as they are now. */
  all(): ReadonlyMap<string, string>;
  /** A commit is another one or one of its ancestors. */
  contains(within: string, oid: string): boolean;
  /** Runs git in the repository; its output. Where there is none it fails. */
  git(...args: string[]): string;
}

/** Branches that exist only in memory: no commit of theirs is in another one, unless it is said. */
export function refsInMemory(
  tips: Record<string, string> = {},
  contains: (within: string, oid: string) => boolean = () => false,
): Refs {
  const known = new Map(Object.entries(tips));
  return {
    get: (branch) => known.get(branch),
    set: (branch, oid) => void known.set(branch, oid),
    delete: (branch) => void known.delete(branch),
    all: () => new Map(known),
    contains,
    git: () => {
      throw new Error('there is no repository behind these branches');
    },
  };
}

/** The branches of a bare repository. */
export function refsOf(gitDir: string, variables: Record<string, string>): Refs {
  const git = (...args: string[]): string =>
    execFileSync('git', [`--git-dir=${gitDir}`, ...args], {
      env: variables,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const answers = (...args: string[]): boolean => {
    try {
      git(...args);
      return true;
    } catch {
      return false;
    }
  };
  const contained = new Map<string, boolean>();
  return {
    get(branch) {
      try {
        return git('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
      } catch {
        return undefined;
      }
    },
    set: (branch, oid) => void git('update-ref', `refs/heads/${branch}`, oid),
    delete: (branch) => void git('update-ref', '-d', `refs/heads/${branch}`),
    all: () =>
      new Map(
        git('for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads')
          .split('\n')
          .flatMap((line): [string, string][] => {
            const [name = '', oid = ''] = line.split(' ');
            return oid === '' ? [] : [[name, oid]];
          }),
      ),
    contains(within, oid) {
      const key = `${within} ${oid}`;
      const known = contained.get(key) ?? (within === oid || answers('merge-base', '--is-ancestor', oid, within));
      contained.set(key, known);
      return known;
    },
    git,
  };
}
