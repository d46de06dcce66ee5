import { execFileSync } from 'node:child_process';

/** The branches of a repository on the stand-in for GitHub. */
export interface Refs {
  get(branch: string): string | undefined;
  set(branch: string, oid: string): void;
  delete(branch: string): void;
}

/** Branches that exist only in memory. */
export function refsInMemory(tips: Record<string, string> = {}): Refs {
  const known = new Map(Object.entries(tips));
  return {
    get: (branch) => known.get(branch),
    set: (branch, oid) => void known.set(branch, oid),
    delete: (branch) => void known.delete(branch),
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
  };
}
