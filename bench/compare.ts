/** One line of the bench table: a piece of work against what it is measured by, in the same run. */
export interface Line {
  readonly work: string;
  readonly baseline: string;
  /** The median of the per-round ratios candidate / baseline. */
  readonly ratio: number;
  /** What the ratio should be at most. */
  readonly aim: number;
  /** Medians, in milliseconds. */
  readonly candidateMs: number;
  readonly baselineMs: number;
  readonly rounds: number;
  /** The machine's noise: how far apart the middle half of the baseline's rounds lies, as a part of its median. */
  readonly noise: number;
  readonly remark?: string;
}

/** A measured thing: `run` is timed, the others are not. */
export interface Contestant {
  before?(): Promise<void>;
  run(): Promise<void>;
  after?(): Promise<void>;
}

/**
 * Measures two contestants in interleaved rounds, in alternating order, so that what the machine does meanwhile hits both.
 * One round of each is thrown away first.
 */
export async function compare(
  line: Pick<Line, 'work' | 'baseline' | 'aim' | 'remark'>,
  candidate: Contestant,
  baseline: Contestant,
  rounds: number,
): Promise<Line> {
  const times: { candidate: number; baseline: number }[] = [];
  for (let round = -1; round < rounds; round++) {
    const time = { candidate: 0, baseline: 0 };
    const order = round % 2 === 0 ? (['candidate', 'baseline'] as const) : (['baseline', 'candidate'] as const);
    for (const who of order) time[who] = await timed(who === 'candidate' ? candidate : baseline);
    if (round >= 0) times.push(time);
  }
  const baselines = times.map((each) => each.baseline);
  return {
    ...line,
    ratio: quantile(
      times.map((each) => each.candidate / each.baseline),
      0.5,
    ),
    candidateMs: quantile(
      times.map((each) => each.candidate),
      0.5,
    ),
    baselineMs: quantile(baselines, 0.5),
    rounds,
    noise: (quantile(baselines, 0.75) - quantile(baselines, 0.25)) / quantile(baselines, 0.5),
  };
}

/** The value below which a part of the values lies, interpolated. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

async function timed(contestant: Contestant): Promise<number> {
  await contestant.before?.();
  const started = performance.now();
  await contestant.run();
  const took = performance.now() - started;
  await contestant.after?.();
  return took;
}
