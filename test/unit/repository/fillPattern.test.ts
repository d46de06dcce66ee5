import assert from 'node:assert/strict';
import { fillPattern } from '../../../src/core/repository/fillPattern.ts';

suite('filling the patterns of the configuration', () => {
  const values = { name: 'Feat Auth', slug: 'feat-auth', project: 'shop', work_id: '258' };

  test('knows name, slug, project, branch and work id', () => {
    assert.equal(fillPattern('../{project}-{work_id}/{slug}', values, 'p'), '../shop-258/feat-auth');
    assert.equal(fillPattern('{branch}/{name}', { ...values, branch: 'b' }, 'p'), 'b/Feat Auth');
  });

  test('puts values in as they are, also those that look like placeholders or replacement patterns', () => {
    assert.equal(fillPattern('{name}', { ...values, name: '{slug} $& $1' }, 'p'), '{slug} $& $1');
  });

  test('refuses what it does not know, and what has no value', () => {
    assert.throws(
      () => fillPattern('{nmae}', values, 'worktree.location_pattern'),
      /worktree\.location_pattern.*\{nmae\}/,
    );
    assert.throws(() => fillPattern('{constructor}', values, 'p'), { reason: 'usage' });
    assert.throws(() => fillPattern('{work_id}', { ...values, work_id: undefined }, 'p'), {
      next: 'add `--work-id ID`',
    });
  });
});
