import { allOrAbort } from '../base/allOrAbort.ts';
import { Problem, stopIfCancelled } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import { quoted } from '../base/quoted.ts';
import { writeAgent } from '../claude/agentFiles.ts';
import type { Reservation } from '../operations/store.ts';
import { writeLaunchers } from '../repository/launchers.ts';
import { assignTask, type TaskFileChange } from '../tasks/assign.ts';
import { reserveOrSay } from '../worktree/ports.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { bringIgnored, type BroughtIgnored } from './bringIgnored.ts';
import { checkOut, makeFolder, runPostCheckout } from './checkout.ts';
import { findCopies, nameSpecialFiles } from './copyIgnored.ts';
import { explainFailure } from './createFailure.ts';
import { describedBy, type CreateData } from './createData.ts';
import { keptProblem, keptWorkProblem } from './createProblems.ts';
import { becomeActive, enterIntoRegistry, enterIntoTracking } from './createRecords.ts';
import { findShares, type Share } from './findShares.ts';
import { foreignFiles } from './foreignFiles.ts';
import { requireOwnTree } from './ownTree.ts';
import type { CreatePlan } from './plan.ts';
import { register } from './register.ts';
import { rollBackCreate } from './rollBackCreate.ts';
import { outcomeOf, runCommands } from './setup.ts';
import type { SharedPath } from './shared.ts';
import { initSubmodules } from './submodules.ts';
import { dropShares } from './unfinishedShares.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';
import type { CreateOptions, Created } from './created.ts';

/** One creation in progress: its steps, and what it has made so far. */
export class Creation {
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
      if (kept) return keptWorkProblem(failure, data, kept);
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
