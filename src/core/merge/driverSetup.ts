import { join, sep } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import { withFileLock } from '../base/fileLock.ts';
import { gitProblem } from '../git/gitError.ts';
import type { RepositoryGit } from '../git/repositoryGit.ts';
import { ensureIgnored } from '../repository/ignoreRules.ts';
import { attributePattern, driverKinds, driverSection } from '../repository/notesDriver.ts';
import { writeLaunchers, type Programs } from '../repository/launchers.ts';
import type { SessionKind } from '../session/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';

/** What the installation of the merge driver did. */
export interface DriverSetup {
  /** The paths that git now merges by the rules; none after a removal. */
  readonly paths: readonly string[];
  /** The file with git's attributes, in the common git directory. */
  readonly attributes: string;
  /** Whether anything was written. */
  readonly changed: boolean;
}

const begin = '# >>> Worktree Stacks: merge driver; `wt setup --merge-driver --remove` takes it out';
const end = '# <<< Worktree Stacks: merge driver';

/**
 * Makes plain `git merge`, `git rebase` and `git cherry-pick` merge the session files by the rules, in every working tree of the
 * repository: settings in its configuration, attributes beside it, nothing that is committed. Doing it again brings it up to date.
 *
 * @throws Problem `not-writable`, `unreadable-file`, or with git's own words.
 */
export async function installMergeDriver(workspace: Workspace, programs: Programs): Promise<DriverSetup> {
  const { environment, git, repository, configuration } = workspace;
  await ensureIgnored(environment, git, repository, configuration);
  const written = await writeLaunchers(environment, repository, programs);
  const wt = join(repository.mainRoot, '.worktrees', 'bin', 'wt').split(sep).join('/');
  let changed = written.length > 0;
  const paths = sessionPaths(workspace);
  for (const { kind } of paths) {
    changed = (await setSetting(workspace, `${driverSection(kind)}.name`, `entries of ${kind} files`)) || changed;
    changed = (await setSetting(workspace, `${driverSection(kind)}.driver`, driverCommand(wt, kind))) || changed;
  }
  const lines = paths.map(({ kind, path }) => `${attributePattern(path)} merge=wt-${kind}`);
  const attributes = attributesFile(workspace);
  changed = (await writeBlock(workspace, [begin, ...lines, end])) || changed;
  return { paths: paths.map(({ path }) => path), attributes, changed };
}

/**
 * Takes the merge driver out again.
 *
 * @throws Problem `not-writable`, `unreadable-file`, or with git's own words.
 */
export async function removeMergeDriver(workspace: Workspace): Promise<DriverSetup> {
  let changed = await writeBlock(workspace, []);
  for (const kind of driverKinds) {
    if ((await readSetting(workspace, `${driverSection(kind)}.driver`)) === undefined) continue;
    await settingsOf(workspace).text(['config', '--local', '--remove-section', driverSection(kind)], { writes: true });
    changed = true;
  }
  return { paths: [], attributes: attributesFile(workspace), changed };
}

/**
 * What git's shell runs. Our launcher may be gone, or find nothing to start: then git's own merge of lines has to do, as if there was
 * no driver. Exit code 1 is a conflict.
 */
function driverCommand(launcher: string, kind: SessionKind): string {
  const wt = `'${launcher.replaceAll("'", "'\\''")}'`.replaceAll('%', '%%');
  const ours = `sh "$wt" merge-driver ${kind} %O %A %B --marker-size=%L --path=%P --theirs-label=%Y`;
  const gits = 'git merge-file --quiet --marker-size=%L -L ours -L base -L theirs %A %O %B';
  return `wt=${wt}; r=2; if [ -f "$wt" ]; then ${ours}; r=$?; fi; if [ $r -gt 1 ]; then ${gits}; r=$?; fi; exit $r`;
}

/** The settings are those of the repository, whatever working tree they are used in. */
const settingsOf = ({ git, repository }: Workspace): RepositoryGit => git.in(repository.commonDir);

const attributesFile = ({ repository }: Workspace): string => join(repository.commonDir, 'info', 'attributes');

/** Puts our block of attributes in the place of the one that is there, or at the end; without lines it goes. Whether that changed anything. */
async function writeBlock(workspace: Workspace, block: readonly string[]): Promise<boolean> {
  const file = attributesFile(workspace);
  return withFileLock(workspace.environment, file, async () => {
    const before = await readTextIfThere(file);
    const lines = (before ?? '').split('\n');
    const from = lines.findIndex((line) => line.trimEnd() === begin);
    const to = lines.findIndex((line, index) => index > from && line.trimEnd() === end);
    if (from !== -1) lines.splice(from, to === -1 ? 1 : to - from + 1, ...block);
    else if (block.length > 0) lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, ...block);
    const text = block.length > 0 && lines.at(-1) !== '' ? [...lines, ''].join('\n') : lines.join('\n');
    if (text === (before ?? '')) return false;
    if (text === '') await rm(file, { force: true });
    else await writeAtomically(file, text);
    return true;
  });
}

async function readSetting(workspace: Workspace, name: string): Promise<string | undefined> {
  return settingsOf(workspace).line(['config', '--local', '--get', name]);
}

async function setSetting(workspace: Workspace, name: string, value: string): Promise<boolean> {
  if ((await readSetting(workspace, name)) === value) return false;
  const args = ['config', '--local', '--replace-all', name, value];
  const answer = await settingsOf(workspace).run(args, { writes: true });
  if (answer.exitCode !== 0) throw gitProblem(args, answer);
  return true;
}
