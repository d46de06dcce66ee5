import type { HookResult } from './runHooks.ts';

/** What became of a command, as `--json` prints it. */
export interface HookJson {
  readonly event: string;
  readonly command: string;
  readonly origin: string;
  readonly state: string;
  readonly exit_code: number | null;
  readonly output: string | null;
}

/** What became of the commands of an event, as `--json` prints it. */
export function hooksJson(results: readonly HookResult[]): HookJson[] {
  return results.map(({ event, command, origin, state, exitCode, output }) => ({
    ...{ event, command, origin, state },
    exit_code: exitCode ?? null,
    output: output ?? null,
  }));
}
