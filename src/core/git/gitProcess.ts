import type { Environment } from '../base/environment.ts';

/** How one git process is run. */
export interface GitOptions {
  /** The folder it runs in. */
  readonly cwd: string;
  /** Ends the process; the call then fails with the problem `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Written to its standard input, which is closed then; without one it is empty. */
  readonly input?: string | Uint8Array;
  /** Further environment variables, such as `GIT_INDEX_FILE`; only the ones in {@link allowedVariables} get through. */
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * The command changes something: it may take git's locks, runs in the user's locale, and is tried again for a while
   * when another git process holds a lock. Commands that only read take no optional locks.
   */
  readonly writes?: boolean;
  /**
   * A sparse index stays one. Where only the name of a new file is staged in it, git (2.39) loses entries once it puts the files in place of a
   * folder, which it does for any command that is told to write no sparse index.
   */
  readonly keepsSparse?: boolean;
  /** Ends the process when it has been silent for so many milliseconds. Default: 60,000 for reads, none for writes. */
  readonly silenceLimit?: number;
}

/** The variables of git's own that we hand on or set; every other `GIT_*` of the caller's environment is left behind. */
export const allowedVariables = [
  'GIT_ASKPASS',
  'GIT_AUTHOR_DATE',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_NAME',
  'GIT_COMMITTER_DATE',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_EDITOR',
  'GIT_INDEX_FILE',
  // Git-lfs, started by git, reads it: it leaves the pointers of large files in place.
  'GIT_LFS_SKIP_SMUDGE',
  'GIT_MERGE_AUTOEDIT',
  'GIT_OPTIONAL_LOCKS',
  'GIT_SEQUENCE_EDITOR',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_TERMINAL_PROMPT',
  'GIT_TRACE2_EVENT',
  'SSH_ASKPASS',
];
/** Of those, the ones that are only ever set by us for one call: inherited, they would point at another repository. */
const neverInherited = new Set([
  'GIT_INDEX_FILE',
  'GIT_OPTIONAL_LOCKS',
  'GIT_TERMINAL_PROMPT',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_MERGE_AUTOEDIT',
]);

/** Programs that git would start for a person at a terminal; no command of ours needs one. */
const programNames = new Set(['EDITOR', 'VISUAL', 'PAGER', 'PREFIX']);

/**
 * simple-git's guards are for arguments that come from strangers; ours are built here. The last but one would otherwise reach
 * the user's hooks through the environment and break those that abbreviate options.
 */
export const unguarded = {
  allowUnsafeAlias: true,
  allowUnsafeAskPass: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeEditor: true,
  allowUnsafeFilter: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeMergeDriver: true,
  allowUnsafeSshCommand: true,
  allowUnsafeSubmodule: true,
  allowAbbreviatedOptions: true,
  allowUnsafeCustomBinary: true,
} as const;

/** Settings of the user that would change what we parse; given on the command line, they win over every file. */
const neutral = [
  '-c',
  'color.ui=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'log.showSignature=false',
  '-c',
  'status.relativePaths=false',
  '-c',
  // People whose terminal has a code page have commits shown in it; we read UTF-8.
  'i18n.logOutputEncoding=UTF-8',
];

/**
 * An index is written as a whole: git, where it puts a folder in place of its files once more, can name one file several times and lose
 * others if the name of a new file is staged alone (seen with 2.39).
 */
const whole = ['-c', 'index.sparse=false'];

/**
 * For an index that is not where git keeps it: the part of it that `core.splitIndex` puts into a file of its own would be left with the git
 * directory of this command.
 */
const ofCopies = ['-c', 'core.splitIndex=false', ...whole];

type GitOptionsOfIndex = Pick<GitOptions, 'variables' | 'writes' | 'keepsSparse'>;

/** What goes before the arguments of a command. */
export function settingsFor({ variables, writes, keepsSparse }: GitOptionsOfIndex): readonly string[] {
  if (variables?.['GIT_INDEX_FILE'] !== undefined) return [...neutral, ...ofCopies];
  return writes && !keepsSparse ? [...neutral, ...whole] : neutral;
}

/**
 * The environment of one git process: the caller's, without git's own variables but the allowed ones, without a prompt, an editor or a pager.
 */
export function variablesFor(
  inherited: Environment['variables'],
  options: Omit<GitOptions, 'cwd'>,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined) continue;
    const upper = name.toUpperCase();
    if (upper.startsWith('GIT_') && (!allowedVariables.includes(upper) || neverInherited.has(upper))) continue;
    if (programNames.has(upper)) continue;
    // Set for us where an editor's own runtime runs us; it would turn every Electron program that a hook starts into plain Node.
    if (upper === 'ELECTRON_RUN_AS_NODE') continue;
    variables[name] = value;
  }
  variables['GIT_TERMINAL_PROMPT'] = '0';
  variables['GIT_EDITOR'] = 'true';
  variables['GIT_SEQUENCE_EDITOR'] = 'true';
  variables['GIT_MERGE_AUTOEDIT'] = 'no';
  if (options.writes) {
    // Whether a lock was in the way is known from git's words only. The encoding of the user's locale stays as it is.
    variables['LANGUAGE'] = 'en';
  } else {
    variables['GIT_OPTIONAL_LOCKS'] = '0';
    variables['LC_ALL'] = 'C';
  }
  return { ...variables, ...options.variables };
}
