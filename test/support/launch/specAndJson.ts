import type Mocha from 'mocha';

/** What a lane leaves on disk; the shape is mocha's own JSON report, as far as it is read. */
export interface LaneReport {
  stats: { suites: number; tests: number; passes: number; pending: number; failures: number; duration: number };
  tests: ReportedTest[];
  passes: ReportedTest[];
  pending: ReportedTest[];
  failures: ReportedTest[];
}

/** One test of a report. */
export interface ReportedTest {
  title: string;
  fullTitle: string;
  file?: string;
  duration?: number;
  err: { message?: string; stack?: string };
}

type ReporterConstructor = new (runner: Mocha.Runner, options: Mocha.MochaOptions) => Mocha.reporters.Base;

/**
 * A reporter that tells a person (spec) and writes the same for the sum of all lanes (JSON).
 * It is made from a given mocha because the extension host loads mocha in another way than the plain lanes do.
 */
export function specAndJson(mocha: typeof Mocha): ReporterConstructor {
  return class extends mocha.reporters.Spec {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      new mocha.reporters.JSON(runner, options);
    }
  };
}
