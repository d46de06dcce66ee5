import assert from 'node:assert/strict';
import { parseSubject } from '../../../src/core/create/subject.ts';

describe('what a person has in hand for a worktree', () => {
  const at = { host: 'github.com', owner: 'octo', repo: 'demo' };
  for (const [text, kind, number, where] of [
    ['pr:12', 'pull', 12, undefined],
    ['PR: #12', 'pull', 12, undefined],
    ['pull:7', 'pull', 7, undefined],
    ['issue:12', 'issue', 12, undefined],
    [' #12 ', 'either', 12, undefined],
    ['https://github.com/octo/demo/pull/12', 'pull', 12, at],
    ['https://github.com/octo/demo/pull/12/files#diff-1', 'pull', 12, at],
    ['https://GitHub.com/octo/demo/issues/3?notification=1', 'issue', 3, at],
    [
      'http://git.company.example:8080/a/b/pull/1',
      'pull',
      1,
      { host: 'git.company.example:8080', owner: 'a', repo: 'b' },
    ],
  ] as const) {
    it(`is ${kind} ${number} in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseSubject(text), { kind, number, at: where });
    });
  }

  for (const text of [
    'login',
    'Login: form v2',
    'feature/JIRA-12 add X',
    '50% #12',
    '#12 fix login',
    '#0',
    'pr:',
    'pr:x',
    '#',
    'pr-12',
    '12',
    'https://github.com/octo/demo',
    'https://github.com/octo/demo/pull/x',
    'github.com/octo/demo/pull/12',
    '',
  ])
    it(`is a text in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseSubject(text), { kind: 'text' });
    });
});
