import { isUnknown, knownText, type Argument } from '../shell/argument.ts';
import { isWritingVerb, readsOf } from './githubVerbs.ts';
import { isReadingQuery } from './graphql.ts';
import { hasOption, parseOptions, valuesOf } from './options.ts';
import type { Call, Rule, Guard } from './rule.ts';

/** Options of `gh` with a value, which may come before or between the words of the command. */
const withValue = ['-R', '--repo', '--hostname'];

/** `gh GROUP VERB …`: denied unless it is known to only read. */
export const github: Rule = (call, guard) => {
  const { words, name, suspected, state } = call;
  const positions: number[] = [];
  for (let at = 0; at < words.length && positions.length < 2; at++) {
    const text = knownText(words[at]!);
    if (withValue.includes(text)) at++;
    else if (text === '--help' || text === '-h') return undefined;
    else if (text === '--version' && positions.length === 0) return undefined;
    else if (!text.startsWith('-') && !(text === '' && words[at]!.mayVanish && at + 1 < words.length))
      positions.push(at);
  }
  const [group, verb] = positions.map((at) => words[at]!);
  if (group === undefined) return undefined;
  const groupName = knownText(group).toLowerCase();
  const verbName = verb === undefined ? '' : knownText(verb).toLowerCase();
  const reads = readsOf(groupName);
  // Found among the arguments of another command: a group that gh does not have is no call of gh.
  if (suspected && reads === undefined) return undefined;
  if (state.positional === undefined && (isUnknown(group) || (verb !== undefined && isUnknown(verb)))) return undefined;
  if (groupName === 'api') {
    checkApi(words.slice(positions[0]! + 1), call, guard);
    return undefined;
  }
  if (groupName === 'alias' && (verbName === 'set' || verbName === 'import')) {
    checkAlias(words.slice(positions[1]! + 1), verbName, call, guard);
    return undefined;
  }
  if (reads?.includes('*') || reads?.includes(verbName)) return undefined;
  const rest = words.slice((positions.at(-1) ?? 0) + 1).map(knownText);
  if (asksForHelp(rest)) return undefined;
  // A group alone prints its help.
  if (verb === undefined && reads !== undefined) return undefined;
  if (groupName === 'issue' && verbName === 'develop' && rest.some((text) => text === '--list' || text === '-l'))
    return undefined;
  if (
    groupName === 'repo' &&
    (verbName === 'deploy-key' || verbName === 'autolink') &&
    /^(?:list|view)$/.test(rest[0] ?? '')
  )
    return undefined;
  if (groupName === 'config' && verbName === 'set') {
    guard.script(rest[1] ?? '', state, { positional: [], where: 'in a setting of gh' });
    return undefined;
  }
  if (suspected && !isWritingVerb(verbName)) return undefined;
  guard.deny({
    kind: groupName === 'pr' ? 'pull-request' : 'github',
    words: [name, group.text, ...(verb === undefined ? [] : [verb.text])],
  });
  return undefined;
};

/** Whether the call only asks for help: not after `--`, and not where it may be the value of an option. */
function asksForHelp(rest: readonly string[]): boolean {
  const at = rest.findIndex((text) => text === '--help' || text === '-h');
  if (at < 0 || rest.slice(0, at).includes('--')) return false;
  return at === 0 || !rest[at - 1]!.startsWith('-');
}

/** `gh alias set NAME EXPANSION`: the expansion is checked. */
function checkAlias(words: readonly Argument[], verb: string, { name, state }: Call, guard: Guard): void {
  const [alias, expansion] = words.filter(({ text }) => !text.startsWith('-') || text === '-');
  if (verb === 'import' || expansion === undefined || expansion.text === '-') {
    if (alias !== undefined) guard.deny({ kind: 'github', words: [name, 'alias', verb, alias.text] });
    return;
  }
  const shell = expansion.text.startsWith('!') || words.some(({ text }) => text === '--shell' || text === '-s');
  const code = expansion.text.replace(/^!/, '');
  guard.script(shell ? code : `gh ${code}`, state, { positional: [], where: `in the gh alias ${alias!.text}` });
}

/** The options of `gh api` with a value. */
const apiNames = ['method', 'field', 'raw-field', 'header', 'jq', 'template', 'preview', 'input', 'hostname', 'cache'];

function checkApi(words: readonly Argument[], { name }: Call, guard: Guard): void {
  if (asksForHelp(words.map(knownText))) return;
  const parsed = parseOptions(words, { short: 'XfFHqtp', long: apiNames }, true);
  // `gh` takes `-X=GET` for `-X GET`.
  const textsOf = (letter: string, option: string): string[] =>
    valuesOf(parsed, letter, option).map(({ text }) => text.replace(/^=/, ''));
  const endpoint = parsed.operands.map(knownText).find((text) => text !== '') ?? '';
  const method = textsOf('X', 'method').at(-1)?.toUpperCase();
  // The value of a plain field may name a file: `-F query=@file`.
  const plainFields = textsOf('F', 'field');
  const fields = [...textsOf('f', 'raw-field'), ...plainFields];
  const input = hasOption(parsed, 'input');
  const body = hasOption(parsed, 'f', 'raw-field', 'F', 'field', 'input');
  const overridden = textsOf('H', 'header').some((header) => /^x-http-method-override\s*:/i.test(header));
  if (/(?:^|\/)graphql\/?$/i.test(endpoint)) {
    if (method === 'GET' || method === 'HEAD') return;
    const queries = fields.filter((text) => text.startsWith('query='));
    const reads =
      queries.length > 0 &&
      queries.every((text) => isReadingQuery(text.slice('query='.length))) &&
      !plainFields.some((text) => text.startsWith('query=@'));
    if (!reads || input || overridden)
      guard.deny({ kind: 'github-query', words: [name, 'api', endpoint, ...fields.slice(0, 1)] });
    return;
  }
  const used = method ?? (body ? 'POST' : 'GET');
  if (!overridden && (used === 'GET' || used === 'HEAD')) return;
  const merges = /\/pulls?\b/.test(endpoint);
  guard.deny({
    kind: merges ? 'pull-request' : 'github',
    words: [name, 'api', ...(method === undefined ? [] : ['-X', method]), endpoint],
  });
}
