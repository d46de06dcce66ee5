import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseIgnoreFile, ruleOn } from '../../../src/core/git/ignoreFile.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';

const patterns = [
  'name',
  'name/',
  '/name',
  '/name/',
  'sub/name',
  'sub/name/',
  '/sub/name',
  '**/name',
  '**/name/',
  '**/sub/name',
  'name/**',
  'name/*',
  '*',
  '/*',
  '*.log',
  '*name',
  '/*.log',
  '*.log/',
  '**',
  '*.*',
  '?ame',
  '[n]ame',
  'n*e',
  '\\name',
  '\\!name',
  '\\#name',
  '#name',
  '/',
  '//name',
  ' ',
  'name ',
  'name\\ ',
  'name\t',
  ' name',
  '\uFEFFname',
  'name\r',
  'name \r\nother',
  'name\r \n',
  '*\n!name\r',
  '*\n!name \r\n',
  'Name',
  'ü',
  'name\n!name',
  '!name\nname',
  'name\n!other',
  '*.log\n!name.log',
  '*\n!name',
  '*\n!*/',
  'name/\n!name',
  'sub/\n!sub/name',
  '!\uFEFF\nname',
];
const paths = [
  'name',
  'sub/name',
  'deep/sub/name',
  'name.log',
  'sub/.log',
  'Name',
  'ü',
  'other',
  '#name',
  '!name',
  ' ',
].flatMap((path) => [path, `${path}/`]);

describe('ignore rules that are told without git', () => {
  let home: TestHome;
  let repository: TestRepository;
  before(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  after(() => home.dispose());

  it('ignore nothing that git does not ignore', async () => {
    // Every set of rules has a folder of its own, and git looks whether a path with a slash is a folder.
    for (const [number, pattern] of patterns.entries()) await repository.write(`files/${number}/.gitignore`, pattern);
    for (const [number, pattern] of patterns.entries()) await repository.write(`folders/${number}/.gitignore`, pattern);
    const asked = patterns.flatMap((_, number) =>
      paths.map((path) => `${path.endsWith('/') ? 'folders' : 'files'}/${number}/${path}`),
    );
    for (const path of asked) if (path.endsWith('/')) await mkdir(join(repository.root, path), { recursive: true });
    await repository.write('asked', `${asked.map((path) => path.replace(/\/$/, '')).join('\0')}\0`);
    const answer = await repository.git('-c', 'alias.ask=!git check-ignore -z --no-index --stdin < asked', 'ask');
    const ignored = new Set(answer.split('\0'));
    let sure = 0;
    for (const path of asked) {
      const [, number = '', rest = ''] = /^[^/]+\/(\d+)\/([^]*)$/.exec(path) ?? [];
      const pattern = patterns[Number(number)] ?? '';
      const told = ruleOn(parseIgnoreFile(pattern), rest);
      if (told !== 'ignored') continue;
      sure++;
      assert.equal(ignored.has(path.replace(/\/$/, '')), true, `${JSON.stringify(pattern)} on ${JSON.stringify(rest)}`);
    }
    assert.equal(sure > 60, true, String(sure));
    assert.equal(ignored.size > sure, true);
  });

  for (const [rules, path, told] of [
    ['node_modules/', 'node_modules/', 'ignored'],
    ['node_modules/', 'node_modules', 'none'],
    ['node_modules/\n!.env.example', 'node_modules/', 'ignored'],
    ['*.log\n!keep.log', 'a.log', 'ignored'],
    ['*.log\n!keep.log', 'keep.log', 'unclear'],
    ['*.log\n!k*p.log', 'a.log', 'unclear'],
    ['a?c', 'abc', 'none'],
    ['*.log\r\n!keep.log\r\n', 'keep.log', 'unclear'],
    ['build/\r\n', 'build/', 'ignored'],
  ] as const) {
    it(`of ${JSON.stringify(rules)} on ${path} say: ${told}`, () =>
      assert.equal(ruleOn(parseIgnoreFile(rules), path), told));
  }
});
