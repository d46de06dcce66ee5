/** A source of chance that gives the same again for the same seed. */
export interface Chance {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Chance from a seed (the generator mulberry32). */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, pick: (from) => from[below(from.length)]! };
}

/** Tokens of shell syntax, and of what is forbidden, for texts that need not make sense. */
const tokens = [
  ...[
    'git',
    'push',
    'fetch',
    'pull',
    'status',
    'git push',
    'gh',
    'pr',
    'merge',
    'gh pr merge',
    'wt',
    'poll',
    'wt poll',
    'echo',
    'printf',
    'cat',
    'x',
    'a',
    'V',
  ],
  ...[
    ' ',
    ' ',
    ' ',
    ' ',
    '\n',
    ';',
    '&',
    '&&',
    '||',
    '|',
    '|&',
    '!',
    '(',
    ')',
    '{ ',
    '; }',
    '$(',
    ')',
    '`',
    '"',
    "'",
    '\\',
    '\\\n',
    "$'",
    '$"',
    '#',
    '\t',
    '\r',
  ],
  ...[
    'if ',
    ' then ',
    ' else ',
    ' fi',
    'for i in ',
    '; do ',
    '; done',
    'while ',
    'case x in ',
    ' esac',
    ';;',
    'function f ',
    'f() ',
    'time ',
    'coproc ',
    'select ',
    '[[ ',
    ' ]]',
  ],
  ...[
    '<<E\n',
    '\nE\n',
    "<<'E'\n",
    '<<-E\n',
    '<<<',
    '>',
    '>>',
    '<',
    '2>&1',
    '<(',
    '>(',
    '$((',
    '))',
    '((',
    '${',
    '}',
    '${x:-',
    '${V}',
    '$V',
    'V=',
    'x=(',
    '$@',
    '$*',
    '{',
    ',',
    '}',
  ],
  ...[
    'sh -c ',
    'eval ',
    'env ',
    'xargs ',
    'command ',
    'exec ',
    'sh',
    ' -c ',
    '-C ',
    '--',
    '-n ',
    'alias p=',
    'set -- ',
    'trap ',
    'source ',
    '*',
    '?',
    '[',
    ']',
    '=',
    ':',
    '@',
    '-',
    '1',
    '$IFS',
    '\\x67',
  ],
];

/** A text of random tokens. */
export function tokenSoup(chance: Chance): string {
  return Array.from({ length: 2 + chance.below(14) }, () => chance.pick(tokens)).join('');
}

/** A known command with a few small changes: characters lost, doubled, swapped, tokens put in, a piece of another command. */
export function mutated(command: string, others: readonly string[], chance: Chance): string {
  let text = command;
  for (let round = 1 + chance.below(3); round > 0; round--) {
    const at = chance.below(text.length + 1);
    const end = Math.min(text.length, at + 1 + chance.below(4));
    switch (chance.below(7)) {
      case 0:
        text = text.slice(0, at) + text.slice(end);
        break;
      case 1:
        text = text.slice(0, at) + chance.pick(tokens) + text.slice(at);
        break;
      case 2:
        text = text.slice(0, at) + text.slice(at, end) + text.slice(at);
        break;
      case 3: {
        const other = chance.pick(others);
        const from = chance.below(other.length + 1);
        text = text.slice(0, at) + other.slice(from, from + 1 + chance.below(20)) + text.slice(at);
        break;
      }
      case 4:
        text = text.slice(0, at) + chance.pick(tokens) + text.slice(end);
        break;
      case 5:
        text = `${text}${chance.pick(['\n', '; ', ' && ', ' | ', ' & '])}${chance.pick(others)}`;
        break;
      default:
        text = wrapped(text, chance);
    }
  }
  return text;
}

const commands = [
  ['git', 'push'],
  ['git', 'fetch', 'origin'],
  ['git', 'pull'],
  ['git', '-C', '.', 'push'],
  ['git', 'remote', 'update'],
  ['gh', 'pr', 'merge', '1'],
  ['gh', 'api', '-X', 'POST', 'x'],
  ['wt', 'poll'],
  ['git', 'status'],
  ['git', 'stash', 'push'],
  ['gh', 'pr', 'view'],
  ['echo', 'git', 'push'],
];

/** A command in layers of disguise, each of which bash takes off again. */
export function disguised(chance: Chance): string {
  const words = chance.pick(commands);
  const setups: string[] = [];
  const text = words
    .map((word) => disguisedWord(word, setups, chance))
    .join(chance.pick([' ', ' ', '  ', '\t', ' \\\n']));
  let script = setups.length > 0 ? `${setups.join('; ')}; ${text}` : text;
  for (let layer = chance.below(4); layer > 0; layer--) script = wrapped(script, chance);
  return script;
}

function disguisedWord(word: string, setups: string[], chance: Chance): string {
  const at = 1 + chance.below(Math.max(1, word.length - 1));
  const [head, tail] = [word.slice(0, at), word.slice(at)];
  const name = `v${setups.length}`;
  switch (chance.below(20)) {
    case 0:
      return `'${head}'"${tail}"`;
    case 1:
      return `${head}""${tail}`;
    case 2:
      return `\\${word}`;
    case 3:
      return `$'\\x${word.charCodeAt(0).toString(16)}${word.slice(1)}'`;
    case 4:
      setups.push(`${name}=${word}`);
      return `$${name}`;
    case 5:
      setups.push(`${name}=${head}`);
      return `"\${${name}}${tail}"`;
    case 6:
      return `\${unset_here:-${word}}`;
    case 7:
      return `$(echo ${word})`;
    case 8:
      return `\`printf %s ${word}\``;
    case 9:
      return `${head}{${tail},}`.replace(/^(.*)\{(.*),\}$/, '$1$2');
    case 10:
      setups.push(`${name}=(x ${word})`);
      return `\${${name}[1]}`;
    case 11:
      setups.push(`${name}=x${word}`);
      return `\${${name}#x}`;
    case 12:
      setups.push(`${name}=${word.toUpperCase()}`);
      return `\${${name},,}`;
    case 13:
      return `${head}\${not_set}${tail}`;
    case 14:
      setups.push(`read ${name} <<< ${word}`);
      return `"$${name}"`;
    case 15:
      setups.push(`printf -v ${name} %s ${word}`);
      return `$${name}`;
    case 16:
      setups.push(`set -- ${word}`);
      return setups.filter((each) => each.startsWith('set')).length === 1 ? '"$1"' : word;
    default:
      return word;
  }
}

/** The script within another construct that runs it, or in some cases only mentions it. */
function wrapped(script: string, chance: Chance): string {
  const single = `'${script.replaceAll("'", `'\\''`)}'`;
  const wraps: readonly (() => string)[] = [
    () => `( ${script} )`,
    () => `{ ${script}\n}`,
    () => `if true; then ${script}\nfi`,
    () => `for i in 1 2; do ${script}\ndone`,
    () => `while :; do ${script}\nbreak; done`,
    () => `case a in a) ${script}\n;; esac`,
    () => `f() { ${script}\n}; f`,
    () => `true && { ${script}\n}`,
    () => `! { ${script}\n}`,
    () => `echo "$(${script}\n)"`,
    () => `x=$(${script}\n)`,
    () => `cat <(${script}\n)`,
    () => `: "\${x:-$(${script}\n)}"`,
    () => `cat <<E\n$(${script}\n)\nE`,
    () => `sh -c ${single}`,
    () => `bash -ec ${single} name`,
    () => `eval ${single}`,
    () => `eval "$(echo ${single})"`,
    () => `echo ${single} | sh`,
    () => `bash <<< ${single}`,
    () => `bash <<'E_O_F'\n${script}\nE_O_F`,
    () => `. <(echo ${single})`,
    () => `printf '%s\\n' ${single} > s.sh; sh s.sh`,
    () => `trap ${single} EXIT`,
    () => `env A=1 bash -c ${single}`,
    () => `timeout 2 sh -c ${single}`,
    () => `echo x | xargs sh -c ${single}`,
    () => `find . -maxdepth 0 -exec sh -c ${single} \\;`,
    () => `code=${single}; eval "$code"`,
    () => `code=${single}; sh -c "$code"`,
    () => `echo ${single} | base64 | base64 -d | sh`,
    () => `echo ${Buffer.from(script).toString('base64')} | base64 -d | bash`,
    () => `f() { eval "$1"; }; f ${single}`,
    () => `g() { "$@"; }; g sh -c ${single}`,
    () => `coproc { ${script}\n}; wait`,
    () => `alias al=${single}\nal`,
    () => `a=(${single}); bash -c "\${a[0]}"`,
    () => `${script} &\nwait`,
    () => `((1)) && ${script}`,
    () => `[[ x ]] || ${script}`,
    () => `echo ${single}`,
    () => `cat <<'E_O_F'\n${script}\nE_O_F`,
    () => `: ${single}`,
    () => `# ${script}`,
  ];
  return chance.pick(wraps)();
}
