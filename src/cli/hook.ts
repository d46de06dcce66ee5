import { join } from 'node:path';
import { runCompiled } from './compiledCode.ts';
import type * as hookProgram from './hookProgram.ts';

/*
 * `node dist/hook.js <event>`: the hooks of Claude Code and nothing else, because they run often and have to start fast. The program
 * itself lies beside it, so that its compiled code can be kept from one run to the next. A damaged installation ends this with 1, which
 * the launchers take for "do not go on".
 */
(runCompiled(join(__dirname, 'hookProgram.js'), require, process) as typeof hookProgram).runHook(process);
