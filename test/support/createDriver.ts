/**
 * Creates one worktree in a process of its own, for tests that kill it. Arguments: the main root, the name, and after which step
 * it kills itself: the number of a line of the log, or words of one; and, if it is for one, its task. With a folder instead of a step it lives, and
 * leaves copies of its home there, one for each step that it could have been killed at. Prints the number of steps when it gets to its end.
 */
import { kill } from 'node:process';
import { Git } from '../../src/core/git/git.ts';
import { environmentOf } from '../../src/core/base/environment.ts';
import { readConfiguration } from '../../src/core/repository/configuration.ts';
import { locate } from '../../src/core/repository/identity.ts';
import { createWorktree } from '../../src/core/create/create.ts';
import { copyAtSteps } from './stepCopies.ts';

const [root = '', name = '', last = '', task] = process.argv.slice(2);
const copy = last.startsWith('/') ? copyAtSteps(process.env['HOME'] ?? '', last) : undefined;
let steps = 0;
const step = (line: string): void => {
  copy?.();
  steps++;
  if (String(steps) === last || (!/^\d+$/.test(last) && line.includes(last))) kill(process.pid, 'SIGKILL');
};
const quiet = { info() {}, warn() {}, error() {} };
const environment = { ...environmentOf(process, { ...quiet, debug: step }), cwd: root };
const { repository } = await locate(new Git(environmentOf(process)), root);
const workspace = { environment, git: new Git(environment), repository, configuration: await readConfiguration(root) };
await createWorktree(workspace, { name, task, createdBy: 'test' });
process.stdout.write(`${steps}\n`);
