import { byteSizeWords } from '../core/base/byteSize.ts';
import { textOf } from '../core/messages/message.ts';
import { reclaimMessages } from '../core/messages/reclaim.ts';
import type { KeptEntry, Reclaimable } from '../core/reclaim/inspect.ts';
import { oneLine } from './factLabels.ts';
import type { Output } from './output.ts';

/** So many things that stay are named of each worktree, those that are largest. */
const mostKept = 5;
/** What is smaller is not worth a line, unless it is build output that something keeps. */
const least = 1_000_000;

/** Says what could be reclaimed of each worktree, and why the others stay as they are. */
export function tellReclaimable(output: Output, found: readonly Reclaimable[], sum: number): void {
  const { messageColours: colours } = output;
  for (const { worktree, inUse, folders, kept, bytes } of found) {
    if (inUse) {
      output.tell(
        `${worktree.name} stays as it is: ${oneLine(textOf(inUse))}${bytes > 0 ? `. ${byteSizeWords(bytes)} of build output is there` : ''}.`,
      );
      continue;
    }
    output.tell(
      folders.length === 0
        ? `${worktree.name}: no build output.`
        : `${colours.bold(worktree.name)}: ${byteSizeWords(bytes)}`,
    );
    for (const folder of folders) output.tell(`  ${oneLine(folder.path)}  ${byteSizeWords(folder.bytes)}`);
    tellKept(output, undefined, kept);
  }
  const lately = found.some(({ inUse, bytes }) => bytes > 0 && inUse?.id === reclaimMessages.changedLately.id);
  if (lately) output.tell('--idle chooses for how long nothing may have changed, such as `--idle 1d`.');
  if (found.length > 1 && sum > 0) output.tell(`In all: ${byteSizeWords(sum)}`);
  else if (found.length === 0) output.tell('There are no linked worktrees.');
}

/** Says what stays of a worktree, and why. @param name `undefined` where it stands above. */
export function tellKept(output: Output, name: string | undefined, kept: readonly KeptEntry[]): void {
  const { messageColours: colours } = output;
  const worth = kept.filter(({ path, bytes }) => name !== undefined || (bytes >= least && path.endsWith('/')));
  for (const { path, bytes, why } of worth.slice(0, mostKept))
    output.tell(
      colours.dim(
        `  ${name === undefined ? '' : `${name}: `}kept ${oneLine(path)}  ${byteSizeWords(bytes)}, ${oneLine(textOf(why))}`,
      ),
    );
  if (worth.length > mostKept) output.tell(colours.dim(`  kept ${worth.length - mostKept} more (see --json)`));
}

/** Says how what was deleted is made again, where that is known. */
export function tellRebuild(output: Output, commands: readonly string[]): void {
  if (commands.length > 0) output.tell(`\`wt setup <name>\` makes it again: ${commands.map(oneLine).join('; ')}`);
}
