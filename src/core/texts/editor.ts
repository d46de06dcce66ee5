import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { Problem } from '../base/problem.ts';
import { shellWord } from '../base/quoted.ts';
import { runInShell } from '../base/shell.ts';
import { withSlashes } from '../base/paths.ts';
import { createMessages } from '../messages/create.ts';
import { textsMessages } from '../messages/texts.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** Below this line nothing counts: lines that begin with `#` are headings in Markdown. */
const scissors = '# ------------------------ >8 ------------------------';

/**
 * Lets the person change a text in the editor that git would open for a message.
 *
 * @param about what stands below the text, for the person alone; each line begins with `#`.
 * @returns the text as it was left.
 * @throws Problem `text-failed` when the editor failed, `cancelled` when the text was emptied.
 */
export async function editText(
  workspace: Workspace,
  text: string,
  about: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const { environment, repository } = workspace;
  const file = join(repository.commonDir, 'worktree-stacks', `TEXT_EDITMSG-${environment.pid}.md`);
  const editor = await editorOf(workspace);
  try {
    await mkdir(dirname(file), { recursive: true });
    const below = about.map((line) => `# ${line}`).join('\n');
    await writeFile(file, `${text}\n\n${scissors}\n${below}\n`, { mode: 0o600 });
    const { exitCode } = await runInShell(environment, `${editor} ${shellWord(withSlashes(file))}`, {
      ...{ cwd: environment.cwd, signal, atTerminal: true },
    });
    if (exitCode !== 0) {
      const how =
        exitCode === undefined ? createMessages.endedBySignal() : createMessages.failedWithCode({ code: exitCode });
      throw new Problem('text-failed', textsMessages.editorFailed({ how, editor }), {
        next: textsMessages.setEditor(),
        outcome: 'incomplete',
      });
    }
    const [left = ''] = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n').split(`${scissors}\n`);
    if (left.trim() === '') throw new Problem('cancelled', textsMessages.leftEmpty(), { outcome: 'incomplete' });
    return left.trim();
  } finally {
    await rm(file, { force: true });
  }
}

/** The editor that git opens, by its own order. */
async function editorOf({ environment, git }: Workspace): Promise<string> {
  const { GIT_EDITOR, VISUAL, EDITOR, TERM } = environment.variables;
  const configured = (await git.line(['config', '--get', 'core.editor'], { cwd: environment.cwd }))?.trim();
  const isDumb = TERM === undefined || TERM === 'dumb';
  return [GIT_EDITOR, configured, isDumb ? undefined : VISUAL, EDITOR].find((each) => each) ?? 'vi';
}
