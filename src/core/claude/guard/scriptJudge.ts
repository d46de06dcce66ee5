import {
  anything,
  someArguments,
  computedMark,
  nothing,
  opaqueMark,
  isUnknown,
  knownText,
  programName,
  withoutMarks,
  type Argument,
  type Texts,
} from './shell/argument.ts';
import type { Budget } from './shell/budget.ts';
import { isDataProgram } from './programs/builtins.ts';
import type { Finding } from './decision.ts';
import { isAmong } from './programs/names.ts';
import { judgeAlias } from './programs/gitRules.ts';
import type { Judge, ScriptOptions, UnknownVerb } from './judge.ts';
import { handlerOf, isSought } from './programs/programs.ts';
import { fileKey, type Scope } from './shell/scope.ts';
import { parseShell } from './shell/shellSyntax.ts';
import { suspiciousWords } from './programs/suspicion.ts';
import { ScriptReader } from './shell/scriptReader.ts';

/**
 * Judges one command of the Bash tool: everything that it would run, through quotes, variables, substitutions, wrappers, nested
 * shells and aliases, as far as its text tells. The first finding ends the work.
 */
export class ScriptJudge implements Judge {
  readonly background: boolean;
  readonly #budget: Budget;
  readonly #reader: ScriptReader;
  #unknownVerbs: UnknownVerb[] = [];
  readonly #seenVerbs = new Set<string>();
  readonly #places: string[] = [];
  /** The command as it was given; where too much of it was left unread, its words have to do. */
  #command = '';
  #finding: Finding | undefined;
  /** The forbidden words in a text that could not be read. */
  #doubted: readonly string[] | undefined;
  #doubtedCharacters = 0;
  #depth = 0;

  constructor(budget: Budget, background: boolean) {
    this.#budget = budget;
    this.background = background;
    this.#reader = new ScriptReader(this, budget);
  }

  /** Whether there is nothing left to find out. */
  get stopped(): boolean {
    return this.#finding !== undefined || this.#budget.exceeded;
  }

  /** Judges the whole command. */
  judge(command: string, scope: Scope): void {
    this.#command = command;
    this.script(command, scope);
  }

  /** Judges what an alias stands for that {@link lookUp} asked for. */
  judgeAlias({ verb, words }: UnknownVerb, alias: string, scope: Scope): void {
    judgeAlias(verb, alias, words, { scope }, this);
  }

  /** The aliases that were asked for since the last time. */
  takeUnknownVerbs(): UnknownVerb[] {
    const unknown = this.#unknownVerbs;
    this.#unknownVerbs = [];
    return unknown;
  }

  /** Why the command must not run, if so. */
  finding(): Finding | undefined {
    if (this.#finding !== undefined) return this.#finding;
    return this.#doubted === undefined ? undefined : { offence: 'unreadable', words: this.#doubted };
  }

  deny(finding: Finding): void {
    const where = finding.where ?? this.#places.at(-1);
    this.#finding ??= where === undefined ? finding : { ...finding, where };
  }

  doubt(text: string): void {
    if (this.#doubted !== undefined || this.#doubtedCharacters > mostDoubted) return;
    this.#doubtedCharacters += text.length;
    const all = this.#doubtedCharacters > mostDoubted ? this.#command : text;
    this.#doubted = suspiciousWords(withoutMarks(all));
  }

  lookUp(unknown: UnknownVerb): void {
    const { verb, words, directory } = unknown;
    const key = [directory, verb, ...words.map(({ text }) => text)].join('\0');
    if (this.#seenVerbs.has(key)) return;
    this.#seenVerbs.add(key);
    this.#unknownVerbs.push(unknown);
  }

  script(text: string, scope: Scope, { positional, where }: ScriptOptions = {}): Texts {
    if (this.stopped || text === '') return nothing;
    if (text.includes(opaqueMark)) {
      this.deny({ offence: 'unreadable', words: ['decoded text'], ...(where === undefined ? {} : { where }) });
      return anything;
    }
    const script =
      text.includes(computedMark) || this.#depth >= this.#budget.limits.depth
        ? undefined
        : parseShell(text, this.#budget);
    if (script === undefined || script.errors !== undefined) this.doubt(text);
    if (script === undefined) return anything;
    const before = scope.positional;
    if (positional !== undefined) scope.positional = positional;
    if (where !== undefined) this.#places.push(where);
    this.#depth++;
    const output = this.#reader.run(script, scope);
    this.#depth--;
    if (where !== undefined) this.#places.pop();
    if (positional !== undefined) scope.positional = before;
    if (this.#budget.exceeded) this.doubt(text);
    return output;
  }

  expansion(text: string, scope: Scope): void {
    const end = 'END_OF_EXPANDED_TEXT';
    this.script(`: <<${end}\n${text}\n${end}\n`, scope);
  }

  command(words: readonly Argument[], scope: Scope, suspected = false): Texts {
    if (this.stopped || !this.#budget.step()) return anything;
    const [first, ...rest] = words;
    if (first === undefined) return nothing;
    if (isUnknown(first)) {
      this.#unknownProgram(first, rest, scope);
      if (!first.mayVanish) this.commandsAmong(rest, scope);
      return first.mayVanish ? this.command(rest, scope, suspected) : anything;
    }
    // unbash takes `NAME=<(…)` for two words; in the place of a program such a file makes no sense.
    for (const content of first.content ?? []) this.script(content, scope, { where: 'in a file' });
    const text = knownText(first);
    const name = programName(first);
    const called = this.#defined(text, rest, scope);
    const handler = handlerOf(name);
    const output = handler?.({ name, words: rest, scope, suspected }, this);
    if (handler === undefined && called === undefined) {
      const written = scope.files.get(fileKey(text));
      for (const content of written ?? []) this.script(content, scope, { positional: rest, where: `in ${text}` });
      if (!isDataProgram(name)) {
        this.commandsAmong(rest, scope);
        this.#codeAmong(rest, name, scope);
      }
    }
    return called ?? output ?? anything;
  }

  commandsAmong(words: readonly Argument[], scope: Scope): void {
    for (let at = 0; at < words.length && !this.stopped; at++) {
      const name = programName(words[at]!);
      if (isSought(name)) this.command(words.slice(at), scope, true);
      // `docker exec box grep -r git push` looks for words, it does not run them.
      else if (isAmong(readers, name)) return;
    }
  }

  /** `vagrant ssh -c CODE`: these options of programs that are not known are mostly followed by code. */
  #codeAmong(words: readonly Argument[], name: string, scope: Scope): void {
    for (const [index, { text }] of words.entries()) {
      if (!text.startsWith('-')) continue;
      const [, attached] = /^--(?:command|exec|cmd)=(.*)$/s.exec(text) ?? [];
      const code = /^(?:-c|--command|--exec|--cmd)$/.test(text) ? words[index + 1]?.text : attached;
      if (code !== undefined) this.script(code, scope, { positional: [], where: `for ${name}` });
    }
  }

  /** What an alias or a function of the script's own makes of a call. */
  #defined(name: string, words: readonly Argument[], scope: Scope): Texts | undefined {
    const alias = scope.aliases.get(name);
    const definition = scope.functions.get(name);
    if (alias === undefined && definition === undefined) return undefined;
    if (this.#depth >= this.#budget.limits.depth) {
      this.doubt(this.#command);
      return undefined;
    }
    if (alias !== undefined) {
      // While an alias is expanded it does not apply again: `alias ls='ls -l'`.
      scope.aliases.delete(name);
      const output = this.script(`${alias} "$@"`, scope, { positional: words, where: `in the alias ${name}` });
      scope.aliases.set(name, alias);
      return output;
    }
    this.#depth++;
    const before = scope.positional;
    scope.positional = words;
    const output = this.#reader.run(definition!.body, scope);
    scope.positional = before;
    this.#depth--;
    return output;
  }

  /** A program that is not known, such as `"$GIT"`: its arguments may tell which one it is. */
  #unknownProgram(program: Argument, words: readonly Argument[], scope: Scope): void {
    if (scope.positional === undefined || isOtherTool(program.variable ?? '')) return;
    const given = words.map(knownText);
    const verb = given.find((text) => !text.startsWith('-')) ?? '';
    const next = given[given.indexOf(verb) + 1] ?? '';
    const found =
      suspiciousWords(`git ${verb}`) ??
      suspiciousWords(`gh ${verb} ${next}`) ??
      (/wt/i.test(program.variable ?? '') && !this.background ? suspiciousWords(`wt ${verb}`) : undefined);
    if (found !== undefined) this.deny({ offence: 'unreadable', words: [program.text, ...found.slice(1)] });
    else if (given.some((text) => /^-[a-z]*c$/.test(text)))
      this.command([{ ...someArguments, text: 'sh', mayVanish: false }, ...words], scope, true);
  }
}

/** When texts of so many characters could not be read, the whole command is looked at once, and that is that. */
const mostDoubted = 4_000_000;

/** Programs whose name, among the arguments of another one, says that what follows is data. */
const readers = 'echo printf grep egrep fgrep rg ag cat ls';

/** Programs with verbs like git's, by what a variable for them is called. */
function isOtherTool(variable: string): boolean {
  return /docker|podman|nerdctl|buildah|crane|skopeo|oras|helm|kube|npm|pnpm|yarn|pip|cargo|gem|compose|nuget|maven|mvn|gradle|dvc|rsync|s3|aws|gcloud|az$|ollama|flyctl|heroku|vercel|adb|brew/i.test(
    variable,
  );
}
