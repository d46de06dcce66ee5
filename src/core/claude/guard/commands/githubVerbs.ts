/** By group of `gh` commands, the verbs that only read; `*` stands for a command without verbs that only reads. */
const readingVerbs: Readonly<Record<string, string>> = {
  pr: 'view list status diff checks checkout co',
  issue: 'view list status',
  repo: 'view list clone set-default gitignore license read-file read-dir',
  release: 'view list download verify verify-asset',
  run: 'view list watch download',
  workflow: 'view list',
  label: 'list',
  gist: 'view list clone',
  secret: 'list',
  variable: 'list get',
  auth: 'status token',
  cache: 'list',
  alias: 'list',
  extension: 'list search browse',
  ext: 'list search browse',
  config: 'get list clear-cache',
  codespace: 'list view logs',
  cs: 'list view logs',
  project: 'view list field-list item-list',
  ruleset: 'view list check',
  rs: 'view list check',
  org: 'list',
  'ssh-key': 'list',
  'gpg-key': 'list',
  attestation: 'verify download trusted-root',
  at: 'verify download trusted-root',
  'agent-task': 'view list',
  discussion: 'view list',
  copilot: 'suggest explain',
  search: '*',
  browse: '*',
  status: '*',
  completion: '*',
  help: '*',
  version: '*',
  licenses: '*',
  environment: '*',
  co: '*',
  api: '',
};

/** The verbs of a group of `gh` commands that only read, as in the table; `undefined` for groups that gh does not have. */
export function readsOf(group: string): readonly string[] | undefined {
  return Object.hasOwn(readingVerbs, group) ? readingVerbs[group]?.split(' ') : undefined;
}

const writingVerbs =
  'create new ready merge close reopen edit comment review update-branch lock unlock pin unpin transfer ' +
  'delete develop upload fork rename archive unarchive sync disable enable run rerun cancel set remove ' +
  'import revert';

/** Whether a verb of `gh` writes, for the keyword search. */
export function isWritingVerb(verb: string): boolean {
  return writingVerbs.split(' ').includes(verb);
}
