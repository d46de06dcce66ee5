import type { KindName, Operation } from '../operations/operation.ts';
import type { OperationKind } from '../operations/runner.ts';

/** Every kind of operation, each with all of its steps in one file. */
export const operationKinds = {
  create: async () => (await import('../create/recoverCreate.ts')).createKind,
  cleanup: async () => (await import('../remove/commit.ts')).removeKind,
  reclaim: async () => (await import('../reclaim/reclaimKind.ts')).reclaimKind,
  trash: async () => (await import('../trash/trash.ts')).trashKind,
  restore: async () => (await import('../restore/restore.ts')).restoreKind,
  'restore-record': async () => (await import('../restore/restoreAdminDir.ts')).restoreAdminKind,
  restack: async () => (await import('../restack/apply.ts')).restackKind,
  rename: async () => (await import('../restack/rename.ts')).renameKind,
  merge: async () => (await import('../merge/mergeKind.ts')).mergeKind,
  carry: async () => (await import('../carry/carryKind.ts')).carryKind,
  stack: async () => (await import('../restack/earlierJournal.ts')).earlierStackKind,
} satisfies Readonly<Record<KindName, () => Promise<OperationKind<never>>>>;

/** The kind that gives the inverse of each operation in the log. An undo is undone by a redo, which reverses what it undid. */
export const reversedBy: Readonly<Record<Exclude<Operation['kind'], 'undo' | 'redo'>, KindName>> = {
  cleanup: 'cleanup',
  rebase: 'restack',
  move: 'restack',
  merge: 'merge',
  rename: 'rename',
  carry: 'carry',
};
