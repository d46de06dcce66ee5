import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { benchActivation } from './activation.ts';
import type { Line } from './compare.ts';
import { benchCreateAndCleanup } from './createCleanup.ts';
import { benchDatabase } from './database.ts';
import { benchGuards } from './guards.ts';
import { benchLarge } from './large.ts';
import { benchList } from './list.ts';
import { benchMany } from './many.ts';
import { benchRows } from './rows.ts';
import { benchSessionMerge } from './sessionMerge.ts';
import { benchShare } from './share.ts';
import { benchStacks } from './stacks.ts';

/** Every bench by the word that picks it: `npm run bench -- list create`. */
const benches: Record<string, (rounds: number, say: (text: string) => void) => Promise<Line[]>> = {
  list: benchList,
  many: benchMany,
  create: benchCreateAndCleanup,
  share: benchShare,
  large: benchLarge,
  stacks: benchStacks,
  guards: benchGuards,
  activation: benchActivation,
  rows: benchRows,
  'session-merge': benchSessionMerge,
  database: benchDatabase,
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const words = process.argv.slice(2);
const rounds = Number(words.find((word) => /^\d+$/.test(word)) ?? 9);
const chosen = words.filter((word) => word in benches);
const unknown = words.filter((word) => !/^\d+$/.test(word) && !(word in benches));
if (unknown.length > 0) {
  say(`There is no bench named ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

// The browser's driver takes signals for itself; without an exit of its own a signal would leave the editor's server behind.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));

const lines: Line[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) lines.push(...(await bench(rounds, say)));
}

const table = [
  '| work | baseline in the same run | ratio | aim | ours (ms) | baseline (ms) | noise |',
  '| --- | --- | --- | --- | --- | --- | --- |',
  ...lines.map(
    (line) =>
      `| ${line.work}${line.remark ? ` (${line.remark})` : ''} | ${line.baseline} | **${line.ratio.toFixed(3)}** | ${Number(line.aim.toFixed(3))} | ${line.candidateMs.toFixed(0)} | ${line.baselineMs.toFixed(0)} | ±${(line.noise * 50).toFixed(0)} % |`,
  ),
].join('\n');
const about = `${rounds} interleaved rounds; ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}; Node ${process.versions.node}; load ${loadavg()[0]?.toFixed(1) ?? '?'} at the end.`;

const folder = resolve(import.meta.dirname, '../artifacts');
await mkdir(folder, { recursive: true });
await writeFile(resolve(folder, 'bench.json'), `${JSON.stringify({ about, lines }, null, 2)}\n`);
await writeFile(resolve(folder, 'bench.md'), `${table}\n\n${about}\n`);
process.stdout.write(`${table}\n\n${about}\n`);
say('Written to artifacts/bench.json and artifacts/bench.md.');
