import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { relativeTo } from '../base/paths.ts';
import { isObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { readRegistry, type RegistryEntry } from '../repository/registry.ts';
import { changeTracking, readTracking, trackingFile } from '../repository/trackingFile.ts';
import {
  claimsToExist,
  ownPrograms,
  placeOf,
  recordOf,
  removedRecord,
  type TrackingFault,
} from '../repository/trackingRecords.ts';
import { heldAgainst, syncTracking } from '../lifecycle/tracking.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Examination, Finding } from './finding.ts';
import { type Message } from '../messages/message.ts';
import { doctorMessages } from '../messages/doctor.ts';

/** Holds the team's tracking file against the worktrees that there are. Records of other tools are none of our business. */
export async function checkTracking({ workspace, snapshot, state }: Examination): Promise<Finding[]> {
  const { environment, repository, configuration } = workspace;
  let records: readonly unknown[];
  try {
    if ((await trackingFile(repository, configuration)) === undefined) return [];
    records = await readTracking(repository, configuration);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const { what, nextStep, file = configuration.trackingFile ?? '' } = thrown;
    return [{ kind: 'tracking', subject: file, message: what, next: nextStep }];
  }
  // Without a registry that can be read nobody knows which records there should be.
  if (!state) return [];
  const present = snapshot.worktrees.filter(({ main }) => !main);
  // The registry may not know yet that a branch has another name, or where a worktree is now.
  const entries = present.flatMap(({ entry, path, branch }) =>
    entry && branch !== undefined ? [{ ...entry, path, branch }] : [],
  );
  const { faults } = await heldAgainst(workspace, records, entries, environment.now().toISOString());
  const relative = (path: string): string => relativeTo(repository.mainRoot, resolve(repository.mainRoot, path));
  const known = new Set([...(await readRegistry(repository)).worktrees.values()].map(({ path }) => relative(path)));
  const listed = new Set(snapshot.worktrees.map(({ path }) => relative(path)));
  // A record that only has another path by now is not that of a worktree that is gone.
  const moved = new Set(faults.flatMap((fault) => (fault.kind === 'path' ? [relative(fault.says ?? '')] : [])));
  const gone = records.filter(isObject).flatMap((record) => {
    const path = placeOf(record, repository.mainRoot);
    if (path === undefined || listed.has(path) || moved.has(path) || !claimsToExist(record)) return [];
    return known.has(path) || ownPrograms.includes(record['created_by']) ? [path] : [];
  });
  return [
    ...faults.map((fault): Finding => ({
      kind: 'tracking',
      subject: fault.truth.path,
      message: faultMessage(fault),
      repair: () => repairRecords(workspace, entries),
    })),
    ...(await goneFindings(workspace, gone)),
  ];
}

async function goneFindings(workspace: Workspace, paths: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const path of paths) {
    const message = doctorMessages.trackingFileNames({ path });
    const occupied = await isThere(workspace, path);
    found.push({
      kind: 'tracking',
      subject: path,
      message,
      ...(occupied
        ? {
            next: doctorMessages.lookGitKnows({ path }),
          }
        : { repair: () => markRemoved(workspace, path) }),
    });
  }
  return found;
}

function faultMessage(fault: TrackingFault): Message {
  const { path, branch, status } = fault.truth;
  switch (fault.kind) {
    case 'missing':
      return doctorMessages.worktreeNotTracking({ path });
    case 'lacks':
      return doctorMessages.trackedWithout({ path, keys: fault.keys });
    case 'path':
      return doctorMessages.trackedElsewhere({ path, says: fault.says ?? doctorMessages.noPath() });
    case 'branch':
      return doctorMessages.trackedOnAnotherBranch({ path, says: fault.says ?? doctorMessages.noBranch(), branch });
    case 'status':
      return doctorMessages.trackedStatus({ path, says: fault.says ?? doctorMessages.nothing(), status });
    case 'workflow_run_id':
    case 'work_id': {
      const { kind: key, says = doctorMessages.nothing(), truth } = fault;
      return doctorMessages.trackedKey({ path, key, says, is: truth[key] ?? '' });
    }
  }
}

async function repairRecords(workspace: Workspace, entries: readonly RegistryEntry[]): Promise<void> {
  const [warning] = await syncTracking(workspace, () => Promise.resolve(entries));
  if (warning !== undefined) throw new Problem('not-writable', warning, { outcome: 'incomplete' });
}

/** Nothing of the record goes: other tools may have written into it. */
async function markRemoved(workspace: Workspace, path: string): Promise<void> {
  const { environment, repository, configuration } = workspace;
  if (await isThere(workspace, path)) return;
  await changeTracking(environment, repository, configuration, (records, now) => {
    const before = recordOf(records, path, repository.mainRoot);
    return before && claimsToExist(before)
      ? records.with(records.indexOf(before), removedRecord(before, now))
      : records;
  });
}

function isThere({ repository }: Workspace, path: string): Promise<boolean> {
  return lstat(join(repository.mainRoot, path)).then(
    () => true,
    () => false,
  );
}
