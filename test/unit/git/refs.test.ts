import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseSummaries } from '../../../src/core/git/commits.ts';
import { gitFileTarget } from '../../../src/core/git/gitFile.ts';
import { parseBranches, parseRemoteBranches } from '../../../src/core/git/refs.ts';

const oid = 'a'.repeat(40);

suite('branches', () => {
  test('a subject keeps whatever it holds but NUL and line breaks', () => {
    const [branch] = parseBranches(`refs/heads/a/b\0${oid}\0refs/remotes/origin/x\0${1700000000}\0fix: "x"\t#12 ü\0\n`);
    assert.deepEqual(branch, {
      name: 'a/b',
      oid,
      upstream: 'refs/remotes/origin/x',
      committed: 1700000000,
      subject: 'fix: "x"\t#12 ü',
    });
  });

  test('an alias is no branch of its own', () => {
    assert.deepEqual(parseBranches(`refs/heads/alias\0${oid}\0\0${1}\0x\0refs/heads/main\n`), []);
  });

  test('the default branch of a remote is what its HEAD stands for', () => {
    const { oids, defaults } = parseRemoteBranches(
      `refs/remotes/origin/HEAD\0${oid}\0refs/remotes/origin/main\nrefs/remotes/origin/main\0${oid}\0\n`,
    );
    assert.deepEqual([...oids], [['refs/remotes/origin/main', oid]]);
    assert.deepEqual([...defaults], [['refs/remotes/origin/HEAD', 'refs/remotes/origin/main']]);
  });

  test('no output whatever makes them fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (output) => {
        assert.ok(Array.isArray(parseBranches(output)));
        assert.ok(parseRemoteBranches(output).oids.size >= 0);
        assert.ok(parseSummaries(output).size >= 0);
      }),
    );
  });
});

suite('a .git file', () => {
  test('leads to a path that may hold spaces and line breaks', () => {
    assert.equal(gitFileTarget('gitdir: /a b\nc/.git/worktrees/x\n'), '/a b\nc/.git/worktrees/x');
  });

  test('written on Windows ends in two characters', () => {
    assert.equal(gitFileTarget('gitdir: ../.git/worktrees/x\r\n'), '../.git/worktrees/x');
  });

  for (const text of ['', 'gitdir: ', 'gitdir:\n', 'ref: refs/heads/main\n']) {
    test(`${JSON.stringify(text)} leads nowhere`, () => {
      assert.equal(gitFileTarget(text), undefined);
    });
  }
});
