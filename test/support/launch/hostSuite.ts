import type { Opening } from './browser.ts';
import type { Place } from './place.ts';

/**
 * One run of the extension host: test/host/<suite>/suite.ts exports one as default, and every *.test.ts beside it runs in it.
 * A descriptor is loaded by the launcher, so it must not import vscode.
 */
export interface HostSuite {
  /** What is special about this run, in words. */
  readonly title: string;
  /** Makes the repositories in `place.work` and says what the window shows. */
  prepare(place: Place): Promise<Opening>;
  /** False leaves workspace trust on, so that the folder opens restricted. */
  readonly trusted?: boolean;
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment of the extension host on top of the place's. */
  env?(place: Place): Promise<NodeJS.ProcessEnv>;
  /** Ends what {@link prepare} has started, after the run. */
  close?(): Promise<void>;
  /** Milliseconds for the whole run; a run that takes longer is a failure. */
  readonly deadline?: number;
}
