import assert from 'node:assert/strict';
import { appendFile, rm } from 'node:fs/promises';
import { getSystemErrorName } from 'node:util';
import { join } from 'node:path';
import { wtHome, type Ran, type WtHome } from '../../cli/support/wt.ts';
import { copyFolder } from '../../support/savedPlace.ts';
import { isInShare, isThorough } from '../../support/share.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { isOnlyBegun, unsoundness } from './fsck.ts';
import { differences, takePicture, type Picture } from './picture.ts';
import { Refusal, type Call, type Mode, type Refused } from './refusal.ts';

/** Only these calls, for whoever works on one of them: `WT_TEST_CALLS=77,78`. */
const chosen = (process.env['WT_TEST_CALLS'] ?? '').split(',').filter(Boolean).map(Number);
/** One in so many calls is tried in the ordinary run: all of them are hundreds of runs of each command. */
const parts = 4;
/** How many calls of a command are tried on a disk that stays full, and on one that stays read-only, in the ordinary run. */
const lastingTries = 6;

/** A command that is run again and again, each time with another call refused. */
export interface Scenario {
  /** What `wt` is given. */
  readonly args: readonly string[];
  /** Makes the situation that the command is run in. */
  readonly prepare: (home: WtHome, repository: TestRepository) => Promise<void>;
}

/** One try: what was refused, and what became of it. */
interface Try {
  readonly ran: Ran;
  readonly refused: Refused;
}

/** A repository at one path that is put back to how it was before each try: our records may name it by that path. */
export class FaultyDisk {
  readonly #home: WtHome;
  readonly #root: string;
  readonly #refusal: Refusal;
  readonly #args: readonly string[];
  #before!: Picture;
  #after!: Picture;
  /** What the command says when it is done. */
  #done: readonly string[] = [];
  /** Its calls when none is refused. */
  #calls: readonly Call[] = [];

  private constructor(home: WtHome, root: string, refusal: Refusal, args: readonly string[]) {
    this.#home = home;
    this.#root = root;
    this.#refusal = refusal;
    this.#args = args;
  }

  /** Makes the repository, and runs the command once without a refusal, which tells what it is like when it is done. */
  static async start({ args, prepare }: Scenario): Promise<FaultyDisk> {
    const home = await wtHome();
    // Copies have other inode numbers, which git would take for changes.
    await appendFile(join(home.root, '.gitconfig'), '[core]\n\ttrustctime = false\n\tcheckStat = minimal\n');
    const repository = await home.repository();
    const refusal = await Refusal.below(repository.root, join(home.root, 'control'));
    // Counted too, since that tells when everything has ended that a command leaves in the background.
    await refusal.prepare(0);
    Object.assign(home.variables, refusal.variables);
    await prepare(home, repository);
    await refusal.happened();
    for (const name of Object.keys(refusal.variables)) delete home.variables[name];
    const disk = new FaultyDisk(home, repository.root, refusal, args);
    disk.#copy('project', 'template');
    disk.#before = await disk.#picture();
    disk.#copy('template', 'project');
    let ran: Ran | undefined;
    disk.#calls = await refusal.trace(async (variables) => {
      ran = await home.wt(repository.root, args, { variables });
    });
    assert.ok(ran?.code === 0, ran?.stderr);
    disk.#after = await disk.#picture();
    disk.#done = [ran.stdout, ran.stderr].flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
    assert.notDeepEqual(differences(disk.#before, disk.#after), [], 'the command changes nothing');
    return disk;
  }

  dispose(): Promise<void> {
    return this.#home.dispose();
  }

  /**
   * Refuses each call in turn. The errors that fit take turns too, so that each call is tried once; or all of them are tried. Of the calls that a
   * process makes one after the other with one file (open, write, sync, rename) the first and the last are enough, unless all errors are tried;
   * and one in {@link parts} of these.
   */
  async refuseEach(): Promise<string[]> {
    const faults: string[] = [];
    if (chosen.length > 0) {
      for (const at of chosen) await this.#judge(at, 'once', at % 5, faults);
      return faults;
    }
    let turn = 0;
    // How many calls there are differs a little from run to run.
    for (let at = 1; ; at++) {
      if (!isThorough && this.#isWithinSteps(at)) continue;
      if (!isThorough && at <= this.#calls.length && !isInShare(turn++, parts)) continue;
      let refused = 0;
      for (const choice of isThorough ? [0, 1, 2, 3, 4] : [at % 5])
        refused += await this.#judge(at, 'once', choice, faults);
      if (refused === 0 && at > this.#calls.length) return faults;
    }
  }

  /** Lets the disk be full, or read-only, from a call on: some calls, evenly spread, or all of them. */
  async refuseFrom(mode: 'full' | 'read-only'): Promise<string[]> {
    const faults: string[] = [];
    const calls = this.#calls.length;
    const step = isThorough ? 1 : Math.max(1, calls / lastingTries);
    const spread = Array.from({ length: Math.floor(calls / step) }, (_, index) => Math.floor(1 + index * step));
    for (const at of chosen.length > 0 ? chosen : spread) await this.#judge(at, mode, 0, faults);
    return faults;
  }

  /** Whether a call is neither the first nor the last that its process makes in a row with one file. */
  #isWithinSteps(at: number): boolean {
    const [before, call, next] = [this.#calls[at - 2], this.#calls[at - 1], this.#calls[at]];
    const isSame = (other: Call | undefined): boolean => other?.pid === call?.pid && other?.path === call?.path;
    return call !== undefined && before !== undefined && next !== undefined && isSame(before) && isSame(next);
  }

  /** Tries one call, and adds what is wrong then to the faults; how many calls were refused. */
  async #judge(at: number, mode: Mode, choice: number, faults: string[]): Promise<number> {
    const made = await this.#try(at, mode, choice);
    const { refused, ran } = made;
    if (refused.refused === 0) return 0;
    const wrong = await this.#wrong(made, mode);
    if (wrong.length > 0) {
      const call = `${refused.call.replaceAll(`${this.#root}/`, '')} [${getSystemErrorName(-refused.error)}]`;
      const words = ran.stderr.trim().split('\n').slice(0, 6).join('\n    | ');
      faults.push(
        `wt ${this.#args.join(' ')}, call ${at} (${mode}): ${call}, exit ${ran.code}\n  ${wrong.join('\n  ')}\n    | ${words}`,
      );
    }
    return refused.refused;
  }

  async #try(at: number, mode: Mode, choice: number): Promise<Try> {
    this.#copy('template', 'project');
    return this.#run(this.#args, { at, mode, choice });
  }

  /** Runs a command to its end, and waits for what it leaves in the background, which would change what is looked at next. */
  async #run(args: readonly string[], refuse?: { at: number; mode: Mode; choice: number }): Promise<Try> {
    await this.#refusal.prepare(refuse?.at ?? 0, refuse?.mode, refuse?.choice);
    const ran = await this.#home.wt(this.#root, args, { variables: this.#refusal.variables });
    return { ran, refused: await this.#refusal.happened() };
  }

  /** What is wrong after a command of which a call was refused. */
  async #wrong({ ran }: Try, mode: Mode): Promise<string[]> {
    const wrong: string[] = [];
    if (/fault in wt itself|^\s+at .+:\d+:\d+/m.test(ran.stdout + ran.stderr))
      wrong.push('it ends as a fault in wt itself');
    const [unsound, now] = await Promise.all([this.#unsound(), this.#picture()]);
    const isBegun = mode === 'read-only' && ran.code !== 0 && isOnlyBegun(unsound);
    if (!isBegun) wrong.push(...unsound);
    const [fromBefore, fromAfter] = [differences(this.#before, now), differences(this.#after, now)];
    const known = new Set([...this.#before.leftovers, ...this.#after.leftovers]);
    const isClean = now.leftovers.every((path) => known.has(path));
    if (ran.code === 0) {
      if (fromAfter.length > 0) return [...wrong, 'it says that it is done, but', ...fromAfter];
      if (!isClean) wrong.push(...(await this.#hindered(now, this.#after)));
      return wrong;
    }
    if (ran.stderr.trim() === '') wrong.push('it does not say why');
    const said = this.#done.filter((line) => ran.stdout.split('\n').includes(line));
    if (said.length > 0) wrong.push(`it says ${JSON.stringify(said)}, as if it were done`);
    const isSettled = !isBegun && (fromBefore.length === 0 || fromAfter.length === 0);
    if (!isSettled) wrong.push(...(await this.#unmendable(fromBefore)));
    else if (!isClean) wrong.push(...(await this.#hindered(now, fromBefore.length === 0 ? this.#before : this.#after)));
    return wrong;
  }

  /**
   * The same command once more. Where it names a lock of git's that a git process has left, it is done what the answer says: nobody but the
   * person can know that no git is running any more. Of a read-only disk git leaves several, and it stumbles over one after the other.
   */
  async #again(): Promise<Ran> {
    let { ran: again } = await this.#run(this.#args);
    for (let last = ''; again.code !== 0;) {
      const lock = /`rm (\S+\.lock)`/.exec(again.stderr)?.[1];
      if (lock === undefined || lock === last) break;
      await rm(lock);
      last = lock;
      again = (await this.#run(this.#args)).ran;
    }
    return again;
  }

  /** What is left behind must not hinder whoever comes next. */
  async #hindered(now: Picture, is: Picture): Promise<string[]> {
    const left = `left behind: ${now.leftovers.join(', ')}`;
    if (is === this.#before) {
      const again = await this.#again();
      const missing = differences(this.#after, await this.#picture());
      if (again.code === 0 && missing.length === 0) return [];
      return [left, `the same command again ends with ${again.code}: ${firstLine(again)}`, ...missing];
    }
    const { ran: doctor } = await this.#run(['doctor', '--fix']);
    const missing = differences(is, await this.#picture());
    return doctor.code === 0 && missing.length === 0
      ? []
      : [left, `doctor --fix ends with ${doctor.code}: ${firstLine(doctor)}`, ...missing];
  }

  /** What is half done must be completed by the same command, or be completed or taken back by `wt doctor --fix`. */
  async #unmendable(half: readonly string[]): Promise<string[]> {
    this.#copy('project', 'half');
    const again = await this.#again();
    const afterAgain = differences(this.#after, await this.#picture());
    if (again.code === 0 && afterAgain.length === 0) return this.#unsound();
    this.#copy('half', 'project');
    const { ran: doctor } = await this.#run(['doctor', '--fix']);
    const mended = await this.#picture();
    const [fromBefore, fromAfter] = [differences(this.#before, mended), differences(this.#after, mended)];
    if (fromBefore.length === 0 || fromAfter.length === 0) return this.#unsound();
    const last = await this.#again();
    const afterLast = differences(this.#after, await this.#picture());
    if (last.code === 0 && afterLast.length === 0) return this.#unsound();
    return [
      `half done: ${half.join(', ')}`,
      `the same command again ends with ${again.code} (${firstLine(again)}), then ${afterAgain.join(', ')}`,
      `doctor --fix ends with ${doctor.code} (${firstLine(doctor)}), then ${fromBefore.join(', ')}`,
      `and the same command after that with ${last.code} (${firstLine(last)}), then ${afterLast.join(', ')}`,
    ];
  }

  #unsound(): Promise<string[]> {
    return unsoundness(this.#root, this.#home.variables);
  }

  #picture(): Promise<Picture> {
    return takePicture(this.#root, this.#home.variables);
  }

  #copy(from: string, to: string): void {
    copyFolder(join(this.#home.root, from), join(this.#home.root, to));
  }
}

const firstLine = ({ stdout, stderr }: Ran): string => (stderr.trim() || stdout.trim()).split('\n')[0] ?? '';
