import { join } from 'node:path';
import { samePlace } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { gitProblem, type GitAnswer } from '../git/gitError.ts';
import type { CreateData } from './createData.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { createMessages } from '../messages/create.ts';
import { gitMessages } from '../messages/git.ts';
import type { Message } from '../messages/message.ts';

type Place = Pick<CreateData, 'name' | 'path'>;

/**
 * Makes sure that git, asked in a new worktree, takes that folder for its working tree and no other one: else a checkout would write
 * into somebody else's files. `core.worktree` and `core.bare` count for every worktree once `extensions.worktreeConfig` is set, so git
 * wants them in the main worktree's own `config.worktree` then (git-worktree(1), "Configuration file"). Where they are not, they are
 * moved there, which changes nothing for the main worktree.
 *
 * @returns sentences for the person: what was moved.
 * @throws Problem `inconsistent` or `unsafe-repository` (outcome incomplete) while no file has been written.
 */
export async function requireOwnTree(
  workspace: Workspace,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<Message[]> {
  const first = await askTree(workspace, place, signal);
  if (first.own) return [];
  if (/^fatal: detected dubious ownership\b/m.test(first.answer.stderr)) throw notTrusted(place, first.answer);
  const moved = await moveSettings(workspace);
  const second = moved.length > 0 ? await askTree(workspace, place, signal) : first;
  if (!second.own) throw await otherTree(workspace, place, second);
  const from = join(workspace.repository.commonDir, 'config');
  return moved.map((setting) => createMessages.movedToConfigWorktree({ setting, from }));
}

interface Asked {
  readonly own: boolean;
  /** What git takes for the working tree. */
  readonly tree: string | undefined;
  readonly answer: GitAnswer;
}

async function askTree({ git }: Workspace, { path }: Place, signal: AbortSignal | undefined): Promise<Asked> {
  const answer = await git.run(['rev-parse', '--path-format=absolute', '--show-toplevel'], { cwd: path, signal });
  const tree = answer.exitCode === 0 ? answer.stdout.replace(/\n$/, '') : undefined;
  return { own: tree !== undefined && (await samePlace(tree, path)), tree, answer };
}

/** Moves what belongs to the main worktree alone into its own configuration. The value is there before it goes here. */
async function moveSettings({ git, repository }: Workspace): Promise<string[]> {
  const { commonDir } = repository;
  const repo = git.in(commonDir);
  const shared = ['config', '--file', join(commonDir, 'config')];
  if ((await repo.line([...shared, '--type=bool', '--get', 'extensions.worktreeConfig'])) !== 'true') return [];
  const moved: string[] = [];
  for (const name of ['core.worktree', 'core.bare']) {
    const value = await repo.line([...shared, '--get', name]);
    const isBare = name === 'core.bare' && (await repo.line([...shared, '--type=bool', '--get', name])) === 'true';
    if (value === undefined || (name === 'core.bare' && !isBare)) continue;
    const own = join(commonDir, 'config.worktree');
    await repo.text(['config', '--file', own, name, value], { writes: true });
    await repo.run([...shared, '--unset-all', name], { writes: true });
    moved.push(name);
  }
  return moved;
}

async function otherTree({ git }: Workspace, { name, path }: Place, { tree, answer }: Asked): Promise<Problem> {
  const setting = tree === undefined ? 'core.bare' : 'core.worktree';
  const origin = await git.line(['config', '--show-origin', '--get', setting], { cwd: path });
  const file = origin?.split('\t')[0]?.replace(/^file:/, '');
  const where = file === undefined ? '' : createMessages.becauseSet({ setting, file });
  const what =
    tree === undefined
      ? createMessages.noWorkingTree({ path })
      : createMessages.otherWorkingTree({ path: tree, other: path });
  return new Problem('inconsistent', createMessages.nothingWritten({ name, what, where }), {
    next:
      file === undefined
        ? gitMessages.seeBelow()
        : createMessages.takeSettingOut({ file: JSON.stringify(file), setting }),
    items: tree === undefined ? gitProblem(['rev-parse', '--show-toplevel'], answer).items : [],
    outcome: 'incomplete',
  });
}

function notTrusted({ name, path }: Place, answer: GitAnswer): Problem {
  const plain = gitProblem(['rev-parse', '--show-toplevel'], answer);
  return new Problem('unsafe-repository', createMessages.nothingWrittenGit({ name, path }), {
    next: createMessages.userOwnsFolder({ path: JSON.stringify(path) }),
    items: plain.items,
    outcome: 'incomplete',
  });
}
