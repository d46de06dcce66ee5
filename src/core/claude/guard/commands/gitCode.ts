import { argument, knownText, type Argument } from '../shell/argument.ts';
import { configCommand, checkConfiguration } from './gitConfig.ts';
import type { Call, Guard } from './rule.ts';
import { hasOption, parseOptions, valuesOf, type OptionShape } from './options.ts';

type GitVerb = (call: Call, guard: Guard) => void;

/** A command with options whose value runs in a shell. */
function withCode(shape: OptionShape, ...names: readonly string[]): GitVerb {
  return ({ name, words, state }, guard) => {
    const read = parseOptions(words, shape, true);
    for (const value of valuesOf(read, ...names))
      guard.script(value.text, state, { positional: [], where: `in an option of ${name}` });
  };
}

/** Arguments that are a command: a single one is code, several are its words. */
function runs(words: readonly Argument[], { name, state }: Call, guard: Guard): void {
  const [only] = words;
  if (only === undefined) return;
  if (words.length === 1) guard.script(only.text, state, { positional: [], where: `for ${name} to run` });
  else {
    guard.command(words, state);
    guard.script(words.map(({ text }) => text).join(' '), state, { positional: [], where: `for ${name} to run` });
  }
}

const remote: GitVerb = ({ name, words }, guard) => {
  const read = parseOptions(words, { short: 'tm', long: ['track', 'master', 'mirror'] }, true);
  const fetches = read.options.some(
    ({ name: option }) => option === 'f' || (option.length > 1 && 'fetch'.startsWith(option)),
  );
  if (read.operands[0]?.text === 'add' && fetches) guard.deny({ kind: 'fetch', words: [name, 'remote', 'add', '-f'] });
};

const submodule: GitVerb = (call, guard) => {
  const at = call.words.findIndex((word) => !knownText(word).startsWith('-'));
  if (knownText(call.words[at] ?? argument('')) !== 'foreach') return;
  const rest = call.words.slice(at + 1);
  const start = rest.findIndex((word) => !knownText(word).startsWith('-'));
  if (start >= 0) runs(rest.slice(start), call, guard);
};

const bisect: GitVerb = (call, guard) => {
  if (call.words[0]?.text === 'run') runs(call.words.slice(1), call, guard);
};

const forEachRepository: GitVerb = ({ name, words, state }, guard) => {
  const read = parseOptions(words, { long: ['config'] }, false);
  guard.command([argument(name), ...read.operands], state);
};

const maintenance: GitVerb = ({ name, words }, guard) => {
  const read = parseOptions(words, { long: ['task', 'schedule'] }, true);
  const prefetches = valuesOf(read, 'task').some(({ text }) => text === 'prefetch') || hasOption(read, 'schedule');
  if (read.operands[0]?.text === 'run' && prefetches)
    guard.deny({ kind: 'fetch', words: [name, 'maintenance', 'run', '--task=prefetch'] });
};

const filterBranch: GitVerb = ({ name, words, state }, guard) => {
  words.forEach(({ text }, index) => {
    if (/^--[a-z-]+-filter$|^--setup$/.test(text) && words[index + 1]) {
      guard.script(words[index + 1]!.text, state, { positional: [], where: `for ${name} to run` });
    }
  });
};

const clone: GitVerb = (call, guard) => {
  withCode({ short: 'ubojc', long: ['upload-pack', 'config'] }, 'u', 'upload-pack')(call, guard);
  const read = parseOptions(call.words, { short: 'ubojc', long: ['config'] }, true);
  for (const setting of valuesOf(read, 'c', 'config')) checkConfiguration(setting.text, 'value', call.state, guard);
};

/** The git commands that run their arguments or the values of options. */
export const gitCodeVerbs: ReadonlyMap<string, GitVerb> = new Map<string, GitVerb>([
  ['remote', remote],
  ['config', configCommand],
  ['submodule', submodule],
  ['bisect', bisect],
  ['for-each-repo', forEachRepository],
  ['maintenance', maintenance],
  ['filter-branch', filterBranch],
  ['clone', clone],
  ['rebase', withCode({ short: 'xsXC', long: ['exec', 'onto', 'strategy', 'strategy-option'] }, 'x', 'exec')],
  ['difftool', withCode({ short: 'xt', long: ['extcmd', 'tool'] }, 'x', 'extcmd')],
  ['grep', withCode({ short: 'OefABCm', long: ['open-files-in-pager'] }, 'O', 'open-files-in-pager')],
  ['ls-remote', withCode({ long: ['upload-pack', 'exec'] }, 'upload-pack', 'exec')],
  ['archive', withCode({ short: 'o', long: ['exec', 'output', 'remote', 'prefix'] }, 'exec')],
  [
    'send-email',
    withCode({ long: ['sendmail-cmd', 'to-cmd', 'cc-cmd'] }, 'sendmail-cmd', 'to-cmd', 'cc-cmd', 'header-cmd'),
  ],
]);
