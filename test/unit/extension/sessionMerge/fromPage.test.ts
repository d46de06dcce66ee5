import assert from 'node:assert/strict';
import { fromPage } from '../../../../src/extension/sessionMerge/fromPage.ts';

describe('what the page of the session merge editor says', () => {
  it('is taken when it is one of the things that pages say', () => {
    assert.deepEqual(fromPage({ type: 'ready' }), { type: 'ready' });
    assert.deepEqual(fromPage({ type: 'choose', id: 'task:0:a', choice: 'both', more: 1 }), {
      type: 'choose',
      id: 'task:0:a',
      choice: 'both',
    });
    assert.deepEqual(fromPage({ type: 'edit', id: 'x', text: '' }), { type: 'edit', id: 'x', text: '' });
    const review = { type: 'review', id: 'x', reviewed: false };
    assert.deepEqual(fromPage(review), review);
    assert.deepEqual(fromPage({ type: 'act', action: 'accept' }), { type: 'act', action: 'accept' });
  });

  it('is passed over when it is anything else', () => {
    const others: unknown[] = [
      ...[undefined, null, 'ready', 1, [], {}],
      ...[
        { type: 'write' },
        { type: 'act' },
        { type: 'act', action: 'constructor' },
        { type: 'act', action: 'delete' },
      ],
      ...[
        { type: 'edit', id: 'x' },
        { type: 'edit', text: 'x' },
        { type: 'review', id: 'x', reviewed: 1 },
      ],
      ...[{ type: 'choose' }, { type: 'choose', id: 1, choice: 'ours' }, { type: 'choose', id: 'x', choice: 'all' }],
    ];
    assert.deepEqual(
      others.filter((each) => fromPage(each) !== undefined),
      [],
    );
  });
});
