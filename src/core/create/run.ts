import { allOrAbort } from '../base/allOrAbort.ts';
import { Problem, stopIfCancelled } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import { quoted } from '../base/quoted.ts';
import { writeAgent } from '../claude/agentFiles.ts';
import { runOperation } from '../operations/runner.ts';
import type { Reservation } from '../operations/store.ts';
import { ensureIgnored, rulesFor } from '../repository/ignoreRules.ts';
import { writeLaunchers, type Programs } from '../repository/launchers.ts';
import type { PortBlock } from '../repository/portBlock.ts';
import { keepSpareRoom } from '../repository/spareRoom.ts';
import { assignTask, type TaskFileChange } from '../tasks/assign.ts';
import { reserveOrSay } from '../worktree/ports.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { bringIgnored, type BroughtIgnored } from './bringIgnored.ts';
import { checkOut, makeFolder, runPostCheckout } from './checkout.ts';
import { findCopies, nameSpecialFiles } from './copyIgnored.ts';
import { explainFailure } from './createFailure.ts';
import { describedBy, type CreateData } from './createData.ts';
import { keptProblem } from './createProblems.ts';
import { becomeActive, enterIntoRegistry, enterIntoTracking } from './createRecords.ts';
import { findShares, type Share } from './findShares.ts';
import { foreignFiles } from './foreignFiles.ts';
import { requireOwnTree } from './ownTree.ts';
import type { CreatePlan } from './plan.ts';
import { createKind } from './recoverCreate.ts';
import { register } from './register.ts';
import { reserveName } from './reserve.ts';
import type { WorkToCarry } from './workToCarry.ts';
import { rollBackCreate } from './rollBackCreate.ts';
import { commitSession } from './sessionCommit.ts';
import type { HookOptions } from '../hooks/plan.ts';
import type { HookResult } from '../hooks/runHooks.ts';
import { outcomeOf, runCommands, type SetupOptions, type SetupOutcome } from './setup.ts';
import type { SharedPath } from './shared.ts';
import { initSubmodules } from './submodules.ts';
import { dropShares } from './unfinishedShares.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** A worktree that was created. */
export interface Created extends Pick<
  CreatePlan,
  'name' | 'slug' | 'path' | 'relativePath' | 'branch' | 'fromRemote' | 'base' | 'baseCommit' | 'task'
> {
  /** The task was moved to the worktree tasks of the session file. */
  readonly taskMoved: boolean;
  /** When, ISO 8601. */
  readonly created: string;
  /** Its ports; `undefined` without any. */
  readonly ports: PortBlock | undefined;
  /** The git-ignored files that were copied, relative to the worktree. */
  readonly copied: readonly string[];
  /** The git-ignored folders and files that are shared with the main working tree. */
  readonly shared: readonly SharedPath[];
  /** The submodules that were initialised, relative to the worktree. */
  readonly submodules: readonly string[];
  readonly setup: SetupOutcome;
  /** What became of the commands that run after a creation. */
  readonly hooks: readonly HookResult[];
  /** It is the active worktree now. */
  readonly active: boolean;
  readonly warnings: readonly Message[];
}

/** How a creation is watched and cancelled. */
export interface CreateOptions
  extends Pick<SetupOptions, 'approveSetup' | 'onSetupOutput' | 'progress' | 'signal'>, Omit<HookOptions, 'programs'> {
  /** The bundled programs that the launchers start; without them no launcher is written. */
  readonly programs?: Programs | undefined;
  /** What comes along. */
  readonly work?: WorkToCarry | undefined;
}

/**
 * Carries out a plan: writes the session file's commit and the ignore rules, reserves the name, and creates the worktree, or rolls it back.
 *
 * @param areIgnored git ignores already what the product writes into every worktree's repository.
 * @throws Problem as {@link reserveName}; whatever a step of {@link Creation} throws, after everything was rolled back.
 */
export async function runCreate(
  workspace: Workspace,
  plan: CreatePlan,
  areIgnored: boolean,
  options: CreateOptions,
): Promise<Created> {
  const { signal, work } = options;
  await work?.check(plan);
  const [startCommit] = await Promise.all([
    plan.session === undefined ? plan.startCommit : commitSession(workspace, plan, plan.session, signal),
    ignoreOwnFiles(workspace, plan, areIgnored, signal),
  ]);
  workspace.environment.log.debug(`[create ${plan.name}] planned`);
  const { plan: current, reservation } = await reserveName(
    workspace,
    { ...plan, startCommit },
    signal,
    work?.operation,
  );
  const creation = new Creation(workspace, current, reservation, options);
  let created: Created | undefined;
  await runOperation(workspace, createKind, () => Promise.resolve(reservation), {
    prepare: async () => void (created = await creation.run()),
    finish: () => Promise.resolve({ operation: undefined }),
    rollBack: (_, failure) => creation.rollBack(failure),
  });
  if (!created) throw new Error('the worktree was not created');
  await keepSpareRoom(workspace.repository.commonDir);
  return created;
}

async function ignoreOwnFiles(
  { environment, git, repository, configuration }: Workspace,
  { relativePath }: CreatePlan,
  areIgnored: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  // A worktree may need a rule of its own, which has not been looked at.
  const isWhole = rulesFor(configuration, relativePath).length === rulesFor(configuration).length;
  if (!areIgnored || !isWhole) await ensureIgnored(environment, git, repository, configuration, signal, relativePath);
}

/** One creation in progress: its steps, and what it has made so far. */
class Creation {
  readonly #workspace: Workspace;
  readonly #plan: CreatePlan;
  readonly #reservation: Reservation<CreateData>;
  readonly #options: CreateOptions;
  #data: CreateData;
  #madeFolder = false;
  #ranSetup = false;
  #carried = false;
  #copied: readonly string[] = [];
  #shared: readonly SharedPath[] = [];
  #taskChange: TaskFileChange | undefined;

  constructor(workspace: Workspace, plan: CreatePlan, reservation: Reservation<CreateData>, options: CreateOptions) {
    this.#workspace = workspace;
    this.#plan = plan;
    this.#data = reservation.data;
    this.#reservation = reservation;
    this.#options = options;
  }

  /** Creates the worktree. A failure is explained here, before anything is rolled back. */
  async run(): Promise<Created> {
    try {
      return await this.#create();
    } catch (thrown) {
      throw await explainFailure(thrown, this.#data.name, this.#workspace.repository.commonDir);
    }
  }

  async #create(): Promise<Created> {
    const { signal, progress } = this.#options;
    const workspace = this.#workspace;
    const plan = this.#plan;
    progress?.(createMessages.creating({ what: plan.relativePath }));
    const [shares, copies, specialFiles, ofCheckout] = await allOrAbort(signal, [
      (stop) => findShares(workspace, stop),
      (stop) => findCopies(workspace, stop),
      (stop) => nameSpecialFiles(workspace, stop),
      (stop) => this.#checkOut(stop),
    ]);
    const [submodules, copied] = await allOrAbort(signal, [
      (stop) => this.#initSubmodules(stop),
      (stop) => this.#bringIgnored(shares, copies, stop),
    ]);
    this.#copied = copied.files;
    this.#log(
      `${copied.files.length} files copied, ${copied.shared.length} things shared, ${submodules.submodules.length} submodules initialised`,
    );
    stopIfCancelled(signal);
    const ofAgent = await this.#register();
    this.#log('entered into the registry');
    const [ports, ofPorts] = await reserveOrSay(workspace, describedBy(this.#data));
    await this.#carryWork();
    if (plan.setupState === 'done') await this.#runSetup();
    stopIfCancelled(signal);
    this.#taskChange = await assignTask(workspace, this.#data, signal);
    this.#log('task assigned');
    const notActive = await becomeActive(workspace, this.#data);
    this.#log('active');
    const ofTracking = await enterIntoTracking(workspace, this.#data);
    this.#log('tracked');
    const { name, slug, path, relativePath, branch, fromRemote, base, baseCommit, task } = plan;
    const { setup, setupState } = plan;
    return {
      ...{ name, slug, path, relativePath, branch, fromRemote, base, baseCommit, task },
      created: this.#data.entry.created ?? '',
      taskMoved: plan.assigned !== undefined,
      ports,
      copied: copied.files,
      shared: copied.shared,
      submodules: submodules.submodules,
      setup: outcomeOf({ ...setup, approved: setup.approved || setupState === 'done' }, setupState, name),
      hooks: [],
      active: notActive.length === 0,
      warnings: [
        plan.warnings,
        ofCheckout,
        submodules.warnings,
        copied.warnings,
        specialFiles,
        ofAgent,
        ofPorts,
        notActive,
        ofTracking,
      ].flat(),
    };
  }

  /** Rolls back what was made; where somebody's files are in the way the worktree stays, and the failure says so. */
  async rollBack(failure: unknown): Promise<unknown> {
    const [workspace, data] = [this.#workspace, this.#data];
    if (this.#carried) {
      const kept = await this.#options.work?.takeBack().catch((thrown: unknown) => asProblem(thrown));
      if (kept) return keptProblem(failure, data, kept.items.length > 0 ? kept.items : [kept.message]);
    }
    const isOurs = this.#madeFolder && !this.#ranSetup;
    // What takes room goes first: on a full disk nothing could be compared.
    const shared = this.#shared.map(({ path }) => path);
    if (isOurs) await dropShares(data.path, shared);
    const foreign = isOurs ? await foreignFiles(workspace, data, { own: this.#copied, thorough: false }) : [];
    if (foreign.length > 0) return keptProblem(failure, data, foreign);
    await rollBackCreate(workspace, data, { folder: this.#madeFolder }, this.#taskChange);
    return failure;
  }

  /** Makes the folder, the branch and git's worktree, and writes the files. Gives warnings, those of the hook last. */
  async #checkOut(signal: AbortSignal): Promise<Message[]> {
    const workspace = this.#workspace;
    const data = this.#data;
    await makeFolder(workspace, data);
    // A folder that was there before is ours only from when git makes a worktree of it.
    this.#madeFolder = !data.folderThere;
    this.#log('folder ready');
    await register(workspace, data, signal, () => (this.#madeFolder = true));
    this.#options.progress?.(createMessages.checkingOut({ branch: data.branch }));
    const moved = await requireOwnTree(workspace, data, signal);
    const said = await checkOut(workspace, data, signal);
    return [...moved, ...said, ...(await runPostCheckout(workspace, data, signal))];
  }

  #initSubmodules(signal: AbortSignal): ReturnType<typeof initSubmodules> {
    const progress = (count: number): void => this.#options.progress?.(createMessages.initialising({ count }));
    return initSubmodules(this.#workspace, this.#data, { progress, signal });
  }

  async #bringIgnored(
    shares: readonly Share[],
    copies: readonly string[],
    signal: AbortSignal,
  ): Promise<BroughtIgnored> {
    const { progress } = this.#options;
    const brought = await bringIgnored(this.#workspace, this.#data.path, shares, copies, { progress, signal });
    this.#shared = brought.shared;
    return brought;
  }

  /** Writes what the main root says of the worktree: registry entry, agent, launchers. Gives warnings about the agent. */
  async #register(): Promise<readonly Message[]> {
    const { environment, repository } = this.#workspace;
    const { programs } = this.#options;
    const [, agent] = await allOrAbort(undefined, [
      async () => (this.#data = await enterIntoRegistry(this.#workspace, this.#data, this.#reservation)),
      async () => programs && writeAgent(this.#workspace, this.#data, { isIgnored: true }),
      async () => programs && writeLaunchers(environment, repository, programs),
    ]);
    return agent?.notes ?? [];
  }

  /** Before setup, which may depend on what comes along. */
  async #carryWork(): Promise<void> {
    const { work } = this.#options;
    if (!work) return;
    await work.carry(this.#data);
    this.#carried = true;
    this.#log('uncommitted work carried');
  }

  async #runSetup(): Promise<void> {
    this.#ranSetup = true;
    try {
      await runCommands(this.#workspace, describedBy(this.#data), this.#plan.setup.commands, this.#options);
    } catch (thrown) {
      if (!Problem.is(thrown, 'setup-failed')) throw thrown;
      const name = quoted(this.#data.name);
      throw new Problem(
        'setup-failed',
        createMessages.notCreated({ reason: thrown.message.replace(/\.$/, ''), name: this.#data.name }),
        {
          next: createMessages.correctWrongCreate({ name }),
          items: thrown.items,
          outcome: 'incomplete',
          cause: thrown,
        },
      );
    }
  }

  #log(what: string): void {
    this.#workspace.environment.log.debug(`[create ${this.#data.name}] ${what}`);
  }
}
