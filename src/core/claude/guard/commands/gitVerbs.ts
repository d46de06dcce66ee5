import type { ViolationKind } from './violation.ts';

/** The git commands that talk to a remote and change something, here or there. */
export const remoteVerbs: ReadonlyMap<string, ViolationKind> = new Map<string, ViolationKind>([
  ['push', 'push'],
  ['send-pack', 'push'],
  ['http-push', 'push'],
  ['send-email', 'remote'],
  ['fetch', 'fetch'],
  ['pull', 'fetch'],
  ['fetch-pack', 'fetch'],
  ['http-fetch', 'fetch'],
  ['remote-http', 'remote'],
  ['remote-https', 'remote'],
  ['remote-ftp', 'remote'],
  ['remote-ftps', 'remote'],
  ['remote-ext', 'remote'],
  ['remote-fd', 'remote'],
]);

/** Commands whose second word decides: by that word, what each does. */
const remoteSubcommands: Readonly<Record<string, Readonly<Record<string, ViolationKind>>>> = {
  lfs: { push: 'push', fetch: 'fetch', pull: 'fetch', lock: 'remote', unlock: 'remote' },
  svn: { dcommit: 'push', 'set-tree': 'push', branch: 'remote', tag: 'remote', fetch: 'fetch', rebase: 'fetch' },
  p4: { submit: 'push', sync: 'fetch', rebase: 'fetch' },
  subtree: { push: 'push', pull: 'fetch' },
  remote: { update: 'fetch' },
  annex: { push: 'push', pull: 'fetch', sync: 'remote' },
  town: { sync: 'remote', propose: 'remote', ship: 'remote' },
  branchless: { submit: 'remote', sync: 'remote' },
};

/** What a command does whose second word decides, by those words; `undefined` for all other commands. */
export function subcommandsOf(verb: string): ReadonlyMap<string, ViolationKind> | undefined {
  const found = Object.hasOwn(remoteSubcommands, verb) ? remoteSubcommands[verb] : undefined;
  return found && new Map(Object.entries(found));
}

const localCommands =
  'add am annotate apply archimport archive attributes backfill bisect blame branch bugreport bundle ' +
  'cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout--worker checkout-index ' +
  'cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects ' +
  'credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon describe ' +
  'diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import filter-branch ' +
  'fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects fsmonitor--daemon gc ' +
  'get-tar-commit-id gitk grep gui hash-object help history hook imap-send index-pack init init-db instaweb ' +
  'interpret-trailers last-modified lfs log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge ' +
  'merge-base merge-file merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve ' +
  'merge-subtree merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects ' +
  'pack-redundant pack-refs patch-id prune prune-packed quiltimport range-diff read-tree rebase ' +
  'receive-pack reflog refs remote repack replace replay repo request-pull rerere reset restore rev-list ' +
  'rev-parse revert rm send-email sh-i18n shell shortlog show show-branch show-index show-ref ' +
  'sparse-checkout stage stash status stripspace submodule subtree survey svn switch symbolic-ref tag ' +
  'unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var ' +
  'verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree';

/** Whether git itself has the command, so that no alias can have its name. */
export function isGitCommand(verb: string): boolean {
  return remoteVerbs.has(verb) || localCommands.split(' ').includes(verb);
}
