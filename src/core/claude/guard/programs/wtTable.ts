/** What the shell guard knows of how `wt` reads its command line. Lists of names are texts, as {@link isAmong} wants them. */
export interface WtTable {
  /** The options that every command has; behind those that take a value an equals sign. */
  readonly options: string;
  /** Those that end everything: `wt` prints something and does nothing else. */
  readonly ending: string;
  /** What asks for help, behind a command. */
  readonly help: string;
  /** The commands, with their other names. */
  readonly commands: string;
  /** The commands that go on until something happens, each with its own options. */
  readonly waiting: Readonly<Record<string, string>>;
}

/**
 * Made from the command definitions by `src/cli/guardTable.ts`: the build puts the table of that moment here, and a test compares this
 * one, which the sources use, with it.
 */
export const wtTable: WtTable = {
  options: '-V --version --json -C= --verbose --no-color',
  ending: '-V --version',
  help: '-h --help',
  commands:
    'create new list ls tasks info diff merge cleanup rm setup checks resolve stack rebase move rename predict undo redo log push pr poll switch active clean-tree add-commit path which state retro check-ignore doctor schema completions hook merge-driver complete delete-trash help',
  waiting: { poll: '--all --timeout=' },
};
