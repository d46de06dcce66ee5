import type { Run } from './shellSandbox.ts';

const gitValues = [
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--attr-source',
  '--config-env',
];
const gitVerbs = ['push', 'fetch', 'pull', 'send-pack', 'fetch-pack', 'http-push', 'http-fetch'];
const ghWrites: Readonly<Record<string, readonly string[]>> = {
  pr: ['create', 'ready', 'merge', 'close', 'edit', 'comment', 'review', 'reopen', 'lock', 'update-branch'],
  issue: ['create', 'close', 'edit', 'comment', 'delete', 'reopen'],
  repo: ['create', 'delete', 'edit', 'fork', 'sync', 'rename', 'archive'],
  release: ['create', 'delete', 'edit', 'upload'],
  workflow: ['run', 'disable', 'enable'],
  run: ['rerun', 'cancel', 'delete'],
};

/**
 * Whether a program that really ran is one that the guard must stop. Written apart from the guard and simpler: it sees arguments, not
 * a script, and claims only what is certain.
 */
export function isForbidden([program = '', ...words]: Run): boolean {
  switch (program) {
    case 'git-push':
    case 'git-fetch':
      return !isHelp(words);
    case 'git':
    case 'hub':
      return isRemote(words);
    case 'gh':
      return isWrite(words);
    case 'wt':
      return (words[0] === 'poll' || words[0] === 'wait') && !words.includes('--help') && !words.includes('-h');
    default:
      return false;
  }
}

function isHelp(words: readonly string[]): boolean {
  return words[0] === '--help' || words[0] === '-h';
}

function isRemote(words: readonly string[]): boolean {
  let at = 0;
  while (at < words.length && words[at]!.startsWith('-')) {
    if (/^(?:--help|-h|--version|-v|--exec-path|--html-path|--man-path|--info-path)$/.test(words[at]!)) return false;
    at += gitValues.includes(words[at]!) ? 2 : 1;
  }
  const [verb = '', ...rest] = words.slice(at);
  if (isHelp(rest)) return false;
  if (gitVerbs.includes(verb)) return true;
  return verb === 'remote' && (rest[0] === 'update' || (rest[0] === 'add' && rest.includes('-f')));
}

function isWrite(words: readonly string[]): boolean {
  if (words.includes('--help') || words.includes('-h')) return false;
  const [group = '', verb = ''] = words;
  if (group !== 'api') return ghWrites[group]?.includes(verb) ?? false;
  if (words.includes('graphql')) return words.some((word) => /^query=\s*mutation\b/.test(word));
  const method = words[words.indexOf('-X') + 1];
  return words.includes('-X') ? method !== undefined && !/^(?:get|head)$/i.test(method) : words.includes('-f');
}
