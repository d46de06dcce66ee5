import { createRequire } from 'node:module';
import { join } from 'node:path';
import { environmentOf } from '../core/base/environment.ts';
import { answerHook, failure } from './hookEvents.ts';
import type * as slowHooks from './hookSlow.ts';
import { readHookInput } from './readInput.ts';

declare const WORKTREE_STACKS_VERSION: string;

/** `node dist/hook.js <event>`: the hooks of Claude Code and nothing else, because they run often and have to start fast. */
async function main(from: NodeJS.Process): Promise<void> {
  const [event = '', ...args] = from.argv.slice(2);
  const host = {
    environment: environmentOf(from),
    version: WORKTREE_STACKS_VERSION,
    programs: { wt: join(__dirname, 'wt.js'), hook: __filename },
    slow: async () => createRequire(__filename)('./hookSlow.js') as typeof slowHooks,
  };
  const answer = await readHookInput(from.stdin)
    .then((text) => answerHook(host, event, args, text))
    .catch((thrown: unknown) => failure(event, thrown));
  from.stdout.write(answer.output);
  from.stderr.write(answer.message);
  from.exitCode = answer.exitCode;
}

void main(process);
