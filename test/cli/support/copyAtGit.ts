/**
 * Loaded into a `wt` before its bundle (`--import`): leaves a copy of the home at each state that its disk is in when a git command is started, and
 * when one has ended, before `wt` hears of it. That is what a kill there leaves. `COPIES` names the folder for them. What `wt` starts in the
 * background is not started: it would be killed with it.
 */
import childProcess, { type ChildProcess, type SpawnOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { copyAtSteps } from '../../support/stepCopies.ts';

const copy = copyAtSteps(process.env['HOME'] ?? '', process.env['COPIES'] ?? '');
const { spawn } = childProcess;

childProcess.spawn = ((program: string, args: readonly string[], options: SpawnOptions): ChildProcess => {
  if (options.detached) return spawn('true', options);
  copy();
  const child = spawn(program, args, options);
  // The first to hear of it.
  child.prependListener('exit', copy);
  return child;
}) as typeof spawn;
syncBuiltinESMExports();
// The last state is that in which it ends.
process.once('exit', copy);
