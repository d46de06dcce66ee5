import type { PassingTable } from './passedCommand.ts';

/** What the shell guard knows of how `wt` parses its command line. */
export interface WtTable {
  /** The options of every command; those that take a value end with an equals sign. */
  readonly options: readonly string[];
  /** The options that make `wt` print something and do nothing else. */
  readonly ending: readonly string[];
  /** The options that ask for a command's help. */
  readonly help: readonly string[];
  /** The commands and their aliases, separated by blanks. */
  readonly commands: string;
  /** The commands that wait until something happens, each with its own options. */
  readonly waiting: Readonly<Record<string, readonly string[]>>;
  /** The commands that run another program, which stands behind their own words. */
  readonly passing: PassingTable['passing'];
}

/**
 * Generated from the command definitions by `src/cli/guardTable.ts`: the build replaces this file. The copy here is for tests that run
 * from the sources; one of them compares the two.
 */
export const wtTable: WtTable = {
  options: ['-V', '--version', '--json', '-C=', '--verbose', '--no-color'],
  ending: ['-V', '--version'],
  help: ['-h', '--help'],
  commands:
    'create new adopt list ls tasks info diff exec merge cleanup rm remove lock unlock reclaim setup checks hooks resolve carry stack rebase restack move rename predict undo redo log push pr poll switch cd active clean-tree add-commit path which wait state retro check-ignore doctor schema shell-init completions hook merge-driver complete delete-trash run-hook help',
  waiting: { poll: ['--all', '--timeout='], wait: ['--any', '--all', '--timeout='] },
  passing: { exec: { options: ['--all', '--stack', '--keep-going', '--jobs='], withoutWords: ['--all'] } },
};
