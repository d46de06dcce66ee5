import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitProblem } from '../../../src/core/git/gitError.ts';
import type { Problem } from '../../../src/core/base/problem.ts';

describe('what git says when it fails', () => {
  const told = (stderr: string): Problem =>
    gitProblem(['--git-dir=/r/.git', 'read-tree'], { exitCode: 128, stdout: '', stderr });

  for (const [stderr, file, message] of [
    ["fatal: Unable to create '/r/.git/index.lock': Permission denied", '/r/.git/index.lock', /permission denied/],
    ["fatal: Unable to create '/r/.git/index.lock': Read-only file system", '/r/.git/index.lock', /disk is read-only/],
    ['error: unable to create file src/a.ts: No space left on device\nfatal: sorry', 'src/a.ts', /disk is full/],
    ["fatal: sha1 file '/r/.git/index.lock' write error. Out of diskspace", '/r/.git/index.lock', /disk is full/],
    ["fatal: cannot mkdir 'a/b': Not a directory", 'a/b', /a file is where a folder is needed/],
    [
      "fatal: could not open '/r/.git/COMMIT_EDITMSG': Is a directory",
      '/r/.git/COMMIT_EDITMSG',
      /a folder is where a file/,
    ],
    ["error: unable to unlink old 'a': Device or resource busy", 'a', /another program/],
    ['fatal: unable to write new index file: Input/output error', undefined, /disk does not answer/],
    [
      "warning: unable to access '.claude/.gitignore': Too many levels of symbolic links",
      '.claude/.gitignore',
      /leads back to itself/,
    ],
    ['fatal: bad config line 3 in file /r/.git/config', '/r/.git/config', /line 3/],
    [
      "fatal: bad numeric config value 'x' for 'core.bigfilethreshold' in file .git/config: invalid unit",
      '.git/config',
      /core\.bigfilethreshold/,
    ],
    [
      "error: invalid path 'docs/aux.c'\nfatal: could not reset",
      undefined,
      /does not allow the file name docs\/aux\.c/,
    ],
    ["fatal: invalid path 'con'", undefined, /does not allow the file name con/],
    ['fatal: index file corrupt', undefined, /index/],
    ['error: index uses @?!; extension, which we do not understand\nfatal: index file corrupt', undefined, /index/],
    ['fatal: bad object HEAD1234567', undefined, /failed/],
    ['fatal: bad object 0123456789012345678901234567890123456789', undefined, /missing or damaged/],
    ['fatal: unexpected line in .git/packed-refs: x', undefined, /packed-refs/],
    ["fatal: pathspec '.claude/agents/x' is beyond a symbolic link", '.claude/agents/x', /behind/],
    ["fatal: Pathspec 'sub/x' is in submodule 'sub'", 'sub/x', /submodule sub/],
  ] as const) {
    it(`is told with the file and what to do: ${stderr.split('\n')[0]}`, () => {
      const problem = told(stderr);
      assert.equal(problem.file, file);
      assert.match(problem.message, message);
      assert.ok(problem.next);
      assert.ok(problem.items.length > 0);
      if (problem.reason !== 'git-failed') assert.equal(problem.outcome, 'incomplete');
    });
  }

  it('does not take a server that refuses a key for a disk', () => {
    const problem = told(
      'git@example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    );
    assert.equal(problem.reason, 'git-failed');
  });

  describe('of a lock', () => {
    let folder: string;
    beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'wt-test-'))));
    afterEach(() => rm(folder, { recursive: true }));

    const words = (lock: string): string[] => [
      `fatal: Unable to create '${lock}': File exists.\n\nAnother git process seems to be running`,
      `fatal: prepare: cannot lock ref 'refs/heads/x': Unable to create '${lock}': File exists.`,
      `error: could not lock config file ${lock.replace(/\.lock$/, '')}: File exists`,
    ];

    for (const [minutes, message, next] of [
      [0, /Another git command is running/, /try again when it has ended/],
      [30, /is 30 minutes old.*has died, most likely/, /`rm .*x\.lock'?`/],
      [3 * 24 * 60, /is 3 days old/, /`wt doctor --fix`.*`rm .*x\.lock'?`/],
    ] as const) {
      it(`names it, its age and the way out after ${minutes} minutes`, async () => {
        const lock = join(folder, 'x.lock');
        await writeFile(lock, '');
        const then = new Date(Date.now() - minutes * 60_000);
        await utimes(lock, then, then);
        for (const stderr of words(lock)) {
          const problem = told(stderr);
          assert.equal(problem.reason, 'locked-by-another');
          assert.equal(problem.outcome, 'incomplete');
          assert.equal(problem.file, lock);
          assert.match(problem.message, message);
          assert.match(problem.next ?? '', next);
        }
      });
    }
  });
});
