import { spawnSync } from 'node:child_process';

/** Every variation, instead of a share of them: `npm test -- --thorough`, and once a week in `.github/workflows/thorough.yml`. */
export const isThorough = process.env['WT_TEST_THOROUGH'] === '1';

let chosen: number | undefined;

/**
 * Chooses which share of the variations of a test is tried: the commit does, so that a run can be repeated, and the commits after it try the
 * others. 0 where there is no repository, such as in an archive of the sources.
 */
function commitNumber(): number {
  const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const;
  chosen ??= Number.parseInt(spawnSync('git', ['rev-parse', 'HEAD'], options).stdout.trim().slice(-4), 16) || 0;
  return chosen;
}

/**
 * Whether the variation with a number is tried in this run.
 *
 * @param parts one in so many is; all of them where everything is tried.
 */
export function isInShare(number: number, parts: number): boolean {
  return isThorough || number % parts === commitNumber() % parts;
}

/** The variations that are tried in this run: {@link isInShare}, and at least one. */
export function shareOf<T>(variations: readonly T[], parts: number): readonly T[] {
  const found = variations.filter((_, index) => isInShare(index, parts));
  return found.length > 0 ? found : variations.slice(0, 1);
}
