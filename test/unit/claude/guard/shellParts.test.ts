import assert from 'node:assert/strict';
import { argument, globbed, commandName } from '../../../../src/core/claude/guard/shell/argument.ts';
import { braceExpanded } from '../../../../src/core/claude/guard/shell/braces.ts';
import { escaped, formatted } from '../../../../src/core/claude/guard/shell/escapes.ts';
import { isWritingVerb, readsOf } from '../../../../src/core/claude/guard/commands/githubVerbs.ts';
import { isReadingQuery } from '../../../../src/core/claude/guard/commands/graphql.ts';
import { hasOption, parseOptions, valuesOf } from '../../../../src/core/claude/guard/commands/options.ts';
import { forbiddenKeywords } from '../../../../src/core/claude/guard/commands/keywordSearch.ts';

suite('brace expansion', () => {
  const rows: Readonly<Record<string, readonly string[]>> = {
    'a{b,c}d': ['abd', 'acd'],
    '{a,b}{c,d}': ['ac', 'ad', 'bc', 'bd'],
    'x{a,{b,c}}': ['xa', 'xb', 'xc'],
    '{1..3}': ['1', '2', '3'],
    '{c..a}': ['c', 'b', 'a'],
    '{1..6..2}': ['1', '3', '5'],
    '{push,}': ['push', ''],
    '{a}': ['{a}'],
    '{}': ['{}'],
    '"{a,b}"': ['"{a,b}"'],
    "{'a,b',c}": ["'a,b'", 'c'],
    '{$(echo a,b),c}': ['$(echo a,b)', 'c'],
    '\\{a,b}': ['\\{a,b}'],
    '${x,y}': ['${x,y}'],
  };
  for (const [word, words] of Object.entries(rows)) {
    test(`${word} gives ${words.join(' ')}`, () => assert.deepEqual(braceExpanded(word), words));
  }

  test('gives up where it would give too many', () => {
    assert.equal(braceExpanded('{a,b}'.repeat(20)), undefined);
    assert.equal(braceExpanded('{1..100000}'), undefined);
  });
});

suite('escapes', () => {
  test('of echo -e and printf', () => {
    assert.equal(escaped('a\\tb\\x67\\0147\\147\\u0067\\\\n\\q\\cnever'), 'a\tbgggg\\n\\q');
  });

  test('printf uses its format again while there are values', () => {
    assert.equal(formatted('%s-%d%%\\n', ['a', '1', 'b']), 'a-1%\nb-%\n');
    assert.equal(formatted('%b', ['\\x67it']), 'git');
    assert.equal(formatted('plain', ['x', 'y']), 'plain');
  });
});

suite('the name of a program', () => {
  const rows: Readonly<Record<string, string>> = {
    git: 'git',
    '/usr/bin/git': 'git',
    'C:\\Program Files\\Git\\bin\\git.exe': 'git',
    GIT: 'git',
    '=git': 'git',
    'git.cmd': 'git',
    './git-push': 'git-push',
    'git\r': 'git',
    'gi\u200bt': 'gi\u200bt',
  };
  for (const [text, name] of Object.entries(rows)) {
    test(`of ${JSON.stringify(text)} is ${JSON.stringify(name)}`, () =>
      assert.equal(commandName(argument(text)), name));
  }

  test('is compared with globs by what they match', () => {
    assert.equal(globbed('gi\uE0F2', ['gh', 'git']), 'git');
    assert.equal(globbed('g\uE0F1', ['git']), 'git');
    assert.equal(globbed('git', ['git']), undefined);
    assert.equal(globbed('a.b\uE0F1', ['axb']), undefined);
  });
});

suite('the verbs of gh', () => {
  test('are known by whole names only', () => {
    assert.ok(readsOf('pr')?.includes('view') && readsOf('ssh-key')?.includes('list'));
    for (const group of ['', 'p', 'pr view', 'r', 'constructor', '__proto__'])
      assert.equal(readsOf(group), undefined, group);
    for (const verb of ['merge', 'rerun']) assert.ok(isWritingVerb(verb), verb);
    for (const verb of ['', 'merg', 'erge', 'new ready', ' ', 'view']) assert.ok(!isWritingVerb(verb), verb);
  });
});

suite('options', () => {
  const shape = { short: 'xo', long: ['exec', 'onto'] };
  const read = (text: string, mixed = true) => parseOptions(text.split(' ').map(argument), shape, mixed);
  const texts = (values: readonly { text: string }[]): string[] => values.map(({ text }) => text);

  test('have values attached, apart, and behind an equals sign', () => {
    assert.deepEqual(texts(valuesOf(read('-xA -x B --exec=C --exec D'), 'x', 'exec')), ['A', 'B', 'C', 'D']);
  });

  test('come in clusters, of which the last may have a value', () => {
    const options = read('-ix CODE main');
    assert.ok(hasOption(options, 'i'));
    assert.deepEqual(texts(valuesOf(options, 'x')), ['CODE']);
    assert.deepEqual(texts(options.operands), ['main']);
  });

  test('may be shortened', () => {
    assert.deepEqual(texts(valuesOf(read('--exe CODE --ont main'), 'exec')), ['CODE']);
  });

  test('end at two dashes, and at the first operand where they are not mixed', () => {
    assert.deepEqual(texts(read('-i -- -x a').operands), ['-x', 'a']);
    assert.deepEqual(texts(read('a -x b', false).operands), ['a', '-x', 'b']);
    assert.deepEqual(texts(read('a -x b').operands), ['a']);
  });
});

suite('a GraphQL query', () => {
  const reading = [
    '{ viewer { login } }',
    'query { a }',
    'query mutations($x: Int) { a(b: "mutation { c }") { mutation mergeStateStatus } }',
    '# mutation\nquery { a }',
    'fragment f on X { id } query { ...f }',
    'query { a(text: """mutation { b }""") }',
  ];
  const others = [
    '',
    'mutation { a }',
    'query a { x } mutation b { y }',
    'fragment f on X { id } mutation { y }',
    '# query\nmutation { y }',
    'subscription { a }',
    '@query.graphql',
    'query { a',
    'query { a } } mutation { b',
    'query { a(x: \uE0F0) }',
    '\uE0F0',
  ];
  for (const query of reading) test(`reads: ${query}`, () => assert.ok(isReadingQuery(query)));
  for (const query of others) test(`may write: ${query}`, () => assert.ok(!isReadingQuery(query)));

  test('may hold a variable of the shell within a text', () => {
    assert.ok(isReadingQuery('query { a(name: "\uE0F0") { id } }'));
  });
});

suite('suspicious words', () => {
  const found = [
    'git push',
    'g""it pu\'\'sh',
    'git -C x push',
    '["git", "push"]',
    'git \\\n push',
    'git\0 push',
    'hub push',
    '/usr/lib/git-core/git-push',
    'gh pr merge',
    'gh api -X POST',
    'wt poll',
    'GIT.EXE PUSH',
  ];
  const harmless = [
    'git status\npush',
    'push git',
    'legit push',
    'gitpush',
    'gh pr view',
    'gh api x',
    'wt push',
    'git pushes',
    '',
  ];
  for (const text of found)
    test(`are in ${JSON.stringify(text)}`, () => assert.notEqual(forbiddenKeywords(text), undefined));
  for (const text of harmless)
    test(`are not in ${JSON.stringify(text)}`, () => assert.equal(forbiddenKeywords(text), undefined));
});
