import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';
import type { InstalledServer } from '../../../scripts/lib/vscodeServer.mjs';
import type { Place } from './place.ts';

/**
 * The environment of a server whose extension hosts start programs as quickly as other processes of the tests do (scripts/lib/vfork.c): VS Code takes
 * `LD_PRELOAD` from its hosts, so the Node that it starts them with is a script that puts it back. Nothing where the tests themselves do without.
 */
export async function quickHosts(server: InstalledServer, place: Place): Promise<NodeJS.ProcessEnv> {
  const library = place.env['LD_PRELOAD'];
  if (library === undefined) return {};
  const node = join(place.root, 'node');
  await writeFile(node, `#!/bin/sh\nLD_PRELOAD=${quoted(library)} exec ${quoted(server.node)} "$@"\n`, { mode: 0o755 });
  // In quotation marks, because the folder's name may have spaces.
  const options = `--require ${JSON.stringify(join(root, 'test/support/launch/quickHosts.cjs'))}`;
  return { NODE_OPTIONS: options, WORKTREE_STACKS_TEST_NODE: node };
}

/** A word of a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
