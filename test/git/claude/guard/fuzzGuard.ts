// The long run of the comparison with real bash: node test/git/claude/guard/fuzzGuard.ts --inputs 20000 [--seed 1]
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compare, type Failure } from './differential.ts';
import { shellSandbox } from './shellSandbox.ts';

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const inputs = Number(values.inputs);
const batch = 500;

const corpus: string[] = [];
for (const name of ['bash-commands.jsonl', 'bash-commands-more.jsonl']) {
  const text = await readFile(new URL(`../../../data/${name}`, import.meta.url), 'utf8');
  for (const line of text.trim().split('\n')) corpus.push((JSON.parse(line) as { command: string }).command);
}

const sandbox = await shellSandbox();
const failures: Failure[] = [];
let [done, ran, deniedWithout, slowest] = [0, 0, 0, 0];
try {
  for (let seed = Number(values.seed); done < inputs; seed++) {
    const outcome = await compare(sandbox, corpus, seed, Math.min(batch, inputs - done));
    failures.push(...outcome.failures);
    done += outcome.inputs;
    ran += outcome.ran;
    deniedWithout += outcome.deniedWithout;
    slowest = Math.max(slowest, outcome.slowest);
    for (const failure of outcome.failures) console.log(JSON.stringify(failure));
  }
} finally {
  await sandbox.dispose();
}
console.log(
  JSON.stringify({ inputs: done, ran, deniedWithout, slowest: Math.round(slowest), failures: failures.length }),
);
process.exitCode = failures.length > 0 ? 1 : 0;
