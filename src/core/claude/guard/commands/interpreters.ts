import { computedMark, knownText } from '../shell/argument.ts';
import type { Call, Rule, RuleGroup } from './rule.ts';
import { forbiddenKeywords } from './keywordSearch.ts';
import { replacedBySed } from './textCommands.ts';

interface Interpreter {
  /** The options whose value is code. */
  readonly options?: RegExp;
  /** The first operand is code. */
  readonly operand?: boolean;
  /**
   * When standard input is code: always, when neither code nor a file is given (`alone`), when it is named as the file (`named`), or
   * never.
   */
  readonly input?: 'always' | 'alone' | 'named';
  /** Its operands reach a script that may run them. */
  readonly forwards?: boolean;
  /** Matches code that starts another process. */
  readonly starts: RegExp;
}

const python =
  /subprocess|\bos\s*\.\s*(?:system|popen|exec|spawn|posix_spawn)|\bpty\b|getoutput|import_module|__import__|from\s+os\b|\bsh\.|import\s+sh\b|asyncio|Popen|pexpect/;
const node = /child_process|execSync|execFile|\bspawn|execa|\bzx\b|Deno\.|Bun\.|\$`/;
const perl = /\bsystem\b|\bexec\b|`|\bqx\b|\bopen\b|\bIPC\b|\bfork\b/;
const ruby = /\bsystem\b|\bexec\b|`|%x|popen|\bspawn\b|Open3|\bPTY\b/;
const awk = /\bsystem\s*\(|\|\s*(?:&\s*)?(?:"|getline)|"\s*\|/;
const sed = /(?:^|[;{}\n\d$/!])\s*e\b|\/[gpimIM\d]*e[gpimIM\d]*(?:$|[;}\s])/;
const vim = /!|\bsystem\(|\bterm(?:inal)?\b|jobstart|job_start|os\.execute/;
const anyLanguage = /exec|system|spawn|popen|shell|process|passthru|\brun\b|!|`/i;
const always = /(?:)/;

/** By names; `starts` matches code that runs commands, not code that only prints their names. */
const interpreters: readonly (readonly [names: string, interpreter: Interpreter])[] = [
  [
    'python python2 python3 pypy pypy3 ipython',
    { options: /^-[a-zA-Z]*c$/, input: 'alone', forwards: true, starts: python },
  ],
  [
    'node nodejs bun tsx ts-node',
    { options: /^-(?:e|p|pe|-eval|-print)$/, input: 'alone', forwards: true, starts: node },
  ],
  ['deno', { options: /^(?:eval|-e)$/, input: 'alone', forwards: true, starts: node }],
  ['perl', { options: /^-[a-zA-Z0-9]*[eE]$/, input: 'alone', forwards: true, starts: perl }],
  ['ruby', { options: /^-[a-zA-Z]*e$/, input: 'alone', forwards: true, starts: ruby }],
  ['php', { options: /^-[rBRE]$/, input: 'alone', forwards: true, starts: anyLanguage }],
  [
    'lua luajit osascript tclsh rscript julia groovy scala elixir erl guile sbcl clojure ghci jshell',
    { options: /^-{1,2}(?:e|E|eval|c|l)$/, input: 'alone', forwards: true, starts: anyLanguage },
  ],
  ['awk gawk mawk nawk', { options: /^(?:-e|--source)$/, operand: true, starts: awk }],
  ['sed gsed', { options: /^(?:-[a-zA-Z]*e|--expression)$/, operand: true, starts: sed }],
  ['vim vi nvim gvim view ex', { options: /^(?:-c|--cmd|-S)$/, input: 'always', starts: vim }],
  ['emacs emacsclient', { options: /^--?(?:eval|execute|e)$/, starts: anyLanguage }],
  [
    'ed sqlite3 psql mysql',
    { options: /^(?:-[ce]|-cmd|--execute|--command)$/, operand: true, input: 'always', starts: anyLanguage },
  ],
  [
    'gdb lldb',
    {
      input: 'always',
      forwards: true,
      options: /^(?:-{1,2}i?ex|-{1,2}(?:init-)?eval-command|-o|-O)$/,
      starts: /!|\bshell\b|\bmake\b|\bpipe\b|\|/,
    },
  ],
  ['mshta', { operand: true, starts: anyLanguage }],
  ['less more', { starts: anyLanguage }],
  ['man', { options: /^(?:-[PH]|--pager|--html)$/, starts: always }],
  ['make gmake', { options: /^(?:-E|--eval)$/, input: 'named', starts: always }],
];

/** Code in another language: forbidden if it starts processes and holds forbidden keywords. */
const interpreted =
  (interpreter: Interpreter): Rule =>
  (call, guard) => {
    const codes = codesOf(call, interpreter);
    for (const code of codes) {
      const words = interpreter.starts.test(code) ? forbiddenKeywords(code) : undefined;
      if (words !== undefined) guard.deny({ kind: 'unreadable', words, where: `in code for ${call.name}` });
    }
    if (interpreter.forwards) guard.commandsAmong(call.words, call.state);
    if (codes.length === 0) return undefined;
    const computed = call.name.endsWith('sed') ? replacedBySed(call.words, call.state) : undefined;
    return [...(computed ?? []), `${computedMark}${call.state.input?.[0] ?? ''} ${codes.join(' ')}`];
  };

function codesOf({ words, state }: Call, { options, operand, input }: Interpreter): string[] {
  const codes: string[] = [];
  let operands = 0;
  words.forEach((word, index) => {
    const text = knownText(word);
    const next = words[index + 1];
    if (word.content) codes.push(...word.content);
    else if (options?.test(text)) codes.push(next === undefined ? '' : knownText(next));
    // Attached values: `--eval=CODE`, `-eCODE`, `+CODE` of vim and less, `SHELL=CODE` of make.
    else if (/^-{1,2}[A-Za-z-]+=|^-[eEcrP]./.test(text)) codes.push(text.replace(/^--?[\w-]+=|^-[a-zA-Z]/, ''));
    else if (/^\+.|^SHELL=/.test(text)) codes.push(text);
    else if (!text.startsWith('-') && ++operands === 1 && operand) codes.push(text);
  });
  const named = words.some(({ text }) => text === '-' || text === '/dev/stdin');
  const alone = input === 'alone' && codes.length === 0 && operands === 0;
  const readsInput = input === 'always' || alone || (input !== undefined && named);
  return [...codes, ...(readsInput ? (state.input ?? []) : [])].filter((code) => code !== '');
}

/** Interpreters and other commands with a language of their own. */
export const interpreterGroups: readonly RuleGroup[] = interpreters.map(([names, interpreter]) => [
  names,
  interpreted(interpreter),
]);
