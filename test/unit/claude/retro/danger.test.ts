import assert from 'node:assert/strict';
import { dangerOf, harmlessness } from '../../../../src/core/claude/retro/danger.ts';

describe('what a retrospective takes for dangerous', () => {
  const place = { worktree: '/repo/.worktrees/x', cwd: '/repo/.worktrees/x' };

  for (const [command, why] of [
    ['git push origin main', /pushes/],
    ['cd /repo && git -c x=y push', /pushes/],
    ['git pull --rebase', /fetches/],
    ['gh pr merge 12 --squash', /pull request/],
    ['gh api -X DELETE repos/o/r/pulls/1', /GitHub/],
    ['npm publish', /publishes a package/],
    ['make release', /script that may publish/],
    ['echo x > /repo/README.md', /writes to (?:\w:)?[\\/]repo[\\/]README\.md/],
    ['cp a.txt ../other/a.txt', /writes to (?:\w:)?[\\/]repo[\\/]\.worktrees[\\/]other[\\/]a\.txt/],
    ["bash -c 'git push'", /pushes/],
  ] as const) {
    it(command, () => assert.match(dangerOf(command, '', place) ?? 'nothing', why));
  }

  it('a command that says nothing and prints what a push prints', () => {
    const printed = 'To example.com:o/r.git\n   1a2b3c4..5d6e7f8  x -> x\n';
    assert.match(dangerOf('./ship-it', printed, place) ?? 'nothing', /after a push/);
  });

  for (const command of [
    'wt push x',
    'cd /repo/.worktrees/x && wt push x',
    'git stash push -m "save"',
    'git commit -m "Do not git push here"',
    'grep -rn "gh pr merge" docs',
    'git push --dry-run',
    'npm test > /tmp/out.txt 2>&1',
    'echo x > notes.md',
    'ls 2>/dev/null',
    'git log --oneline main..HEAD',
  ]) {
    it(`not: ${command}`, () => assert.equal(dangerOf(command, '', place), undefined));
  }
});

describe('what a retrospective takes for dangerous on Windows', () => {
  const place = { worktree: 'C:\\r\\.worktrees\\x', cwd: 'c:\\r\\.worktrees\\x\\src' };
  for (const [command, why] of [
    ['echo x > /c/r/README.md', /writes to C:\\r\\README\.md/],
    ['echo x > "C:/r/README.md"', /writes to C:\\r\\README\.md/],
    ['echo x > ../../other/a.txt', /writes to c:\\r\\\.worktrees\\other/],
    ['cp a.txt D:/a.txt', /writes to D:\\a\.txt/],
    ['cp a.txt ../../../README.md', /writes to c:\\r\\README\.md/],
    ['git push', /pushes/],
  ] as const)
    it(command, () => assert.match(dangerOf(command, '', place, true) ?? 'nothing', why));
  for (const command of [
    'ls 2>/dev/null',
    'npm test > /tmp/out.txt 2>&1',
    'npm test > C:/Users/me/AppData/Local/Temp/out.txt',
    'echo x > ../notes.md',
    'echo x > C:/R/.worktrees/X/notes.md',
    'echo x > /c/r/.worktrees/x/notes.md',
    'dir 2>nul',
  ])
    it(`not: ${command}`, () => assert.equal(dangerOf(command, '', place, true), undefined));
});

describe('what a retrospective takes for a refusal of something harmless', () => {
  it('a command that the guard could not check', () => {
    assert.match(
      harmlessness('for ((;;)); do :; done', 'The guard could not check this call (x)') ?? '',
      /could not check/,
    );
  });

  it('words that are only in quotes', () => {
    assert.match(harmlessness('echo "git push is forbidden"', '`git push`: …') ?? '', /only in quotes/);
  });

  it('a dry run', () => assert.match(harmlessness('git push --dry-run', '`git push`: …') ?? '', /dry run/));

  it('not a push', () => assert.equal(harmlessness('git push origin main', '`git push`: …'), undefined));
});
