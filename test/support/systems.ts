/** Whether this is Windows as Wine does it: the lane `windows` on Linux. */
export const isWine = process.env['WT_TEST_WINE'] === '1';

/** Where a test holds, and why not elsewhere. */
export interface Where {
  /** Which systems: all but Windows, all but Wine, or Linux only. */
  readonly notOn: 'Windows' | 'Wine';
  /** Ends the sentence "skipped on Windows: ". */
  readonly because: string;
}

/**
 * The title of a test that cannot hold everywhere, and the function that defines it: it is skipped where it cannot, with the reason in its title, so that
 * each skip is listed in what the lane prints.
 */
export function onlyWhere({ notOn, because }: Where): {
  (title: string, test: Mocha.AsyncFunc | Mocha.Func): void;
} {
  const skipped = notOn === 'Wine' ? isWine : process.platform === 'win32';
  return (title, test) => (skipped ? it.skip(`${title} (skipped on ${notOn}: ${because})`, test) : it(title, test));
}
