import { basename, dirname } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { obstacleProblem } from '../base/fileProblem.ts';
import { realPathOf } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { shellWord } from '../base/quoted.ts';
import { gitMessages } from '../messages/git.ts';
import { textOf, type Message } from '../messages/message.ts';
import { findLocks, lockedThing, whyNotDead } from '../git/deadLocks.ts';
import { ageOfLock, ageWords, oldLock } from '../git/lockFile.ts';
import { findClosed, findObstacles, refuseLinksOut, refuseWorktreesElsewhere } from '../repository/places.ts';
import type { Examination, Finding } from './finding.ts';
import { doctorMessages } from '../messages/doctor.ts';

/** Files, pipes and links that are where our files and folders should be, and folders that may not be written to. */
export async function checkOwnFiles({ workspace, snapshot, signal }: Examination): Promise<Finding[]> {
  const { git, repository } = workspace;
  // What could not be read because of it has been told with the file.
  const told = snapshot.problems.map(({ message }) => message);
  const obstacles = findObstacles(repository).filter(({ at }) => !told.some((message) => message.includes(at)));
  const problems = [
    ...obstacles.map((obstacle) => obstacleProblem(doctorMessages.cannotWork(), obstacle)),
    ...findClosed(repository, doctorMessages.cannotWork()),
    ...(await thrownBy(() => refuseWorktreesElsewhere(repository))),
    ...(await thrownBy(() => refuseLinksOut(git, repository, doctorMessages.nothingWritten(), signal))),
  ];
  return problems.map(({ what, nextStep, file }): Finding => ({
    kind: 'place',
    subject: file ?? repository.mainRoot,
    message: what,
    next: nextStep,
  }));
}

async function thrownBy(act: () => Promise<void>): Promise<Problem[]> {
  try {
    await act();
    return [];
  } catch (thrown) {
    if (!Problem.is(thrown, 'outside-repository')) throw thrown;
    return [thrown];
  }
}

/** Locks of git's that have been there for long: of the repository, of its branches and of its worktrees. */
export async function checkLocks({ workspace, snapshot }: Examination): Promise<Finding[]> {
  const { environment, repository } = workspace;
  const now = environment.now();
  const found: Finding[] = [];
  for (const file of findLocks(repository.commonDir)) {
    const age = ageOfLock(file, now);
    if (age === undefined || age < oldLock) continue;
    const holder = snapshot.worktrees.find(({ gitDir, bare }) => !bare && gitDir === dirname(file));
    const index = basename(file) === 'index.lock';
    const locked = lockedThing(file);
    const thing =
      holder && (index || !holder.main) ? gitMessages.thingOf({ thing: locked, name: holder.name }) : locked;
    const places = await Promise.all(
      [repository.commonDir, ...snapshot.worktrees.map(({ path }) => path)].map(realPathOf),
    );
    const why = whyNotDead(file, places, { now, pid: environment.pid });
    const repair = async (): Promise<void> => {
      // Somebody may have taken it again meanwhile.
      const still = whyNotDead(file, places, { now: environment.now(), pid: environment.pid });
      if (still !== undefined) throw new Problem('in-use', doctorMessages.notRemoved({ file, still }), { file });
      await rm(file, { force: true });
    };
    found.push({
      kind: 'lock',
      subject: holder?.name ?? subjectOf(locked),
      message: doctorMessages.lockedGitCommand({ thing, ageWords: ageWords(age) }),
      next: doctorMessages.noGitCommand({ file: shellWord(file) }),
      ...(why === undefined ? { repair } : {}),
    });
  }
  return found;
}

/** A branch is named by itself, other things by what they are. */
function subjectOf(locked: Message): string {
  const { branch } = locked.args;
  return typeof branch === 'string' ? branch : textOf(locked);
}
