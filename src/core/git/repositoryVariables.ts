import type { Environment } from '../base/environment.ts';

/**
 * The variables that tie git to one repository, as `git rev-parse --local-env-vars` lists them, and those of a push that is received or a
 * namespace that is served: where a git hook or an alias has started us, they name its repository and not the one of the folder.
 */
const repositoryVariables: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/**
 * The environment variables of a person's own command in another worktree: all but those of the repository that we were started in.
 * Unlike the door to git (`gitProcess.ts`) it leaves editors, pagers and prompts as they are, since the command may use a terminal.
 */
export function withoutRepositoryVariables(variables: Environment['variables']): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) continue;
    const upper = name.toUpperCase();
    if (repositoryVariables.has(upper) || /^GIT_CONFIG_(KEY|VALUE)_\d+$/.test(upper)) continue;
    // Set for us where an editor's own runtime runs us; it would turn every Electron program into plain Node.
    if (upper === 'ELECTRON_RUN_AS_NODE') continue;
    kept[name] = value;
  }
  return kept;
}
