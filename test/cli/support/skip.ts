/** Skips a test and says why in its title, since a silent skip looks like a pass. */
export function skipBecause(context: Mocha.Context, why: string): never {
  if (context.test) context.test.title += ` (skipped: ${why})`;
  return context.skip();
}

/** Skips a test that needs a terminal where it cannot make one. */
export function needsTerminal(context: Mocha.Context): void {
  if (process.platform !== 'linux')
    skipBecause(context, 'the terminal of this test is made by the script command of Linux');
}
