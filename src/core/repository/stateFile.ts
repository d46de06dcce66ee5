import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { readTextIfThere, updateText, writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { writtenLike } from '../base/lineEnds.ts';
import { isObject } from '../base/jsonText.ts';
import { samePlace } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Repository } from './identity.ts';
import { verbatim, type Message } from '../messages/message.ts';
import { repositoryMessages } from '../messages/repository.ts';
import { baseMessages } from '../messages/base.ts';

/** The active worktree: the one that a restored Claude session is led back to (seed 000's fields). */
export interface ActiveWorktree {
  /** The absolute path. */
  readonly path: string;
  readonly branch: string;
  readonly composeProject?: string;
  /** When it was written: a date, or a time, as ISO 8601. */
  readonly created: string;
}

/** The state file of a repository, in its main root. */
export function stateFile(repository: Repository): string {
  return join(repository.mainRoot, '.claude', 'dev-worktree.local.md');
}

/**
 * The active worktree as the state file names it; `undefined` where there is no file. The folder may be gone.
 *
 * @throws Problem `unreadable-file` that names the line.
 */
export async function readActive(repository: Repository): Promise<ActiveWorktree | undefined> {
  const file = stateFile(repository);
  const text = await readTextIfThere(file);
  return text === undefined ? undefined : parseStateFile(text, file);
}

/** Makes a worktree the active one. */
export async function writeActive(
  environment: Environment,
  repository: Repository,
  active: ActiveWorktree,
): Promise<void> {
  const file = stateFile(repository);
  const text = await formatStateFile(active);
  await withFileLock(environment, file, async () => {
    // One that cannot be read is no reason not to make another worktree the active one.
    const before = await readTextIfThere(file, { keepBom: true }).catch(() => undefined);
    await writeAtomically(file, writtenLike(before, text));
  });
}

/**
 * Says anew where the active worktree is, unless another one was made active meanwhile.
 *
 * @returns whether it was written.
 */
export async function replaceActive(
  environment: Environment,
  repository: Repository,
  before: ActiveWorktree,
  after: ActiveWorktree,
): Promise<boolean> {
  const file = stateFile(repository);
  const update = async (write: (text: string) => void): Promise<boolean> => {
    const text = await readTextIfThere(file);
    if (text === undefined) return false;
    const now = await parseStateFile(text, file);
    if (now.path !== before.path || now.branch !== before.branch) return false;
    write(await formatStateFile(after));
    return true;
  };
  return withFileLock(environment, file, () => updateText(file, update));
}

/**
 * Removes the state file; with a path given only if it still names that worktree, so that a choice made meanwhile stands.
 *
 * @returns whether there was something to remove.
 */
export async function clearActive(environment: Environment, repository: Repository, onlyIf?: string): Promise<boolean> {
  const file = stateFile(repository);
  return withFileLock(environment, file, async () => {
    const text = await readTextIfThere(file);
    if (text === undefined) return false;
    if (onlyIf !== undefined && !(await samePlace((await parseStateFile(text, file)).path, onlyIf))) return false;
    await rm(file, { force: true });
    return true;
  });
}

/** The text of a state file: YAML front matter and a line for people. */
export async function formatStateFile(active: ActiveWorktree): Promise<string> {
  const { writeYaml } = await import('../base/yamlText.ts');
  const fields = {
    active_worktree: active.path,
    branch: active.branch,
    ...(active.composeProject === undefined ? {} : { compose_project: active.composeProject }),
    created: active.created,
  };
  return `---\n${writeYaml(fields)}---\nActive worktree session. Managed by Worktree Stacks.\n`;
}

/**
 * Reads the text of a state file, with either kind of line ends.
 *
 * @throws Problem `unreadable-file` that names the line.
 */
export async function parseStateFile(text: string, file: string): Promise<ActiveWorktree> {
  const { readYaml } = await import('../base/yamlText.ts');
  const wrong = (line: number, what: Message): Problem =>
    new Problem('unreadable-file', baseMessages.lineLeft({ file, line, what }), {
      file,
      line,
      next: repositoryMessages.clearOrSwitch(),
    });
  const lines = text.split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end < 0) throw wrong(1, repositoryMessages.noFrontMatter());
  const yaml = readYaml(lines.slice(1, end).join('\n'));
  const fault = yaml.faults[0];
  if (fault) throw wrong(fault.line + 1, verbatim(fault.message));
  const { value } = yaml;
  if (!isObject(value) || typeof value['active_worktree'] !== 'string' || value['active_worktree'] === '') {
    throw wrong(2, repositoryMessages.noActiveWorktree());
  }
  const composeProject = value['compose_project'];
  return {
    path: value['active_worktree'],
    branch: typeof value['branch'] === 'string' ? value['branch'] : '',
    ...(typeof composeProject === 'string' ? { composeProject } : {}),
    created: typeof value['created'] === 'string' ? value['created'] : '',
  };
}
