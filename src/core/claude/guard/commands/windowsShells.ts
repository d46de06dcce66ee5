import { knownText, type Argument } from '../shell/argument.ts';
import { contentOf } from '../shell/shellState.ts';
import type { Call, Guard, Rule, RuleGroup } from './rule.ts';
import { fromCmd, fromPowerShell } from './windowsSyntax.ts';

/** A switch of cmd and its programs; Git Bash wants the slash twice. */
const switches = /^\/{1,2}[a-z?](?::.*)?$/i;

const textOf = (words: readonly Argument[]): string => words.map(({ text }) => text).join(' ');

/** `cmd /c CODE`, `cmd /k CODE`, `… | cmd`. */
const cmd: Rule = ({ words, state, suspected }, guard) => {
  const at = words.findIndex((word) => /^\/{1,2}[ckr]/i.test(knownText(word)));
  if (at < 0) {
    for (const text of suspected ? [] : (state.input ?? []))
      guard.script(fromCmd(text), state, { where: 'on the input of cmd' });
    return undefined;
  }
  // The code may be glued to the switch, and other switches may follow.
  const glued = words[at]!.text.replace(/^\/{1,2}./, '');
  const rest = words.slice(at + 1);
  const code = textOf(rest.slice(rest.findIndex((word) => !switches.test(knownText(word)))));
  const whole = `${glued.startsWith(':') ? '' : glued} ${code}`.trim();
  // Cmd takes away quotes around the whole.
  const inner = /^"(.*".*".*)"$/s.exec(whole)?.[1] ?? whole;
  guard.script(fromCmd(inner), state, { where: 'in cmd' });
  guard.commandsAmong(rest, state);
  return undefined;
};

/** Options of PowerShell with a value, of those that come before the code. */
const withValue = /^[-/](?:ex|ep|w|wd|win|in(?!teractive)|o|ps|v|config|custom|set|enc.*a)/i;

/** `pwsh -Command CODE`, `powershell CODE`, `powershell -EncodedCommand BASE64`, `powershell -File FILE`, `… | powershell -`. */
const powershell: Rule = (call, guard) => {
  const { name, words, state, suspected } = call;
  for (let at = 0; at < words.length; at++) {
    const text = knownText(words[at]!);
    const [, option] = /^[-/\u2013\u2014](\w+)$/.exec(text) ?? [];
    const rest = words.slice(at + 1);
    if (option === undefined) {
      if (text === '-') break;
      return runCode(words.slice(at), call, guard);
    }
    const lower = option.toLowerCase();
    if (lower === 'ec' || (lower.length < 8 && 'encodedcommand'.startsWith(lower)) || lower === 'encodedcommand') {
      const code = Buffer.from(textOf(rest), 'base64').toString('utf16le');
      return guard.script(fromPowerShell(code), state, { where: `in ${name}` });
    }
    if ('command'.startsWith(lower) || /^(?:cwa|commandwithargs)$/.test(lower)) {
      if (rest[0]?.text === '-') break;
      return runCode(rest, call, guard);
    }
    if ('file'.startsWith(lower)) return runCode(rest, call, guard);
    if (withValue.test(text)) at++;
  }
  for (const text of suspected ? [] : (state.input ?? []))
    guard.script(fromPowerShell(text), state, { where: `on the input of ${name}` });
  return undefined;
};

/** The words are code, or a file and its arguments: one that the script itself has written is checked. */
function runCode(words: readonly Argument[], { name, state }: Call, guard: Guard): undefined {
  const [file] = words;
  const written = file === undefined ? undefined : contentOf(knownText(file), state);
  for (const text of written ?? [])
    guard.script(fromPowerShell(text), state, { where: `in ${knownText(file!)} for ${name}` });
  if (written === undefined) guard.script(fromPowerShell(textOf(words)), state, { where: `in ${name}` });
  return undefined;
}

/** `start "title" /b COMMAND` of cmd and Git Bash; `Start-Process COMMAND -ArgumentList A,B`, which PowerShell calls `start` as well. */
const start: Rule = ({ name, words, state, suspected }, guard) => {
  const operands: Argument[] = [];
  let program: Argument | undefined;
  for (let at = 0; at < words.length; at++) {
    const text = knownText(words[at]!);
    if (/^-f(?:i.*)?$/i.test(text)) program = words[++at];
    else if (/^-(?:verb|wo.*|wi.*|cr.*|red.*)$|^\/{1,2}(?:d|node|affinity)$/i.test(text)) at++;
    else if (operands.length === 0 && program === undefined && (switches.test(text) || /^\/{1,2}\w+$/.test(text)))
      continue;
    else if (/^-[a-z]/i.test(text) && operands.length === 0) continue;
    else if (/^-a(?:r.*)?$/i.test(text)) continue;
    // A title, which is in quotes.
    else if (operands.length === 0 && program === undefined && name === 'start' && /^$|^[^\\/]*\s[^\\/]*$/.test(text))
      continue;
    else operands.push(words[at]!);
  }
  if (program === undefined) program = operands.shift();
  if (program === undefined) return undefined;
  const given = operands.flatMap((word) =>
    word.text.split(/[,\s]+/).map((text) => ({ ...word, text: text.replace(/^["']|["']$/g, '') })),
  );
  guard.command([program, ...given], state, suspected);
  // Code is one argument: `start cmd /c "git push"`.
  if (operands.some(({ text }) => /\s/.test(text))) guard.command([program, ...operands], state, suspected);
  return undefined;
};

/** `call COMMAND` of cmd. */
const callCommand: Rule = ({ words, state, suspected }, guard) =>
  words.length === 0 ? undefined : guard.command(words, state, suspected);

/** Commands that run the value of a switch: `forfiles /m *.txt /c CODE`, `schtasks /create /tr CODE`. */
const runsSwitch =
  (option: RegExp): Rule =>
  ({ name, words, state }, guard) => {
    words.forEach((word, index) => {
      const code = option.test(knownText(word)) ? words[index + 1] : undefined;
      if (code) guard.script(fromCmd(code.text), state, { where: `in ${name}` });
    });
    guard.commandsAmong(words, state);
    return undefined;
  };

/** Commands that run an argument as a command line: `runas /user:x CODE`, `wmic process call create CODE`. */
const runsCommandLine: Rule = ({ name, words, state }, guard) => {
  for (const { text } of words)
    if (/\s/.test(text)) guard.script(fromCmd(text), state, { positional: [], where: `for ${name}` });
  guard.commandsAmong(words, state);
  return undefined;
};

/** `iex CODE` and `CODE | iex` of PowerShell. */
const invokeExpression: Rule = ({ name, words, state }, guard) => {
  const code = words.filter(({ text }) => !/^-command$/i.test(text));
  for (const text of code.length > 0 ? [textOf(code)] : (state.input ?? []))
    guard.script(fromPowerShell(text), state, { where: `in ${name}` });
  return undefined;
};

/** The text of a script as bash would write it, by the name of its file. */
export function asBash(file: string, text: string): string {
  if (/\.(?:bat|cmd)$/i.test(file)) return fromCmd(text);
  return /\.psm?1$/i.test(file) ? fromPowerShell(text) : text;
}

/** The shells of Windows, and its commands that run others. */
export const windowsGroups: readonly RuleGroup[] = [
  ['cmd', cmd],
  ['pwsh powershell', powershell],
  ['start start-process saps', start],
  ['call', callCommand],
  ['forfiles', runsSwitch(/^\/{1,2}c$/i)],
  ['schtasks', runsSwitch(/^\/{1,2}tr$/i)],
  ['runas wmic psexec psexec64', runsCommandLine],
  ['iex invoke-expression', invokeExpression],
];
