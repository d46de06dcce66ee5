import { processorTime } from '../../../../src/cli/processorTime.ts';
import { decideBash } from '../../../../src/core/claude/guard/bashGuard.ts';
import { disguised, chanceFrom, mutated, tokenSoup } from './mutations.ts';
import { isForbidden } from './oracle.ts';
import { isHarmless, type Run, type ShellSandbox } from './shellSandbox.ts';

/** A script that ran something forbidden although the guard let it through, or that broke the guard. */
export interface Failure {
  readonly script: string;
  readonly ran?: Run;
  readonly thrown?: string;
}

export interface Outcome {
  readonly inputs: number;
  /** Scripts of which something forbidden really ran. */
  readonly ran: number;
  /** Scripts that were denied although nothing forbidden ran: branches not taken, errors, and true false alarms. */
  readonly deniedWithout: number;
  readonly failures: readonly Failure[];
  /** The slowest decision, in milliseconds. */
  readonly slowest: number;
}

/** Gives random scripts to real bash and to the guard, and compares what ran with what was decided. */
export async function compare(
  sandbox: ShellSandbox,
  corpus: readonly string[],
  seed: number,
  inputs: number,
): Promise<Outcome> {
  const chance = chanceFrom(seed);
  const seeds = corpus.filter((command) => command.length < 400 && isHarmless(command));
  const scripts: string[] = [];
  while (scripts.length < inputs) {
    const kind = chance.below(10);
    const script =
      kind < 4 ? mutated(chance.pick(seeds), seeds, chance) : kind < 8 ? disguised(chance) : tokenSoup(chance);
    if (isHarmless(script)) scripts.push(script);
  }
  return compareScripts(sandbox, scripts);
}

/** The same for given scripts. */
export async function compareScripts(sandbox: ShellSandbox, scripts: readonly string[]): Promise<Outcome> {
  const runs = await sandbox.run(scripts);
  const failures: Failure[] = [];
  let [ran, deniedWithout, slowest] = [0, 0, 0];
  for (const [index, script] of scripts.entries()) {
    const start = performance.now();
    let denied: boolean;
    try {
      denied = await isDenied(script);
    } catch (thrown) {
      failures.push({ script, thrown: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
      continue;
    }
    slowest = Math.max(slowest, performance.now() - start);
    const forbidden = runs[index]!.find(isForbidden);
    if (forbidden !== undefined) ran++;
    if (forbidden !== undefined && !denied) failures.push({ script, ran: forbidden });
    if (forbidden === undefined && denied) deniedWithout++;
  }
  return { inputs: scripts.length, ran, deniedWithout, failures, slowest };
}

/** Whether the guard denies a script, in a repository without aliases. */
export async function isDenied(script: string): Promise<boolean> {
  const input = { command: script, background: false, branch: 'feature', worktree: '/w/tree', cwd: '/w/tree' };
  const decision = await decideBash(input, processorTime, async () => undefined);
  return decision.kind === 'deny';
}
