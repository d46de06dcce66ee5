import { anything, knownText, type Argument, type Texts } from '../shell/argument.ts';
import { assignCodeVariable } from '../shell/codeVariables.ts';
import type { Call, Guard, Rule, RuleGroup } from './rule.ts';
import { isOption } from './options.ts';
import { mostPossibilities } from '../shell/possibilities.ts';

/** `set -- WORDS`: the positional parameters. */
const set: Rule = ({ words, state }) => {
  const at = words.findIndex(({ text }) => text === '--' || !isOption(text));
  if (at >= 0) state.positional = words[at]!.text === '--' ? words.slice(at + 1) : words.slice(at);
  return noOutput;
};

const shift: Rule = ({ words, state }) => {
  state.positional = state.positional?.slice(Number(words[0]?.text ?? 1) || 1);
  return noOutput;
};

/** Changes the folder for later relative paths and for the settings that git reads. */
const cd: Rule = ({ words, state }) => {
  const target = words.find(({ text }) => !text.startsWith('-') || !isOption(text));
  const path = target === undefined ? '' : knownText(target);
  if (path !== '' && path === target!.text)
    state.directory = path.startsWith('/') || /^(?:\\|[A-Za-z]:)/.test(path) ? path : `${state.directory}/${path}`;
  return noOutput;
};

/** `export`, `declare` and so on, for assignments that the parser has taken for plain words. */
const declare: Rule = (call, guard) => {
  for (const { text } of call.words) {
    const [, name, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?=(.*)$/s.exec(text) ?? [];
    if (name !== undefined && value !== undefined)
      assignCodeVariable(name, call.state.plainShell ? [value, ''] : [value], call.state, guard);
  }
  arithmeticNames(call, guard);
  return noOutput;
};

/** `read NAMES`: from the input, if it is known. */
const read: Rule = (call, guard) => {
  const { words, state } = call;
  const names = operandsOf(words, 'aditnNpu');
  const lines = state.input
    ?.flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
    .slice(0, mostPossibilities);
  const array = words.findIndex(({ text }) => /^-[a-z]*a$/.test(text));
  const fields = lines?.map((line) =>
    line.split(new RegExp(`[${state.separators.replace(/[\\\]^-]/g, '\\$&')}]+`)).filter((field) => field !== ''),
  );
  if (array >= 0 && words[array + 1]) state.assign(knownText(words[array + 1]!), fields ?? anything);
  (names.length === 0 ? ['REPLY'] : names).forEach((name, index) => {
    const values = fields?.map((field) =>
      index === names.length - 1 || names.length === 0 ? field.slice(index).join(' ') : (field[index] ?? ''),
    );
    state.assign(name, values !== undefined && values.length > 0 ? values : anything);
  });
  arithmeticNames(call, guard);
  return noOutput;
};

/** `mapfile ARRAY`: the lines of the input, if it is known; `-C CODE` runs for them. */
const mapfile: Rule = (call, guard) => {
  const { words, state } = call;
  const [name = 'MAPFILE'] = operandsOf(words, 'dnOsuCc');
  state.assign(name, state.input?.map((text) => text.replace(/\n$/, '').split('\n')) ?? anything);
  const callback = words.findIndex(({ text }) => text === '-C');
  if (callback >= 0 && words[callback + 1]) guard.script(words[callback + 1]!.text, state, { where: 'in mapfile' });
  return noOutput;
};

/** `complete -C CODE` and `compgen -C CODE`. */
const completion: Rule = ({ name, words, state }, guard) => {
  const at = words.findIndex(({ text }) => text === '-C' || text === '-F');
  if (at >= 0 && words[at + 1]) guard.script(words[at + 1]!.text, state, { where: `in ${name}` });
  return undefined;
};

/** `hash -p PATH NAME`: another name for a command. */
const hash: Rule = ({ words, state }) => {
  const at = words.findIndex(({ text }) => text === '-p');
  const [path, name] = at < 0 ? [] : words.slice(at + 1);
  if (path !== undefined && name !== undefined) state.aliases.set(name.text, path.text);
  return noOutput;
};

/** Commands that take the subscript of an array, and so may expand quoted text: `test -v 'a[$(…)]'`. */
const arithmetic: Rule = (call, guard) => {
  arithmeticNames(call, guard);
  return noOutput;
};

function arithmeticNames({ words, state }: Call, guard: Guard): void {
  for (const { text } of words) if (/\[[^\]]*(?:\$\(|`)/.test(text)) guard.expansion(text, state);
}

/** The operands; the options with these letters take a value. */
function operandsOf(words: readonly Argument[], letters: string): string[] {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const text = knownText(words[at]!);
    if (!text.startsWith('-')) operands.push(text.replace(/\[.*$/s, ''));
    else if (letters.includes(text.at(-1)!)) at++;
  }
  return operands;
}

const noOutput: Texts = [''];

/** Builtins that change what later commands mean. */
export const builtinGroups: readonly RuleGroup[] = [
  ['set', set],
  ['shift', shift],
  ['hash', hash],
  ['read', read],
  ['cd pushd', cd],
  ['export declare typeset local readonly integer', declare],
  ['mapfile readarray', mapfile],
  ['complete compgen', completion],
  ['test [ unset let getopts wait', arithmetic],
];

const dataCommands =
  'true false : ls ll dir vdir cp mv rm rmdir mkdir mktemp touch ln install chmod chown chgrp stat file du ' +
  'df wc sum cksum md5sum sha1sum sha256sum sha512sum b2sum date seq sleep expr diff cmp patch colordiff ' +
  'delta split csplit dd od hexdump ack pcregrep ripgrep pgrep pkill kill killall ps top htop pwd popd dirs ' +
  'exit return break continue times umask ulimit jobs fg bg disown enable shopt unalias help history fc ' +
  'bind printenv logname whoami id groups hostname uname tput clear reset stty tty figlet cowsay cowthink ' +
  'toilet banner lolcat say espeak logger wall write notify-send osd_cat dialog whiptail zenity xdg-open ' +
  'open code codium subl nano micro pico emacs joe mate pbcopy xclip xsel wl-copy clip unzip ' +
  'gzip bzip2 xz zstd 7z 7za apt apt-get aptitude apk dnf yum pacman brew port snap flatpak pip pip3 pipx ' +
  'gem tldr info apropos whatis cheat glow mdcat pandoc csvcut yamllint shellcheck shfmt prettier gitk tig ' +
  'lazygit findstr where select-string sls write-host write-output write-verbose write-information get-content gc ' +
  'set-content add-content out-file out-string get-help get-command gcm get-alias get-childitem gci test-path';

/** Whether a command's arguments are data, and never run. */
export function isDataCommand(name: string): boolean {
  return dataCommands.split(' ').includes(name);
}
