import { join } from 'node:path';
import { runWithCodeCache } from '../../shims/v8CodeCache.ts';
import type * as wtProgram from './run.ts';

/*
 * What is started as `wt`. The program itself lies beside it, so that its compiled code can be kept from one run to the next, for each
 * command apart: that halves the time until it runs. The library for YAML is a file of its own, since VS Code's part uses it too.
 */
const word = process.argv[2] ?? 'here';
const use = /^[a-z][a-z-]{0,19}$/.test(word) ? word : 'other';
const run = (name: string): unknown => runWithCodeCache(join(__dirname, name), load, process, use);
const nodes = require;
let yaml: unknown;
const load = Object.assign(
  (id: string): unknown => (id === './yamlText.js' ? (yaml ??= run('yamlText.js')) : nodes(id)),
  nodes,
);
const program = run('wtProgram.js') as typeof wtProgram;
void program.main(process);
