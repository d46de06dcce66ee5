import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';
import type { Place } from '../launch/place.ts';

/** Where a stand-in keeps what it is told; the tests inside the extension host find it in the variable of that name. */
const standInVariable = 'WORKTREE_STACKS_TEST_CLAUDE';

/**
 * Puts a stand-in for Claude Code's program on the path of a place: it does what the extension asks for, and writes down every call
 * in `calls.jsonl`.
 *
 * @returns the environment that has it.
 */
export async function installStandIn(place: Place): Promise<NodeJS.ProcessEnv> {
  const bin = join(place.root, 'bin');
  const state = join(place.out, 'claude');
  await Promise.all([mkdir(bin, { recursive: true }), mkdir(state, { recursive: true })]);
  await copyFile(join(root, 'test/support/claude/standIn.cjs'), join(bin, 'standIn.cjs'));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${bin}/standIn.cjs' '${state}' "$@"\n`;
  await writeFile(join(bin, 'claude'), script, { mode: 0o755 });
  return {
    PATH: `${bin}${delimiter}${place.env['PATH'] ?? ''}`,
    CLAUDE_CONFIG_DIR: join(state, 'config'),
    [standInVariable]: state,
  };
}
