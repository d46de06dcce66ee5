import { writeAgent } from '../claude/agentFiles.ts';
import { Problem, stopIfCancelled } from '../base/problem.ts';
import { together } from '../base/allOrAbort.ts';
import { ensureIgnored } from '../repository/ignoreRules.ts';
import { writeLaunchers, type Programs } from '../repository/launchers.ts';
import { checkOut, makeFolder, runPostCheckout } from './checkout.ts';
import { copyFiles, findCopies, tellSpecialFiles } from './copyIgnored.ts';
import { agreeOnSetup, sessionOf, settleTask, type SetupState } from './createChoices.ts';
import type { CreateData } from './createJournal.ts';
import { planAndLook, type CreatePlan, type CreateRequest } from './createPlan.ts';
import { handOutTask, type TaskFileChange } from '../tasks/assign.ts';
import { becomeActive, enterIntoRegistry, enterIntoTracking } from './createRecords.ts';
import { explainFailure } from './createFailure.ts';
import { keptProblem } from './createProblems.ts';
import type { Journal } from '../operations/journal.ts';
import { leftBehind } from '../operations/leftBehind.ts';
import { quoted } from '../base/quoted.ts';
import { register } from './register.ts';
import { reserve, whatIsThere } from './reserve.ts';
import { commitSession } from './sessionCommit.ts';
import { outcomeOf, runCommands, type SetupOptions, type SetupOutcome } from './setup.ts';
import { initSubmodules } from './submodules.ts';
import { keepSpareRoom } from '../repository/spareRoom.ts';
import { foreignFiles } from './foreignFiles.ts';
import { undoCreate } from './undoCreate.ts';
import { requireOwnTree } from './ownTree.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** A worktree that was made. */
export interface Created extends Pick<
  CreatePlan,
  'name' | 'slug' | 'path' | 'relativePath' | 'branch' | 'base' | 'baseCommit'
> {
  /** What is to be done in it, as the registry has it. */
  readonly task: string | undefined;
  /** The task was moved to the worktree tasks of the session file. */
  readonly taskMoved: boolean;
  /** When, ISO 8601. */
  readonly created: string;
  /** The git-ignored files that came along, relative to the worktree. */
  readonly copied: readonly string[];
  /** The submodules that were initialised, relative to the worktree. */
  readonly submodules: readonly string[];
  readonly setup: SetupOutcome;
  /** It is the active worktree now. */
  readonly active: boolean;
  readonly warnings: readonly string[];
}

/** How a creation is watched and cancelled. */
export interface CreateOptions extends Pick<SetupOptions, 'approveSetup' | 'onSetupOutput' | 'progress' | 'signal'> {
  /** The bundled programs that the launchers start; without them no launcher is written. */
  readonly programs?: Programs | undefined;
}

/**
 * Makes a worktree. It is there complete, or, after a failure or a cancel at any step, not at all. That includes the setup commands:
 * a worktree whose setup has failed holds nothing yet that would be missed, and the same command can be run again; whoever
 * wants it all the same asks for it without setup.
 *
 * A task of the session file is moved to the worktree tasks there, and the new branch gets a session file of its own for it.
 *
 * What is done is written to the journal first, so that the next run can complete or undo it when this process is killed.
 *
 * @throws Problem as {@link planAndLook} and {@link chooseTask}, before anything is touched; `setup-failed`, `git-failed`, `not-ignored`, `cancelled`, …
 *   after everything was taken back.
 */
export async function createWorktree(
  workspace: Workspace,
  request: CreateRequest,
  options: CreateOptions = {},
): Promise<Created> {
  try {
    return await create(workspace, request, options);
  } catch (thrown) {
    throw await explainFailure(thrown, request.name ?? 'The worktree', workspace.repository.commonDir);
  }
}

async function create(workspace: Workspace, request: CreateRequest, options: CreateOptions): Promise<Created> {
  const { environment, git, repository, configuration } = workspace;
  const { signal } = options;
  const before = await whatIsThere(workspace);
  const { task, warnings } = await settleTask(workspace, request, signal);
  const settled: CreateRequest = task ? { ...request, task: task.name } : request;
  const [first, areIgnored] = await planAndLook(workspace, settled, signal);
  const setup = await agreeOnSetup(workspace, settled, first, options);
  const session = sessionOf(settled, first, task);
  const [startCommit] = await Promise.all([
    session === undefined ? first.startCommit : commitSession(workspace, first, session, signal),
    areIgnored ? undefined : ensureIgnored(environment, git, repository, configuration, signal, first.relativePath),
  ]);
  environment.log.debug(`[create ${first.name}] planned`);
  const reserved = await reserve(
    workspace,
    settled,
    { ...first, startCommit },
    { before, handedTask: task?.name, signal },
  );
  const { data, journal } = reserved;
  const plan = { ...reserved.plan, warnings: [...warnings, ...reserved.plan.warnings] };
  const making = new Making(workspace, data, journal, options);
  try {
    return await making.run(plan, setup);
  } catch (thrown) {
    throw await making.takeBack(thrown);
  }
}

/** One creation under way: what it has made so far, and how to take that back. */
class Making {
  readonly #workspace: Workspace;
  #data: CreateData;
  readonly #journal: Journal<CreateData>;
  readonly #options: CreateOptions;
  #folder = false;
  #setUp = false;
  #copied: readonly string[] = [];
  #taskChange: TaskFileChange | undefined;

  constructor(workspace: Workspace, data: CreateData, journal: Journal<CreateData>, options: CreateOptions) {
    this.#workspace = workspace;
    this.#data = data;
    this.#journal = journal;
    this.#options = options;
  }

  async run(plan: CreatePlan, setup: SetupState): Promise<Created> {
    const { signal, progress } = this.#options;
    const { environment } = this.#workspace;
    const said = (what: string): void => environment.log.debug(`[create ${this.#data.name}] ${what}`);
    said('journal opened');
    progress?.(`Creating ${plan.relativePath}`);
    const [copies, special, checkoutWarnings] = await together(signal, [
      (stop) => findCopies(this.#workspace, stop),
      (stop) => tellSpecialFiles(this.#workspace, stop),
      (stop) => this.#checkOut(stop),
    ]);
    const [{ submodules, warnings: submoduleWarnings }, { files: copied, warnings: copyWarnings }] = await together(
      signal,
      [(stop) => this.#initSubmodules(stop), (stop) => this.#copy(copies, stop)],
    );
    this.#copied = copied;
    said(`${copied.length} files copied, ${submodules.length} submodules initialised`);
    stopIfCancelled(signal);
    const agentNotes = await this.#writeAbout();
    said('entered into the registry');
    if (setup === 'done') await this.#setup(plan.setup.commands);
    stopIfCancelled(signal);
    this.#taskChange = await handOutTask(this.#workspace, this.#data, signal);
    said('task handed out');
    const active = await becomeActive(this.#workspace, this.#data);
    said('active');
    const trackingWarnings = await enterIntoTracking(this.#workspace, this.#data);
    said('tracked');
    await this.#journal.close();
    said('journal closed');
    await keepSpareRoom(this.#workspace.repository.commonDir);
    const { name, slug, path, relativePath, branch, base, baseCommit } = plan;
    return {
      ...{ name, slug, path, relativePath, branch, base, baseCommit },
      created: this.#data.entry.created ?? '',
      task: this.#data.entry.task,
      taskMoved: this.#data.handedTask !== undefined,
      copied,
      submodules,
      setup: outcomeOf({ ...plan.setup, approved: plan.setup.approved || setup === 'done' }, setup, name),
      active: active.length === 0,
      warnings: [
        plan.warnings,
        checkoutWarnings,
        submoduleWarnings,
        copyWarnings,
        special,
        agentNotes,
        active,
        trackingWarnings,
      ].flat(),
    };
  }

  /**
   * Takes back what was made and gives the problem to tell. Where that fails, or somebody's files are in the way, what is left is
   * named; the journal then lets the next run try again, or is closed because the worktree is theirs now.
   */
  async takeBack(failure: unknown): Promise<unknown> {
    const thrown = await explainFailure(failure, this.#data.name, this.#workspace.repository.commonDir);
    const made = { folder: this.#folder };
    try {
      const foreign =
        made.folder && !this.#setUp
          ? await foreignFiles(this.#workspace, this.#data, { own: this.#copied, thorough: false })
          : [];
      if (foreign.length === 0) await undoCreate(this.#workspace, this.#data, made, this.#taskChange);
      await this.#journal.close();
      return foreign.length === 0 ? thrown : keptProblem(thrown, this.#data, foreign);
    } catch (second) {
      await this.#journal.abandon();
      return leftBehind(thrown, `Taking ${this.#data.relativePath} back`, second);
    }
  }

  /** Gives sentences for the person, those of the hook last. */
  async #checkOut(signal: AbortSignal): Promise<string[]> {
    await makeFolder(this.#workspace, this.#data);
    // One that was there before is ours only when git is about to make a worktree of it.
    this.#folder = !this.#data.folderThere;
    this.#workspace.environment.log.debug(`[create ${this.#data.name}] folder ready`);
    await register(this.#workspace, this.#data, signal, () => (this.#folder = true));
    this.#options.progress?.(`Checking out ${this.#data.branch}`);
    const moved = await requireOwnTree(this.#workspace, this.#data, signal);
    const said = await checkOut(this.#workspace, this.#data, signal);
    return [...moved, ...said, ...(await runPostCheckout(this.#workspace, this.#data, signal))];
  }

  #initSubmodules(signal: AbortSignal): ReturnType<typeof initSubmodules> {
    const progress = (count: number): void => this.#options.progress?.(`Initialising ${counted(count, 'submodule')}`);
    return initSubmodules(this.#workspace, this.#data, { progress, signal });
  }

  #copy(paths: readonly string[], signal: AbortSignal): ReturnType<typeof copyFiles> {
    if (paths.length > 0) this.#options.progress?.(`Copying ${counted(paths.length, 'ignored file')}`);
    return copyFiles(this.#workspace.repository.mainRoot, this.#data.path, paths, signal);
  }

  /** What is written about the worktree in the main root, as opposed to in it, once it is complete but for setup. Gives notes on its agent. */
  async #writeAbout(): Promise<readonly string[]> {
    const { environment, repository } = this.#workspace;
    const { programs } = this.#options;
    const [, agent] = await together(undefined, [
      async () => (this.#data = await enterIntoRegistry(this.#workspace, this.#data, this.#journal)),
      async () => programs && writeAgent(this.#workspace, this.#data, { isIgnored: true }),
      async () => programs && writeLaunchers(environment, repository, programs),
    ]);
    return agent?.notes ?? [];
  }

  async #setup(commands: readonly string[]): Promise<void> {
    this.#setUp = true;
    try {
      await runCommands(this.#workspace, this.#data, commands, this.#options);
    } catch (thrown) {
      if (!Problem.is(thrown, 'setup-failed')) throw thrown;
      const name = quoted(this.#data.name);
      throw new Problem(
        'setup-failed',
        `${thrown.message.replace(/\.$/, '')}, so ${this.#data.name} was not created.`,
        {
          next: `correct what is wrong and create it again, or run \`wt create ${name} --no-setup\` to have it without setup`,
          items: thrown.items,
          outcome: 'incomplete',
          cause: thrown,
        },
      );
    }
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
