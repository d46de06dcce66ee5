import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { guardFile } from '../../src/core/claude/guard/fileGuard.ts';
import { parseHookInput } from '../../src/core/claude/hookInput.ts';
import { isWine } from '../support/systems.ts';

describe('the guards on a disk of Windows', () => {
  let folder: string;
  let worktree: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'wt-guard-')));
    worktree = join(folder, '.worktrees', 'x');
    await mkdir(join(worktree, '.claude', 'commands-of-the-team'), { recursive: true });
    await mkdir(join(worktree, 'src'));
    await mkdir(join(folder, 'src'));
    await writeFile(join(worktree, '.git'), 'gitdir: nowhere\n');
    await writeFile(join(worktree, 'src', 'a.txt'), 'a\n');
    await writeFile(join(worktree, '.claude', 'settings.json'), '{}\n');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const write = (path: string, cwd = worktree): { decision: string; reason: string } => {
    const input = { cwd, hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: path } };
    const permission = guardFile(parseHookInput(JSON.stringify(input)), worktree);
    return { decision: permission.kind, reason: 'reason' in permission ? permission.reason : '' };
  };
  /** Each drive letter has a small form too, as VS Code writes it. */
  const otherCase = (path: string): string => `${path[0]!.toLowerCase()}${path.slice(1)}`;

  it('allow what is inside, however it is spelled', () => {
    const inside = join(worktree, 'src', 'a.txt');
    const spellings = [
      inside,
      otherCase(inside),
      inside.toUpperCase(),
      inside.replaceAll('\\', '/'),
      inside.slice(2),
      `\\\\?\\${inside}`,
      'src\\a.txt',
      'src/new/b.txt',
      'SRC\\..\\src\\a.txt',
      join(worktree, '..', '..', '.WORKTREES', 'X', 'src', 'a.txt'),
    ];
    for (const path of spellings) assert.equal(write(path).decision, 'allow', `${path}: ${write(path).reason}`);
    assert.equal(write('src\\a.txt', otherCase(worktree)).decision, 'allow');
    const [drive, ...rest] = worktree.split('\\');
    const inBash = `/${drive![0]!.toLowerCase()}/${rest.join('/')}`;
    assert.equal(write('src/a.txt', inBash).decision, 'allow', 'the folder as Git Bash writes it');
    assert.match(write(`${inBash}/src/a.txt`).reason, /not written as Windows does; write /);
  });

  it('deny what is outside, what decides on the guards, and what cannot be told, in plain words', () => {
    const { root } = parse(worktree);
    const denied: [path: string, reason: RegExp][] = [
      [join(folder, 'src', 'a.txt'), /outside/],
      ['..\\..\\src\\a.txt', /outside/],
      [`${worktree}y\\a.txt`, /outside/],
      [`\\\\?\\${join(folder, 'src', 'a.txt')}`, /outside/],
      ['Q:\\a.txt', /outside/],
      ['\\\\no.such.server\\share\\a.txt', /outside/],
      ['//no.such.server/share/a.txt', /outside/],
      ['\\a.txt', /outside/],
      [`${root.slice(0, 2)}..\\..\\src\\a.txt`, /current folder of the drive/],
      [`${root.slice(0, 2)}.git`, /current folder of the drive/],
      ['src\\a.txt:stream', /stream/],
      ['.git::$INDEX_ALLOCATION', /stream/],
      ['src\\nul', /device/],
      ['\\\\.\\pipe\\x', /device/],
      ['src.\\a.txt', /dot or space/],
      ['.GIT', /belongs to git/],
      ['.Claude\\Settings.JSON', /which guards are in force/],
      ['.claude\\HOOKS\\x.cmd', /which guards are in force/],
      ['CLAUDE~9\\settings.json', /short one/],
      ['.claude\\SETTIN~9.JSO', /short one/],
      ['src', /folder/],
    ];
    for (const [path, words] of denied) {
      const { decision, reason } = write(path);
      assert.equal(decision, 'deny', path);
      assert.match(reason, words, path);
      assert.doesNotMatch(reason, /\bE[A-Z]{4,}\b|\bstat\b/, path);
    }
  });

  it('know a file by its short name', () => {
    let known = 0;
    for (const folder of ['.', '.claude']) {
      const listed = execFileSync('cmd.exe', ['/d', '/c', 'dir /x /a'], {
        cwd: join(worktree, folder),
        encoding: 'utf8',
      });
      for (const [, short = '', long = ''] of listed.matchAll(/ (\S*~\S*) +(\.git|\.claude|settings\.json)\r?$/gm)) {
        known++;
        const path = join(folder, long === '.claude' ? `${short}\\settings.local.json` : short);
        assert.match(write(path).reason, /belongs to git|which guards are in force/, path);
      }
    }
    // Disks of Windows may be without short names; Wine always has them.
    if (isWine) assert.equal(known, 3);
  });
});
