import { join } from 'node:path';
import { runWithCodeCache } from '../shims/v8CodeCache.ts';
import type * as hookProgram from './hookProgram.ts';

/*
 * `node dist/hook.js <event>`: the hooks of Claude Code and nothing else, because they run often and must start fast. It runs
 * `hookProgram.js` with V8's code cache. With a damaged installation it exits with 1, which the launchers turn into a denial.
 */
(runWithCodeCache(join(__dirname, 'hookProgram.js'), require, process) as typeof hookProgram).runHook(process);
