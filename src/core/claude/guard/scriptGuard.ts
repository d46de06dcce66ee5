import { isDataCommand } from './commands/builtins.ts';
import { ruleFor, isSought } from './commands/commandRules.ts';
import { forbiddenKeywords } from './commands/keywordSearch.ts';
import { asBash } from './commands/windowsShells.ts';
import type { Guard, UnknownVerb } from './commands/rule.ts';
import type { Violation } from './commands/violation.ts';
import {
  anything,
  someArguments,
  computedMark,
  nothing,
  opaqueMark,
  isUnknown,
  knownText,
  commandName,
  withoutMarks,
  type Argument,
  type Texts,
} from './shell/argument.ts';
import type { GuardBudget } from './shell/budget.ts';
import type { ScriptOptions } from './shell/evaluator.ts';
import { ScriptReader } from './shell/scriptReader.ts';
import { fileKey, type ShellState } from './shell/shellState.ts';
import { parseShell } from './shell/shellSyntax.ts';

/**
 * Checks one command of the Bash tool: everything that it would run, through quotes, variables, substitutions, wrappers, nested shells
 * and aliases, as far as its text shows. It stops at the first violation.
 */
export class ScriptGuard implements Guard {
  readonly background: boolean;
  readonly #budget: GuardBudget;
  readonly #reader: ScriptReader;
  /** The verbs whose aliases are to be looked up. */
  readonly unknownVerbs: UnknownVerb[] = [];
  readonly #knownVerbs = new Set<string>();
  readonly #locations: string[] = [];
  /** The command as it was given, for the keyword search when too much of it could not be read. */
  #command = '';
  #violation: Violation | undefined;
  /** The forbidden keywords in a text that could not be read. */
  #keywords: readonly string[] | undefined;
  #unreadCharacters = 0;
  #depth = 0;

  constructor(budget: GuardBudget, background: boolean) {
    this.#budget = budget;
    this.background = background;
    this.#reader = new ScriptReader(this, budget);
  }

  get stopped(): boolean {
    return this.#violation !== undefined || this.#budget.exceeded;
  }

  /** Checks the whole command. */
  check(command: string, state: ShellState): void {
    this.#command = command;
    this.script(command, state);
  }

  /** Why the command must not run; `undefined` if it may. */
  get violation(): Violation | undefined {
    if (this.#violation !== undefined) return this.#violation;
    return this.#keywords === undefined ? undefined : { kind: 'unreadable', words: this.#keywords };
  }

  deny(violation: Violation): void {
    const where = violation.where ?? this.#locations.at(-1);
    this.#violation ??= where === undefined ? violation : { ...violation, where };
  }

  reportUnreadable(text: string): void {
    if (this.#keywords !== undefined || this.#unreadCharacters > mostUnread) return;
    this.#unreadCharacters += text.length;
    const all = this.#unreadCharacters > mostUnread ? this.#command : text;
    this.#keywords = forbiddenKeywords(withoutMarks(all));
  }

  lookUp(unknown: UnknownVerb): void {
    const { verb, words, directory } = unknown;
    const key = [directory, verb, ...words.map(({ text }) => text)].join('\0');
    if (this.#knownVerbs.has(key)) return;
    this.#knownVerbs.add(key);
    this.unknownVerbs.push(unknown);
  }

  script(text: string, state: ShellState, { positional, where }: ScriptOptions = {}): Texts {
    if (this.stopped || text === '') return nothing;
    if (text.includes(opaqueMark)) {
      this.deny({ kind: 'unreadable', words: ['decoded text'], ...(where === undefined ? {} : { where }) });
      return anything;
    }
    const script =
      text.includes(computedMark) || this.#depth >= this.#budget.limits.depth
        ? undefined
        : parseShell(text, this.#budget);
    if (script === undefined || script.errors !== undefined) this.reportUnreadable(text);
    if (script === undefined) return anything;
    const before = state.positional;
    if (positional !== undefined) state.positional = positional;
    if (where !== undefined) this.#locations.push(where);
    this.#depth++;
    const output = this.#reader.run(script, state);
    this.#depth--;
    if (where !== undefined) this.#locations.pop();
    if (positional !== undefined) state.positional = before;
    if (this.#budget.exceeded) this.reportUnreadable(text);
    return output;
  }

  expansion(text: string, state: ShellState): void {
    const end = 'END_OF_EXPANDED_TEXT';
    this.script(`: <<${end}\n${text}\n${end}\n`, state);
  }

  command(words: readonly Argument[], state: ShellState, suspected = false): Texts {
    if (this.stopped || !this.#budget.step()) return anything;
    const [first, ...rest] = words;
    if (first === undefined) return nothing;
    if (isUnknown(first)) {
      this.#unknownCommand(first, rest, state);
      if (!first.mayVanish) this.commandsAmong(rest, state);
      return first.mayVanish ? this.command(rest, state, suspected) : anything;
    }
    // unbash parses `NAME=<(…)` as two words, the second of which then looks like the command.
    for (const content of first.content ?? []) this.script(content, state, { where: 'in a file' });
    const text = knownText(first);
    const name = commandName(first);
    const called = this.#defined(text, rest, state);
    const rule = ruleFor(name);
    const output = rule?.({ name, words: rest, state, suspected }, this);
    if (rule === undefined && called === undefined) {
      const written = state.files.get(fileKey(text));
      for (const content of written ?? [])
        this.script(asBash(text, content), state, { positional: rest, where: `in ${text}` });
      if (!isDataCommand(name)) {
        this.commandsAmong(rest, state);
        this.#codeAmong(rest, name, state);
      }
    }
    return called ?? output ?? anything;
  }

  commandsAmong(words: readonly Argument[], state: ShellState): void {
    for (let at = 0; at < words.length && !this.stopped; at++) {
      const name = commandName(words[at]!);
      if (isSought(name)) this.command(words.slice(at), state, true);
      // `docker exec box grep -r git push` searches for words and does not run them.
      else if (readers.includes(name)) return;
    }
  }

  /** `vagrant ssh -c CODE`: in unknown commands, these options are mostly followed by code. */
  #codeAmong(words: readonly Argument[], name: string, state: ShellState): void {
    for (const [index, { text }] of words.entries()) {
      if (!text.startsWith('-')) continue;
      const [, attached] = /^--(?:command|exec|cmd)=(.*)$/s.exec(text) ?? [];
      const code = /^(?:-c|--command|--exec|--cmd)$/.test(text) ? words[index + 1]?.text : attached;
      if (code !== undefined) this.script(code, state, { positional: [], where: `for ${name}` });
    }
  }

  /** Runs a call as the alias or function that the script defines for it. */
  #defined(name: string, words: readonly Argument[], state: ShellState): Texts | undefined {
    const alias = state.aliases.get(name);
    const definition = state.functions.get(name);
    if (alias === undefined && definition === undefined) return undefined;
    if (this.#depth >= this.#budget.limits.depth) {
      this.reportUnreadable(this.#command);
      return undefined;
    }
    if (alias !== undefined) {
      // An alias is not expanded within itself: `alias ls='ls -l'`.
      state.aliases.delete(name);
      const output = this.script(`${alias} "$@"`, state, { positional: words, where: `in the alias ${name}` });
      state.aliases.set(name, alias);
      return output;
    }
    this.#depth++;
    const before = state.positional;
    state.positional = words;
    const output = this.#reader.run(definition!.body, state);
    state.positional = before;
    this.#depth--;
    return output;
  }

  /** A command whose name is unknown, such as `"$GIT"`: its arguments may tell which one it is. */
  #unknownCommand(program: Argument, words: readonly Argument[], state: ShellState): void {
    if (state.positional === undefined || isOtherTool(program.variable ?? '')) return;
    const given = words.map(knownText);
    const verb = given.find((text) => !text.startsWith('-')) ?? '';
    const next = given[given.indexOf(verb) + 1] ?? '';
    const found =
      forbiddenKeywords(`git ${verb}`) ??
      forbiddenKeywords(`gh ${verb} ${next}`) ??
      (/wt/i.test(program.variable ?? '') && !this.background ? forbiddenKeywords(`wt ${verb}`) : undefined);
    if (found !== undefined) this.deny({ kind: 'unreadable', words: [program.text, ...found.slice(1)] });
    else if (given.some((text) => /^-[a-z]*c$/.test(text)))
      this.command([{ ...someArguments, text: 'sh', mayVanish: false }, ...words], state, true);
  }
}

/** After this many unreadable characters, the whole command is searched for keywords, once. */
const mostUnread = 4_000_000;

/** Commands that, among the arguments of another one, say that what follows is data. */
const readers = 'echo printf grep egrep fgrep rg ag cat ls'.split(' ');

/** Whether a variable is named after a command whose verbs are like git's. */
function isOtherTool(variable: string): boolean {
  return /docker|podman|nerdctl|buildah|crane|skopeo|oras|helm|kube|npm|pnpm|yarn|pip|cargo|gem|compose|nuget|maven|mvn|gradle|dvc|rsync|s3|aws|gcloud|az$|ollama|flyctl|heroku|vercel|adb|brew/i.test(
    variable,
  );
}
