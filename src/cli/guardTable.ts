import type { WtTable } from '../core/claude/guard/commands/wtTable.ts';
import { coloursFor } from './colour.ts';
import { catalogue } from './definitions/catalogue.ts';
import { buildProgram } from './program.ts';

type Parser = ReturnType<typeof buildProgram>;

/**
 * What the shell guard has to know of the parser of `wt`, read from that parser itself. `scripts/build.mjs` puts it in the place of
 * `wtTable.ts`.
 *
 * @throws Error for a kind of option, or a position of a command, that the guard's reader (`wtCommandLine.ts`) does not know yet.
 */
export function guardTable(): WtTable {
  const output = { colours: coloursFor({}, {}, true), write: () => {}, width: undefined };
  const program = buildProgram(output, '0', () => {});
  const waiting = new Set(catalogue.filter(({ waits }) => waits).map(({ name }) => name));
  const commands = program.commands.map((command) => [command.name(), ...command.aliases()]);
  const found = program.commands.filter((command) => waiting.has(command.name()));
  if (found.length !== waiting.size) throw new Error('the guard only knows commands of one word that wait');
  return {
    options: optionNames(program),
    ending: ['-V', '--version'],
    help: ['-h', '--help'],
    commands: [...commands.flat(), 'help'].join(' '),
    waiting: Object.fromEntries(
      found.flatMap((command) =>
        [command.name(), ...command.aliases()].map((name): [string, string[]] => [name, optionNames(command)]),
      ),
    ),
    passing: Object.fromEntries(
      catalogue.flatMap(({ name, aliases = [], passes }) => {
        const command = program.commands.find((each) => each.name() === name);
        if (!passes || !command) return [];
        const { withoutWords } = passes;
        return [name, ...aliases].map((each) => [each, { options: optionNames(command), withoutWords }]);
      }),
    ),
  };
}

/** The names of a parser's options; those that take a value end with an equals sign. */
function optionNames(parser: Parser): string[] {
  return parser.options.flatMap(({ short, long, required, optional, variadic }) => {
    if (optional || variadic) throw new Error(`the guard does not know how ${long ?? short ?? ''} takes its values`);
    return [short, long].flatMap((name) => (name ? [required ? `${name}=` : name] : []));
  });
}
