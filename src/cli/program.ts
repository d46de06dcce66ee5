import { resolve } from 'node:path';
import { Command, CommanderError, Help, Option } from 'commander';
import { Problem } from '../core/base/problem.ts';
import type { Colours } from './colour.ts';
import type { CommandOptions, ExitCode } from './command.ts';
import { catalogue } from './definitions/catalogue.ts';
import { globalOptions, type CommandDefinition } from './definitions/definition.ts';
import type { Output } from './output.ts';
import { cliMessages } from './cliMessages.ts';
import { verbatim } from '../core/messages/message.ts';

/** The options of every command, as they were given. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly noColour: boolean;
  /** Where to run: `-C`, each relative to the one before it and the first one to the current folder. */
  readonly folder: string;
}

/** A command that was asked for; without a name it is `wt` alone. */
export interface Request {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: CommandOptions;
}

/** Finds the global options, wherever they stand among the arguments. Never fails: what is wrong is told by {@link parse}. */
export function readGlobalOptions(args: readonly string[], cwd: string): GlobalOptions {
  const options = addOptions(new Command().exitOverride().configureOutput(silent), cwd);
  try {
    options.parseOptions([...args]);
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
  }
  const found = options.opts<{ json?: boolean; verbose?: boolean; color: boolean; C?: string }>();
  return { json: found.json ?? false, verbose: found.verbose ?? false, noColour: !found.color, folder: found.C ?? cwd };
}

/**
 * Understands the arguments of `wt`. Help and version are printed here.
 *
 * @returns what to run, or the exit code when there is nothing left to do.
 * @throws Problem `usage` that says how to ask for help.
 */
export async function parse(args: readonly string[], output: Output, version: string): Promise<Request | ExitCode> {
  let request: Request | undefined;
  const program = buildProgram(output, version, (found) => (request = found));
  try {
    const bare = addOptions(new Command().exitOverride().configureOutput(silent), '.').parseOptions([...args]);
    if (bare.operands.length === 0 && bare.unknown.length === 0) {
      return { name: '', words: [], options: {} };
    }
    await program.parseAsync(asksForHelp(program, bare.operands) ?? args.map(inOneWord), { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    throw usageProblem(thrown, args);
  }
  return request ?? 0;
}

/**
 * What `wt help` means: commander's own command knows no commands of two words. Nothing that is asked about is run, so what looks like an
 * option, as it may after `--`, is no word of it. `undefined` for another command.
 */
function asksForHelp(program: Command, [first, ...rest]: readonly string[]): string[] | undefined {
  if (first !== 'help') return undefined;
  const words = rest.filter((word) => !word.startsWith('-'));
  const isKnown = program.commands.some((each) => [each.name(), ...each.aliases()].includes(words[0] ?? ''));
  return isKnown || words.length === 0 ? [...words, '--help'] : words;
}

/** Options whose value may be left out: commander would take the next word for it, so each value is a flag of its own. */
const flagOf: Readonly<Record<string, string>> = {
  '--with-changes=move': '--with-changes',
  '--with-changes=copy': '--copy-changes',
};
const inOneWord = (word: string, index: number, all: readonly string[]): string =>
  all.indexOf('--') >= 0 && all.indexOf('--') < index ? word : (flagOf[word] ?? word);

const silent = { writeOut: () => {}, writeErr: () => {}, outputError: () => {} };

function addOptions(command: Command, cwd: string): Command {
  for (const { syntax, description } of globalOptions) {
    const option = new Option(syntax, description);
    if (syntax.startsWith('-C'))
      option.argParser((value: string, before: string | undefined) => resolve(before ?? cwd, value));
    command.addOption(option);
  }
  return command;
}

/**
 * The parser of `wt`.
 *
 * @param found told which command was asked for, instead of running it.
 */
export function buildProgram(
  output: Pick<Output, 'colours' | 'write' | 'width'>,
  version: string,
  found: (request: Request) => void,
): Command {
  const program = new Command('wt');
  const { colours } = output;
  program
    .description(
      'Git worktrees for people who run several coding agents side by side.\nWithout a command: where you are, and what to do next.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpCommand(
      new Command('help').argument('[command]').description('print help for a command').helpGroup('About wt:'),
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: () => {},
      outputError: () => {},
      getOutHasColors: () => true,
      getOutHelpWidth: () => output.width ?? 100,
    })
    .configureHelp(helpStyle(colours))
    .usage('[command] [options]')
    .addHelpText(
      'after',
      `\n${colours.bold('Exit codes:')}\n  0 done, 1 not completed (it says what to do), 2 an error`,
    );
  addOptions(program, '.');
  for (const definition of catalogue) addCommand(program, definition, colours, found);
  program.commandsGroup('About wt:');
  return program;
}

/** What the commands that only hold others are about. */
const groupsOf: Readonly<Record<string, string>> = {
  state: 'about the state of the worktree you are in',
  db: 'about the database of the worktree you are in',
};

/** A definition named `state context` becomes a command of the command `state`, `state db init` one of `state db`. */
function addCommand(
  program: Command,
  definition: CommandDefinition,
  colours: Colours,
  found: (request: Request) => void,
): void {
  const { group } = definition;
  const above = definition.name.split(' ');
  const name = above.pop() ?? '';
  let parent = program;
  for (const word of above) {
    parent =
      parent.commands.find((each) => each.name() === word) ?? parent.command(word).description(groupsOf[word] ?? '');
  }
  const command = parent.command(name, { hidden: group === undefined });
  command.summary(definition.summary).description(descriptionOf(definition));
  if (group !== undefined) command.helpGroup(group);
  for (const alias of definition.aliases ?? []) command.alias(alias);
  for (const { syntax, description } of definition.words ?? []) command.argument(syntax, description);
  for (const { syntax, short, description, repeats } of definition.options ?? []) {
    const option = new Option(short === undefined ? syntax : `${short}, ${syntax}`, description);
    if (repeats) option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
    command.addOption(option);
  }
  if (definition.examples) command.addHelpText('after', examplesText(definition.examples, colours));
  command.action((...given: unknown[]) => {
    const words = given
      .slice(0, -2)
      .flat()
      .filter((word): word is string => typeof word === 'string');
    found({ name: definition.name, words, options: command.opts() });
  });
}

function examplesText(examples: readonly (readonly [string, string])[], colours: Colours): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(
    ([line, effect]) => `  ${line}${effect ? colours.dim(`${' '.repeat(width - line.length)}  # ${effect}`) : ''}`,
  );
  return `\n${colours.bold('Examples:')}\n${lines.join('\n')}`;
}

function descriptionOf({ summary, details }: CommandDefinition): string {
  const first = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return details === undefined ? first : `${first}\n${details}`;
}

function helpStyle(colours: Colours): Partial<Help> {
  return {
    showGlobalOptions: true,
    visibleCommands: (command) => new Help().visibleCommands(command).flatMap((each) => leavesOf(each)),
    subcommandTerm: (command) => {
      const words = command.registeredArguments.map((argument) =>
        argumentTerm(argument.name(), argument.variadic, argument.required),
      );
      return [...namesAbove(command), command.name(), ...words].join(' ');
    },
    subcommandDescription: (command) => {
      const aliases = command.aliases().join(', ');
      return `${command.summary() || command.description()}${aliases === '' ? '' : ` (also: ${aliases})`}`;
    },
    styleTitle: (text) => colours.bold(text),
    styleCommandText: (text) => colours.cyan(text),
    styleSubcommandText: (text) => colours.cyan(text),
    styleOptionText: (text) => colours.cyan(text),
    styleArgumentText: (text) => colours.cyan(text),
  };
}

/** A command that does something, or all such below one that only holds others. */
const leavesOf = (command: Command): Command[] =>
  command.commands.length > 0 ? command.commands.flatMap((each) => leavesOf(each)) : [command];

/** The names of the commands that hold a command, without `wt` itself. */
const namesAbove = ({ parent }: Command): string[] => (parent?.parent ? [...namesAbove(parent), parent.name()] : []);

function argumentTerm(name: string, variadic: boolean, required: boolean): string {
  const text = `${name}${variadic ? '...' : ''}`;
  return required ? `<${text}>` : `[${text}]`;
}

/** What other tools call our commands, where the name is not alike. */
const meanings: Readonly<Record<string, string>> = {
  ...{
    add: 'create',
    start: 'create',
    checkout: 'create',
    delete: 'cleanup',
    del: 'cleanup',
    prune: 'cleanup --merged',
  },
  ...{ open: 'cd', go: 'cd', goto: 'cd', status: 'list', st: 'list', sync: 'rebase --stack', update: 'rebase --stack' },
  ...{ submit: 'pr --stack', continue: 'rebase --continue', abort: 'rebase --abort', mv: 'move' },
};

/** Commander's words, as a sentence, and where to read on. */
function usageProblem(error: CommanderError, args: readonly string[]): Problem {
  if (error.code === 'commander.help') {
    const known = catalogue
      .filter((each) => each.name.startsWith(`${args[0] ?? ''} `))
      .map((each) => `wt ${each.name}`);
    return new Problem('usage', cliMessages.commandNotComplete(), {
      next: cliMessages.useOneCommands(),
      items: known,
    });
  }
  const [, unknown = ''] = error.code === 'commander.unknownCommand' ? (/'([^']*)'/.exec(error.message) ?? []) : [];
  const meant = Object.hasOwn(meanings, unknown) && args[0] === unknown ? meanings[unknown] : undefined;
  if (meant !== undefined)
    return new Problem('usage', verbatim(`Unknown command '${unknown}'.`), {
      next: cliMessages.didYouMean({ command: meant }),
    });
  const words = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  const message = `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.)?]$/.test(words) ? '' : '.'}`;
  const known = catalogue.find((each) => [each.name, ...(each.aliases ?? [])].includes(args[0] ?? ''));
  return new Problem('usage', verbatim(message), {
    next: known ? cliMessages.seeWtHelp({ knownName: known.name }) : cliMessages.seeWtHelp2(),
  });
}
