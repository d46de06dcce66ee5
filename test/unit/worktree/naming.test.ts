import assert from 'node:assert/strict';
import fc from 'fast-check';
import { distinctSlugOf } from '../../../src/core/repository/slug.ts';
import { nameWorktrees } from '../../../src/core/worktree/naming.ts';

const of = (path: string, branch?: string, registered?: string) => ({ path, branch, registered });
const names = (...all: Parameters<typeof nameWorktrees>[0]): string[] =>
  nameWorktrees(all, 'linux').map(({ name }) => name);

describe('names of worktrees', () => {
  it('the registry beats the folder', () => {
    assert.deepEqual(names(of('/p/.worktrees/feat-auth', 'auth', 'Feat Auth')), ['Feat Auth']);
  });

  it('another tool’s worktree is called after its folder', () => {
    assert.deepEqual(names(of('/elsewhere/spike', 'x/y')), ['spike']);
  });

  it('two folders with one name are called after their branches', () => {
    assert.deepEqual(names(of('/a/repo', 'one'), of('/b/repo', 'two')), ['one', 'two']);
  });

  it('without branches they are told apart by as much of the path as needed', () => {
    assert.deepEqual(names(of('/a/x/repo'), of('/b/x/repo'), of('/c/repo')), ['x/repo', 'b/x/repo', 'c/repo']);
  });

  it('a folder that is called like somebody’s registered name gives way', () => {
    assert.deepEqual(names(of('/p/.worktrees/auth', 'a', 'auth'), of('/other/auth', 'b')), ['auth', 'b']);
  });

  it('the slug is the folder’s where two names have one slug', () => {
    const distinct = distinctSlugOf('Fix it!');
    const all = nameWorktrees([of(`/w/${distinct}`, 'x', 'Fix it!'), of('/w/fix-it', 'y', 'fix it')], 'linux');
    assert.deepEqual(
      all.map(({ slug }) => slug),
      [distinct, 'fix-it'],
    );
  });

  it('the slug is that of an earlier version where the folder was called so', () => {
    const all = nameWorktrees(
      [of('/w/f-e', 'x', 'Füße'), of('/w/fuesse', 'y', 'fuesse'), of('/w/日本語', 'z', '日本語')],
      'linux',
    );
    assert.deepEqual(
      all.map(({ slug }) => slug),
      ['f-e', 'fuesse', '日本語'],
    );
  });

  it('no slug is a device on Windows, where files are called like slugs, wherever the name comes from', () => {
    const all = [of('/w/aux!', 'x'), of('/w/con', 'y', 'Con'), of('/a/nul~', 'z', 'nul?'), of('/w/fine', 'f')];
    const slugs = (platform: NodeJS.Platform): string[] => nameWorktrees(all, platform).map(({ slug }) => slug);
    assert.deepEqual(slugs('linux'), ['aux', 'con', 'nul', 'fine']);
    assert.deepEqual(slugs('win32'), ['aux!', 'Con', 'nul?'].map(distinctSlugOf).concat('fine'));
  });

  it('no two worktrees ever share a name or a slug', () => {
    const part = fc.constantFrom('a', 'A', 'a!', 'b', 'ü', 'x'.repeat(40));
    const each = fc.record({
      path: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`),
      branch: fc.option(part, { nil: undefined }),
      registered: fc.option(part, { nil: undefined }),
    });
    const places = fc.uniqueArray(each, { selector: ({ path }) => path, maxLength: 12 }).filter((all) => {
      const registered = all.flatMap((one) => one.registered ?? []);
      return new Set(registered).size === registered.length;
    });
    fc.assert(
      fc.property(places, (all) => {
        const named = nameWorktrees(all, 'linux');
        assert.equal(new Set(named.map(({ name }) => name)).size, all.length);
        assert.equal(new Set(named.map(({ slug }) => slug)).size, all.length);
        for (const [index, { registered }] of all.entries()) {
          if (registered !== undefined) assert.equal(named[index]?.name, registered);
        }
      }),
    );
  });
});
