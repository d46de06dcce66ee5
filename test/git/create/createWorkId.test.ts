import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../../src/core/base/problem.ts';
import { Creations } from '../../support/creations.ts';

describe('creating a worktree for a work id, without a name', function () {
  this.timeout(300_000);
  let at: Creations;
  before(async () => {
    at = await Creations.start();
    await at.create({ name: 'foo', workId: 'ABC-1' });
    await at.create('Bar');
    await at.create({ name: 'baz', workId: 'other' });
    await at.create('gone');
    await at.repository.git('branch', '300');
    await rename(at.path('gone'), join(at.home.root, 'elsewhere'));
  });
  after(() => at.dispose());

  const problemOf = (workId: string): Promise<Problem> =>
    at.plan({ workId }).then(
      ({ name }) => assert.fail(`it would be called ${name}`),
      (thrown: unknown) => thrown as Problem,
    );

  for (const [id, reason, what, next] of [
    ['ABC-1', 'taken', 'create.workIdHeld', /`wt switch foo`.*`wt create <name> --work-id ABC-1`/],
    ['abc-1', 'taken', 'create.workIdHeld', /`wt create <name> --work-id abc-1`/],
    [' ABC-1 ', 'taken', 'create.workIdHeld', /`wt create <name> --work-id ABC-1`/],
    ['bar', 'taken', 'create.nameWithoutWorkId', /`wt switch Bar`.*--work-id bar`/],
    ['baz', 'taken', 'create.nameWithOtherWorkId', /`wt switch baz`.*--work-id baz`/],
    ['gone', 'taken', 'worktree.folderMissing', /`wt cleanup gone`/],
    ['300', 'taken', 'create.branchAlready', /--work-id 300`, or .*`wt create --work-id 300 --branch 300`/],
    ['main', 'in-use', 'create.branchCheckedOut', /`wt create <name> --work-id main`/],
    ['foo/x', 'taken', 'create.branchCannotMade', /`wt create <name> --work-id foo\/x`/],
    ['HEAD', 'invalid-name', 'create.cannotNameBranch', /`wt create head --work-id HEAD`/],
    ['../x', 'invalid-name', 'create.invalidWorkId', /another work id/],
    ['', 'invalid-name', 'create.invalidWorkId', /another work id/],
  ] as const) {
    it(`refuses ${JSON.stringify(id)}, and says what to type`, async () => {
      const problem = await problemOf(id);
      assert.deepEqual([problem.reason, problem.id], [reason, what]);
      assert.match(problem.next ?? '', next);
    });
  }

  it('names the worktree that has the id, and where it is', async () => {
    const { message, file } = await problemOf('abc-1');
    assert.equal(message, `The worktree "foo" at ${at.path('foo')} has the work id "ABC-1" already.`);
    assert.equal(file, at.path('foo'));
  });

  it('takes what is free, and a name or another branch where one is given', async () => {
    const called = async (request: object): Promise<unknown[]> => {
      const { name, branch, request: resolved } = await at.plan(request);
      return [name, branch, resolved.workId];
    };
    assert.deepEqual(await called({ workId: ' 258 ' }), ['258', '258', '258']);
    assert.deepEqual(await called({ workId: '#12' }), ['#12', '#12', '#12']);
    assert.deepEqual(await called({ workId: 'ABC-1', name: 'second' }), ['second', 'second', 'ABC-1']);
    assert.deepEqual(await called({ workId: '300', branch: '300' }), ['300', '300', '300']);
    assert.deepEqual(await called({ workId: 'a b' }), ['a b', 'a-b', 'a b']);
    assert.deepEqual(await called({ workId: 'a b', branch: 'a-b' }), ['a b', 'a-b', 'a b']);
  });

  it('of two at once one is made', async () => {
    const both = await Promise.allSettled([at.create({ workId: '7' }), at.create({ workId: '7' })]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const refused = both.find((each) => each.status === 'rejected');
    assert.equal((refused?.reason as Problem).reason, 'taken');
  });
});
