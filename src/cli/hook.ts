import { environmentOf } from '../core/base/environment.ts';
import { answerHook } from './hookEvents.ts';
import { readHookInput } from './readInput.ts';

/** `node dist/hook.js <event>`: the hooks of Claude Code and nothing else, because they run often and have to start fast. */
async function main(from: NodeJS.Process): Promise<void> {
  const event = from.argv[2] ?? '';
  try {
    const result = await answerHook(environmentOf(from), event, await readHookInput(from.stdin));
    from.stdout.write(result.output);
    from.stderr.write(result.message);
    from.exitCode = result.exitCode;
  } catch (thrown) {
    from.stderr.write(`The hook ${JSON.stringify(event)} failed: ${String(thrown)}\n`);
    from.exitCode = event.endsWith('-guard') ? 2 : 0;
  }
}

void main(process);
