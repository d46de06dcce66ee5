import { knownText, type Argument } from '../shell/argument.ts';
import { configCommand, judgeConfiguration } from './gitConfig.ts';
import type { Call, Judge } from '../judge.ts';
import { hasOption, readOptions, valuesOf, type OptionShape } from './options.ts';

type GitVerb = (call: Call, judge: Judge) => void;

/** A command whose options may hold code that it hands to a shell. */
function withCode(shape: () => OptionShape, ...names: readonly string[]): GitVerb {
  return ({ name, words, scope }, judge) => {
    const read = readOptions(words, shape(), true);
    for (const value of valuesOf(read, ...names))
      judge.script(value.text, scope, { positional: [], where: `in an option of ${name}` });
  };
}

/** Arguments that are a command themselves: one is code, several are its words. */
function runs(words: readonly Argument[], { name, scope }: Call, judge: Judge): void {
  const [only] = words;
  if (only === undefined) return;
  if (words.length === 1) judge.script(only.text, scope, { positional: [], where: `for ${name} to run` });
  else {
    judge.command(words, scope);
    judge.script(words.map(({ text }) => text).join(' '), scope, { positional: [], where: `for ${name} to run` });
  }
}

const remote: GitVerb = ({ name, words }, judge) => {
  const read = readOptions(words, { short: 'tm', long: ['track', 'master', 'mirror'] }, true);
  const fetches = read.options.some(
    ({ name: option }) => option === 'f' || (option.length > 1 && 'fetch'.startsWith(option)),
  );
  if (read.operands[0]?.text === 'add' && fetches)
    judge.deny({ offence: 'fetch', words: [name, 'remote', 'add', '-f'] });
};

const submodule: GitVerb = (call, judge) => {
  const at = call.words.findIndex((word) => !knownText(word).startsWith('-'));
  if (knownText(call.words[at] ?? { text: '', mayVanish: false }) !== 'foreach') return;
  const rest = call.words.slice(at + 1);
  const start = rest.findIndex((word) => !knownText(word).startsWith('-'));
  if (start >= 0) runs(rest.slice(start), call, judge);
};

const bisect: GitVerb = (call, judge) => {
  if (call.words[0]?.text === 'run') runs(call.words.slice(1), call, judge);
};

const forEachRepository: GitVerb = ({ name, words, scope }, judge) => {
  const read = readOptions(words, { long: ['config'] }, false);
  judge.command([{ text: name, mayVanish: false }, ...read.operands], scope);
};

const maintenance: GitVerb = ({ name, words }, judge) => {
  const read = readOptions(words, { long: ['task', 'schedule'] }, true);
  const prefetches = valuesOf(read, 'task').some(({ text }) => text === 'prefetch') || hasOption(read, 'schedule');
  if (read.operands[0]?.text === 'run' && prefetches)
    judge.deny({ offence: 'fetch', words: [name, 'maintenance', 'run', '--task=prefetch'] });
};

const filterBranch: GitVerb = ({ name, words, scope }, judge) => {
  words.forEach(({ text }, index) => {
    if (/^--[a-z-]+-filter$|^--setup$/.test(text) && words[index + 1]) {
      judge.script(words[index + 1]!.text, scope, { positional: [], where: `for ${name} to run` });
    }
  });
};

const clone: GitVerb = (call, judge) => {
  withCode(() => ({ short: 'ubojc', long: ['upload-pack', 'config'] }), 'u', 'upload-pack')(call, judge);
  const read = readOptions(call.words, { short: 'ubojc', long: ['config'] }, true);
  for (const setting of valuesOf(read, 'c', 'config')) judgeConfiguration(setting.text, 'value', call.scope, judge);
};

/** The commands of git that run what they are given, beside those that go to a remote themselves. */
export const gitCodeVerbs: ReadonlyMap<string, GitVerb> = new Map<string, GitVerb>([
  ['remote', remote],
  ['config', configCommand],
  ['submodule', submodule],
  ['bisect', bisect],
  ['for-each-repo', forEachRepository],
  ['maintenance', maintenance],
  ['filter-branch', filterBranch],
  ['clone', clone],
  ['rebase', withCode(() => ({ short: 'xsXC', long: ['exec', 'onto', 'strategy', 'strategy-option'] }), 'x', 'exec')],
  ['difftool', withCode(() => ({ short: 'xt', long: ['extcmd', 'tool'] }), 'x', 'extcmd')],
  ['grep', withCode(() => ({ short: 'OefABCm', long: ['open-files-in-pager'] }), 'O', 'open-files-in-pager')],
  ['ls-remote', withCode(() => ({ long: ['upload-pack', 'exec'] }), 'upload-pack', 'exec')],
  ['archive', withCode(() => ({ short: 'o', long: ['exec', 'output', 'remote', 'prefix'] }), 'exec')],
  [
    'send-email',
    withCode(() => ({ long: ['sendmail-cmd', 'to-cmd', 'cc-cmd'] }), 'sendmail-cmd', 'to-cmd', 'cc-cmd', 'header-cmd'),
  ],
]);
