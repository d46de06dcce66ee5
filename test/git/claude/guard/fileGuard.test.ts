import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { guardFile } from '../../../../src/core/claude/guard/fileGuard.ts';
import { parseHookInput } from '../../../../src/core/claude/hookInput.ts';
import { readCases } from '../../../unit/claude/guard/cases.ts';
import { skipBecause } from '../../../support/skip.ts';

const execute = promisify(execFile);

interface PathCase {
  readonly id: string;
  readonly class: string;
  /** A script for `sh -eu` in an empty folder that is called `T`. */
  readonly setup: string;
  readonly worktree: string;
  readonly cwd: string;
  readonly tool: string;
  readonly path: string | null;
  /** Where there is no path: the whole input of the hook. */
  readonly input?: unknown;
  readonly expect: string;
  readonly also?: readonly string[];
  readonly why: string;
  readonly platform?: string;
  readonly limit?: boolean;
}

async function decide(worktree: string, stdin: string): Promise<{ decision: string; reason: string }> {
  const permission = guardFile(parseHookInput(stdin), worktree);
  assert.notEqual(permission.kind, 'none');
  return { decision: permission.kind, reason: permission.kind === 'none' ? '' : permission.reason };
}

describe('the file guard', () => {
  let root: string;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'wt-guard-')));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const edit = (worktree: string, path: string, cwd = worktree): ReturnType<typeof decide> =>
    decide(
      worktree,
      JSON.stringify({ cwd, hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: path } }),
    );

  for (const row of readCases<PathCase>('edit-paths.jsonl')) {
    it(`${row.expect} (${row.id}, ${row.class}): ${row.why}`, async function () {
      if ((row.platform ?? process.platform) !== process.platform)
        skipBecause(this, `it is so on ${row.platform} only`);
      await execute('sh', ['-eu', '-c', row.setup], { cwd: root, env: { ...process.env, T: root } });
      const filled = (text: string): string => text.replaceAll('$T', root);
      const { decision } = await decide(filled(row.worktree), filled(inputOf(row)));
      assert.ok([row.expect, ...(row.also ?? [])].includes(decision), `${decision}, not ${row.expect}`);
    });
  }

  it('a link that leads nowhere yet is judged by what a write would make', async () => {
    await mkdir(join(root, 'wt'));
    await symlink(join(root, 'outside.txt'), join(root, 'wt', 'out'));
    await symlink('later/inside.txt', join(root, 'wt', 'in'));
    assert.equal((await edit(join(root, 'wt'), join(root, 'wt', 'out'))).decision, 'deny');
    assert.equal((await edit(join(root, 'wt'), join(root, 'wt', 'in'))).decision, 'allow');
  });

  it('links that lead to links are followed to the end, and round in a circle denied', async () => {
    await mkdir(join(root, 'wt'));
    await symlink('b', join(root, 'wt', 'a'));
    await symlink('../other', join(root, 'wt', 'b'));
    await symlink('d', join(root, 'wt', 'c'));
    await symlink('c', join(root, 'wt', 'd'));
    assert.equal((await edit(join(root, 'wt'), join(root, 'wt', 'a', 'x'))).decision, 'deny');
    assert.match((await edit(join(root, 'wt'), join(root, 'wt', 'c'))).reason, /circle/);
  });

  it('".." behind a link is taken both ways, and both must stay inside', async () => {
    await mkdir(join(root, 'wt', 'deep', 'er'), { recursive: true });
    await mkdir(join(root, 'other', 'deep'), { recursive: true });
    await symlink(join(root, 'other', 'deep'), join(root, 'wt', 'out'));
    await symlink('deep/er', join(root, 'wt', 'in'));
    assert.equal((await edit(join(root, 'wt'), `${root}/wt/out/../x`)).decision, 'deny');
    assert.equal((await edit(join(root, 'wt'), `${root}/wt/in/../x`)).decision, 'allow');
  });

  it('a file in the place of a folder is denied', async () => {
    await mkdir(join(root, 'wt'));
    await writeFile(join(root, 'wt', 'a'), '');
    assert.match((await edit(join(root, 'wt'), join(root, 'wt', 'a', 'b'))).reason, /no folder/);
  });

  it('a relative path without a folder to start from is denied', async () => {
    await mkdir(join(root, 'wt'));
    assert.equal((await edit(join(root, 'wt'), 'a.ts', '')).decision, 'deny');
    assert.equal((await edit(join(root, 'wt'), 'a.ts')).decision, 'allow');
  });

  for (const [path, decision] of [
    ['.git', 'deny'],
    ['.Git/config', 'deny'],
    ['.g\u200cit/config', 'deny'],
    ['.git./hooks/x', 'deny'],
    ['git~1/config', 'deny'],
    ['sub/.git/config', 'deny'],
    ['.claude/settings.json', 'deny'],
    ['.claude/SETTINGS.local.JSON', 'deny'],
    ['.claude/hooks/x.sh', 'deny'],
    ['.claude/agents/wt-feat.md', 'deny'],
    ['.claude/agents/reviewer.md', 'allow'],
    ['.claude/commands/x.md', 'allow'],
    ['.gitignore', 'allow'],
    ['.github/workflows/ci.yml', 'allow'],
    ['src/.gitkeep', 'allow'],
    ['settings.json', 'allow'],
  ] as const) {
    it(`within the worktree, ${JSON.stringify(path)}: ${decision}`, async () => {
      await mkdir(join(root, 'wt'));
      assert.equal((await edit(join(root, 'wt'), `${root}/wt/${path}`)).decision, decision);
    });
  }

  it('a reason says where the path really leads, and where to write instead', async () => {
    await mkdir(join(root, 'wt'));
    await symlink(join(root, 'elsewhere'), join(root, 'wt', 'link'));
    const { reason } = await edit(join(root, 'wt'), join(root, 'wt', 'link'));
    assert.ok(reason.includes(join(root, 'elsewhere')), reason);
    assert.ok(reason.includes(`below ${join(root, 'wt')}`), reason);
    assert.match(reason, /`wt path <file>`/);
  });
});

function inputOf({ path, input, cwd, tool }: PathCase): string {
  if (path === null) return typeof input === 'string' ? input : JSON.stringify({ cwd, ...(input as object) });
  const key = tool === 'NotebookEdit' ? 'notebook_path' : 'file_path';
  return JSON.stringify({ cwd, hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { [key]: path } });
}
