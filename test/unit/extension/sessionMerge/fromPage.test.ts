import assert from 'node:assert/strict';
import { fromPage } from '../../../../src/extension/sessionMerge/fromPage.ts';

suite('what the page of the session merge editor says', () => {
  test('is taken when it is one of the things that pages say', () => {
    assert.deepEqual(fromPage({ type: 'ready' }), { type: 'ready' });
    assert.deepEqual(fromPage({ type: 'choose', id: 'task:0:a', choice: 'both', more: 1 }), {
      type: 'choose',
      id: 'task:0:a',
      choice: 'both',
    });
    assert.deepEqual(fromPage({ type: 'act', action: 'accept' }), { type: 'act', action: 'accept' });
  });

  test('is passed over when it is anything else', () => {
    const others: unknown[] = [
      ...[undefined, null, 'ready', 1, [], {}],
      ...[
        { type: 'write' },
        { type: 'act' },
        { type: 'act', action: 'constructor' },
        { type: 'act', action: 'delete' },
      ],
      ...[{ type: 'choose' }, { type: 'choose', id: 1, choice: 'ours' }, { type: 'choose', id: 'x', choice: 'all' }],
    ];
    assert.deepEqual(
      others.filter((each) => fromPage(each) !== undefined),
      [],
    );
  });
});
