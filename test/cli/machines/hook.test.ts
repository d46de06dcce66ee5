import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { hookProgram, wtHome, type Ran, type WtHome } from '../support/wt.ts';

describe('the session-start hook', () => {
  let home: WtHome;
  let repository: TestRepository;
  let worktree: string;
  let file: string;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    worktree = join(repository.root, '.worktrees', 'feat-auth');
    file = join(repository.root, '.claude', 'dev-worktree.local.md');
    await repository.git('worktree', 'add', '--quiet', '-b', 'feat/auth', worktree);
    await repository.git('worktree', 'add', '--quiet', '-b', 'other', join(repository.root, '.worktrees', 'other'));
  });
  after(() => home.dispose());
  beforeEach(() =>
    state(
      `---\nactive_worktree: ${worktree}\nbranch: feat/auth\ncompose_project: gm-wt1\ncreated: 2026-02-13\n---\nActive worktree session. Managed by dev-worktree plugin.\n`,
    ),
  );

  const state = async (text: string): Promise<void> => {
    await mkdir(join(repository.root, '.claude'), { recursive: true });
    await writeFile(file, text);
  };
  const hook = (
    folder: string,
    input: unknown = { cwd: folder, hook_event_name: 'SessionStart', source: 'resume' },
    variables = {},
  ): Promise<Ran> =>
    home.wt(folder, ['session-start'], {
      program: hookProgram,
      input: typeof input === 'string' ? input : JSON.stringify(input),
      variables,
    });
  const reminder = (path: string): string =>
    `ACTIVE WORKTREE: You have an active worktree at ${path} (branch: feat/auth). You MUST cd to this directory before running any commands. Run: cd ${path}`;

  it('reminds the person in the words of the design, and the model as well', async () => {
    const ran = await hook(repository.root);
    assert.deepEqual([ran.code, ran.stderr], [0, '']);
    const answer = ran.json() as {
      systemMessage: string;
      hookSpecificOutput: { hookEventName: string; additionalContext: string };
    };
    assert.equal(answer.systemMessage, reminder(worktree));
    assert.equal(answer.hookSpecificOutput.hookEventName, 'SessionStart');
    assert.ok(answer.hookSpecificOutput.additionalContext.startsWith(reminder(worktree)));
  });

  it('does the same as "wt hook session-start"', async () => {
    const ran = await home.wt(repository.root, ['hook', 'session-start'], { input: '{}' });
    assert.equal(ran.code, 0);
    assert.equal(ran.json()['systemMessage'], reminder(worktree));
  });

  it('reads what wt itself has written', async () => {
    await home.done(repository.root, 'switch', 'feat-auth');
    assert.equal((await hook(repository.root)).json()['systemMessage'], reminder(worktree));
  });

  it('finds the state file of the main root from subfolders and from worktrees, whatever the environment says', async () => {
    const inside = join(worktree, 'deep', 'down');
    await mkdir(inside, { recursive: true });
    for (const folder of [inside, join(repository.root, '.worktrees', 'other')]) {
      const ran = await hook(folder, { cwd: folder }, { CLAUDE_PROJECT_DIR: folder, GIT_DIR: '/nowhere' });
      assert.equal(ran.json()['systemMessage'], reminder(worktree), folder);
    }
  });

  it('takes the folder of the session from its input', async () => {
    const ran = await hook(home.root, { cwd: repository.root });
    assert.equal(ran.json()['systemMessage'], reminder(worktree));
  });

  it('takes the project folder where the session is in no repository', async () => {
    const ran = await hook(home.root, { cwd: home.root }, { CLAUDE_PROJECT_DIR: repository.root });
    assert.equal(ran.json()['systemMessage'], reminder(worktree));
  });

  it('does not send a session away from the other worktree that it was started in', async () => {
    const other = join(repository.root, '.worktrees', 'other');
    const { additionalContext } = (await hook(other)).json()['hookSpecificOutput'] as { additionalContext: string };
    assert.match(additionalContext, /started in another worktree, .*other: stay in it/);
    assert.doesNotMatch(additionalContext, /MUST cd/);
  });

  it('finds the main root of a bare layout', async () => {
    const bare = join(home.root, 'bare');
    await mkdir(bare);
    await repository.git('clone', '--quiet', '--bare', repository.root, join(bare, '.bare'));
    await writeFile(join(bare, '.git'), 'gitdir: ./.bare\n');
    await repository.gitIn(bare, 'worktree', 'add', '--quiet', join(bare, 'one'), 'main');
    await mkdir(join(bare, '.claude'));
    await writeFile(
      join(bare, '.claude', 'dev-worktree.local.md'),
      `---\nactive_worktree: ${join(bare, 'one')}\nbranch: feat/auth\n---\n`,
    );
    for (const folder of [bare, join(bare, 'one')])
      assert.equal((await hook(folder)).json()['systemMessage'], reminder(join(bare, 'one')));
  });

  it('finds the root of a submodule', async () => {
    const parent = await home.repository('parent');
    await parent.git('submodule', '--quiet', 'add', repository.root, 'lib');
    const lib = join(parent.root, 'lib');
    await mkdir(join(lib, '.claude'));
    await writeFile(
      join(lib, '.claude', 'dev-worktree.local.md'),
      `---\nactive_worktree: ${lib}\nbranch: feat/auth\n---\n`,
    );
    assert.equal((await hook(lib)).json()['systemMessage'], reminder(lib));
  });

  it('quotes a path that a shell would take apart', async () => {
    const odd = join(home.root, "it's here");
    await mkdir(odd, { recursive: true });
    await state(`---\nactive_worktree: "${odd}"\nbranch: 'a''b'\n---\n`);
    const message = String((await hook(repository.root)).json()['systemMessage']);
    assert.ok(message.includes(`at ${odd} (branch: a'b).`), message);
    assert.ok(message.endsWith(`Run: cd '${odd.replace("'", `'\\''`)}'`), message);
  });

  it('reads Windows line ends and a byte order mark', async () => {
    await state(`\ufeff---\r\nactive_worktree: ${worktree}\r\nbranch: feat/auth\r\n---\r\n`);
    assert.equal((await hook(repository.root)).json()['systemMessage'], reminder(worktree));
  });

  it('removes a state file whose worktree is gone, silently', async () => {
    await state(`---\nactive_worktree: ${join(repository.root, '.worktrees', 'gone')}\nbranch: x\n---\n`);
    const ran = await hook(repository.root);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
    await assert.rejects(stat(file), { code: 'ENOENT' });
  });

  it('is silent where there is no state file', async () => {
    await rm(file);
    const ran = await hook(repository.root);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
  });

  for (const [what, text] of [
    ['that is empty', ''],
    ['without an end', '---\nactive_worktree: /x\n'],
    ['without a path', '---\nbranch: x\n---\n'],
    ['that is cut off', '---\nactive_wor'],
    ['with broken YAML', '---\nactive_worktree: "/x\nbranch: [\n---\n'],
    ['of another shape', '---\nactive_worktree: [/x]\n---\n'],
  ] as const) {
    it(`is silent at a state file ${what}, and leaves it as it is`, async () => {
      await state(text);
      const ran = await hook(repository.root);
      assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
      assert.equal(await readFile(file, 'utf8'), text);
    });
  }

  it('is silent outside of a repository, at a damaged .git and at input that is no JSON', async () => {
    const damaged = join(home.root, 'damaged');
    await mkdir(damaged, { recursive: true });
    await writeFile(join(damaged, '.git'), 'gitdir: /nowhere/at/all\n');
    for (const ran of [await hook(home.root), await hook(damaged)])
      assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
    assert.equal((await hook(repository.root, 'no json')).json()['systemMessage'], reminder(worktree));
  });

  it('works through a link to the repository', async () => {
    const link = join(home.root, 'link');
    await symlink(repository.root, link);
    assert.equal((await hook(home.root, { cwd: link })).json()['systemMessage'], reminder(worktree));
  });

  it('does not wait for ever for input that does not end', async () => {
    const child = spawn(process.execPath, [hookProgram, 'session-start'], {
      cwd: repository.root,
      env: home.variables,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    assert.equal(await new Promise((ended) => child.once('close', ended)), 0);
    assert.match(Buffer.concat(chunks).toString(), /ACTIVE WORKTREE/);
  });

  it('lets the session go on at an event that it does not know, with a word on standard error', async () => {
    const ran = await home.wt(repository.root, ['next-years-event'], { program: hookProgram, input: '{}' });
    assert.deepEqual([ran.code, ran.stdout], [0, '']);
    assert.match(ran.stderr, /does not know the hook "next-years-event"/);
  });

  it('blocks at a guard that it does not know', async () => {
    for (const program of [hookProgram, undefined]) {
      const args = program === undefined ? ['hook', 'some-later-guard'] : ['some-later-guard'];
      const ran = await home.wt(repository.root, args, { input: '{}', ...(program === undefined ? {} : { program }) });
      assert.deepEqual([ran.code, ran.stdout], [2, '']);
      assert.match(ran.stderr, /blocked/);
    }
  });
});
