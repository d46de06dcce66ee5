/** Whether this is Windows as Wine does it, which runs the lane `windows` on Linux. */
export const isWine = process.env['WT_TEST_WINE'] === '1';

/** Where a test cannot hold, and why. */
export interface Exception {
  readonly notOn: 'Windows' | 'Wine';
  readonly because: string;
}

/** The reasons that several tests have. */
export const reasons = {
  links: { notOn: 'Wine', because: 'it makes no symbolic links' },
  fork: {
    notOn: 'Wine',
    because: 'the sh of Git for Windows hangs there where it pipes or reads what a command prints',
  },
} as const satisfies Record<string, Exception>;

/**
 * Defines a test that cannot hold everywhere. Where it cannot it is skipped, with the reason in its title: each skip is listed in what a lane prints.
 *
 * @returns what `it` is for other tests.
 */
export function onlyWhere({ notOn, because }: Exception): (title: string, test: () => void | Promise<void>) => void {
  const skipped = notOn === 'Wine' ? isWine : process.platform === 'win32';
  return (title, test) =>
    void (skipped ? it.skip(`${title} (skipped on ${notOn}: ${because})`, test) : it(title, test));
}
