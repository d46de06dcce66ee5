import assert from 'node:assert/strict';
import { textOfAnswer, titleAndBody } from '../../../src/core/texts/answer.ts';

const name = (answer: string): string => textOfAnswer(answer, 'name');
const message = (answer: string): string => textOfAnswer(answer, 'commit');

describe('what a model has answered', () => {
  it('is the text without fences, quotes and what stands before it', () => {
    assert.equal(message('```\nFix the login\n```'), 'Fix the login');
    assert.equal(
      message('Here is the commit message:\n\n```text\nFix the login\n\nIt failed.\n```\n'),
      'Fix the login\n\nIt failed.',
    );
    assert.equal(message("Sure, here's the message:\nFix the login"), 'Fix the login');
    assert.equal(message('Commit message: "Fix the login"'), 'Fix the login'.replace(/^/, ''));
    assert.equal(message('"Fix the login"'), 'Fix the login');
    assert.equal(message('Fix the `login`\n\nUse ``` for code.'), 'Fix the `login`\n\nUse ``` for code.');
    assert.equal(message('Fix it\r\n\r\n\r\n\r\nBecause.\r\n'), 'Fix it\n\nBecause.');
  });

  it('is one line for a name', () => {
    for (const answer of [
      'fix-login',
      '`fix-login`',
      '"fix-login".',
      'Branch name: fix-login',
      '```\nfix-login\n```',
      '**fix-login**\n\nIt is short.',
    ])
      assert.equal(name(answer), 'fix-login', answer);
    assert.ok(name('x'.repeat(1000)).length <= 100);
  });

  it('does nothing to a terminal, and nothing is left of nothing', () => {
    assert.equal(message('\u001b[31mFix\u001b[0m\u0007 it\u202e\u200b'), 'Fix it');
    for (const answer of ['', '   \n', '``````', '```\n\n```'])
      assert.equal(name(answer).replaceAll('`', ''), '', answer);
  });

  it('is a title and a description for a pull request', () => {
    assert.deepEqual(titleAndBody('# Log in with a key\n\n## Why\n\nIt is safer.\n'), {
      title: 'Log in with a key',
      body: '## Why\n\nIt is safer.',
    });
    assert.deepEqual(titleAndBody('**Title:** Log in\n\n**Description:**\nIt is safer.'), {
      title: 'Log in',
      body: 'It is safer.',
    });
    assert.deepEqual(titleAndBody('Log in'), { title: 'Log in', body: '' });
    for (const label of ['Title:', '**Title**', '# Title\n', '**Title:**\n'])
      assert.deepEqual(titleAndBody(`${label}\nLog in\n\nIt is safer.`), { title: 'Log in', body: 'It is safer.' });
    assert.deepEqual(titleAndBody('Title:'), { title: '', body: '' });
  });

  it('keeps the words of a title that only look like its label', () => {
    for (const title of ['Title case in headings', 'Titles are cut', 'Titled: pages without a name'])
      assert.equal(titleAndBody(`${title}\n\nIt reads better.`).title, title);
  });
});
