import { join } from 'node:path';
import { runWithCodeCache } from '../../shims/v8CodeCache.ts';
import type * as wtProgram from './run.ts';

/*
 * What is started as `wt`. The program itself lies beside it, so that its compiled code can be kept from one run to the next, for each
 * command apart: that halves the time until it runs.
 */
const word = process.argv[2] ?? 'here';
const use = /^[a-z][a-z-]{0,19}$/.test(word) ? word : 'other';
const program = runWithCodeCache(join(__dirname, 'wtProgram.js'), require, process, use) as typeof wtProgram;
void program.main(process);
