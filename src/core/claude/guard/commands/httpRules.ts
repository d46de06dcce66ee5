import { knownText } from '../shell/argument.ts';
import type { Rule, RuleGroup } from './rule.ts';

/** `curl` and so on: a request to GitHub's API writes if it has a body or another method than GET. */
const httpClient: Rule = ({ name, words }, guard) => {
  const apiAddress =
    /^(?:https?:\/\/)?(?:[^/@]*@)?(?:api|uploads)\.github\.com(?:[:/]|$)|\/api\/(?:v3|graphql)(?:\/|$)/i;
  const texts = words.map(knownText);
  const url = texts.find((text) => apiAddress.test(text.replace(/^--url=/, '')));
  if (url === undefined) return undefined;
  const method = texts.flatMap((text, index) => {
    const attached = /^(?:-[a-zA-Z]*X|--request=|--method=)(.+)$/s.exec(text)?.[1];
    if (attached !== undefined) return [attached];
    return /^(?:-[a-zA-Z]*X|--request|--method)$/.test(text) ? [texts[index + 1] ?? ''] : [];
  })[0];
  // HTTPie takes the method as a word, curl and wget take the body as an option.
  const named = name.startsWith('curl') ? undefined : texts.find((text) => /^(?:post|put|patch|delete)$/i.test(text));
  const body =
    texts.some((text) => /^--(?:data|json|form|upload-file|post-data|post-file|body-data|body-file)\b/.test(text)) ||
    (name.startsWith('curl') && texts.some((text) => /^-[a-zA-Z]*[dFT]$|^-[dFT]./.test(text)));
  const asGet = texts.some((text) => text === '-G' || text === '--get');
  const writes = method === undefined ? named !== undefined || (body && !asGet) : !/^(?:get|head)$/i.test(method);
  if (writes) guard.deny({ kind: 'github', words: [name, ...(method === undefined ? [] : ['-X', method]), url] });
  return undefined;
};

/** Other commands that push or write to a code host, with the subcommands that do so. */
const otherClients: readonly (readonly [name: string, verbs: string])[] = [
  [
    'glab',
    'mr create, mr merge, mr close, mr update, mr note, mr approve, issue create, issue close, issue note, release create, repo create, repo delete',
  ],
  ['tea', 'pr create, pr merge, pr close, pulls create, pulls merge, pulls close, issues create, issues close'],
  ['gt', 'submit, stack submit, ss, s, sync, repo sync, get, merge'],
  ['jj', 'git push, git fetch'],
  ['sl', 'push, pull, pr submit'],
  ['git-town', 'sync, propose, ship'],
  ['gs', 'branch submit, stack submit, upstack submit, downstack submit, repo sync'],
  ['hg', 'push, pull'],
  ['svn', 'commit, ci, import, update, up'],
  ['az', 'repos pr create, repos pr update, repos pr set-vote'],
];

const otherClient: Rule = ({ name, words }, guard) => {
  const operands = words.map(knownText).filter((text) => text !== '' && !text.startsWith('-'));
  const [, verbs] = otherClients.find(([program]) => program === name) ?? [];
  const found = verbs?.split(', ').find((each) => `${operands.slice(0, 3).join(' ')} `.startsWith(`${each} `));
  if (found !== undefined && !words.some(({ text }) => text === '--help'))
    guard.deny({ kind: 'remote', words: [name, found] });
  return undefined;
};

/** Commands other than git and gh that reach a code host. */
export const clientGroups: readonly RuleGroup[] = [
  ['curl curlie wget http https xh xhs', httpClient],
  [otherClients.map(([name]) => name).join(' '), otherClient],
];
