import assert from 'node:assert/strict';
import { hostProblem } from '../../../src/core/github/failure.ts';
import { textOf, verbatim } from '../../../src/core/messages/message.ts';

const statuses = [403, 404, 409, 410, 422, 451, 500];
const problemOf = (status: number, data: unknown): ReturnType<typeof hostProblem> =>
  hostProblem(
    { name: 'HttpError', message: 'HttpError', status, response: { headers: {}, data } },
    { what: verbatim('open it'), host: 'github.com', tokenFrom: 'gh', now: 0 },
  );

describe('the reason of a refusal by GitHub', () => {
  it('is told with every status, also where only the message has it', () => {
    for (const status of statuses) {
      const { message, items, words } = problemOf(status, { message: 'Repository was archived so is read-only.' });
      assert.equal(message, `github.com did not open it: Repository was archived so is read-only (HTTP ${status}).`);
      assert.deepEqual(items, []);
      assert.deepEqual(words, ['Repository was archived so is read-only.']);
    }
  });

  it('is the first of the errors where the message only repeats the status, and the others are listed', () => {
    const errors = [
      { resource: 'PullRequest', code: 'custom', message: 'No commits between main and a' },
      { resource: 'PullRequest', field: 'base', code: 'invalid' },
      null,
      {},
      'plainly said',
    ];
    const { message, items } = problemOf(422, { message: 'Validation Failed', errors });
    assert.equal(message, 'github.com did not open it: No commits between main and a (HTTP 422).');
    assert.deepEqual(items, ['base: invalid', 'plainly said']);
    assert.match(
      problemOf(422, { message: 'Validation Failed', errors: 'One text' }).message,
      /: One text \(HTTP 422\)/,
    );
  });

  it('keeps to the status where nothing is said', () => {
    for (const data of [undefined, null, '', {}, { message: 'Validation Failed' }, { message: 7, errors: null }])
      assert.equal(problemOf(422, data).message, 'github.com did not open it (HTTP 422).');
    const unseen = problemOf(404, { message: 'Not Found' });
    assert.match(unseen.message, /there is no such thing, or the token may not see it\.$/);
    assert.equal(unseen.reason, 'not-found');
  });

  it('is one sentence in one line, however long the answer is and whatever markup or commands of a terminal it holds', () => {
    const page =
      '<!DOCTYPE html>\n<html><head><style>p { x: 1 }</style>\n<title>\n Access denied by\r\n the proxy </title></head><body><p>Long</p></body></html>';
    const cases: [unknown, string][] = [
      [page, 'Access denied by the proxy'],
      ['<html><body><script>alert("x. y")</script><p>No   entry.</p> More.</body></html>', 'No entry'],
      [{ message: page }, 'Access denied by the proxy'],
      [{ message: 'First is why. Second is more.\nThird.' }, 'First is why'],
      [{ message: 'one\ntwo\r\n\tthree' }, 'one two three'],
      [{ message: '\u001B[31mred\u0007 \u202Ebad' }, '[31mred bad'],
      [{ message: 'Takes {what} and {status} as they are' }, 'Takes {what} and {status} as they are'],
      [{ message: 'if a < b or b > c' }, 'if a < b or b > c'],
    ];
    for (const [data, told] of cases)
      for (const status of statuses)
        assert.equal(problemOf(status, data).message, `github.com did not open it: ${told} (HTTP ${status}).`);
    for (const unit of ['x', 'word ', '👍', `<p>text</p>`]) {
      const { message } = problemOf(422, { message: unit.repeat(50_000), errors: [unit.repeat(50_000)] });
      assert.ok(message.length < 260, `${message.length} characters`);
      assert.doesNotMatch(message, /\p{Cs}/u);
      assert.match(message, /… \(HTTP 422\)\.$/);
    }
    for (const item of problemOf(422, { message: 'x', errors: ['y\n'.repeat(9999), page] }).items)
      assert.ok(item.length <= 201 && !item.includes('\n') && !item.includes('<'), item);
  });

  it('is told of a query, and what that does not find may only be hidden', () => {
    const ask = (errors: object[]): ReturnType<typeof hostProblem> =>
      hostProblem(Object.assign(new Error('failed'), { status: 200, headers: {}, errors }), {
        what: verbatim('tell'),
        host: 'github.com',
        tokenFrom: 'gh',
        now: 0,
      });
    assert.equal(ask([{ message: 'Something went wrong' }]).message, 'github.com did not tell: Something went wrong.');
    const hidden = ask([{ type: 'NOT_FOUND', message: 'Could not resolve to a Repository' }]);
    assert.match(hidden.message, /no such thing/);
    assert.deepEqual(hidden.items, ['Could not resolve to a Repository']);
    assert.equal(typeof textOf(hidden.what), 'string');
  });
});
