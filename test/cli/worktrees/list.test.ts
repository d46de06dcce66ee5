import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { appendToLog, logFolder, type LogEntry } from '../../../src/core/claude/decisionLog.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { needsTerminal } from '../../support/skip.ts';
import { spawnAndWait, wtHome, wtProgram, type WtHome } from '../support/wt.ts';

describe('wt list', () => {
  let home: WtHome;
  let repository: TestRepository;
  const at = (name: string): string => join(repository.root, '.worktrees', name);

  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await repository.write('.git/info/exclude', '/.worktrees/\n');
    const add = (name: string, ...more: string[]): Promise<string> =>
      repository.git('worktree', 'add', '--quiet', at(name), ...more);
    await add('feat-auth', '-b', 'feat-auth');
    await repository.commit('Add a', { a: 'a\n' }, at('feat-auth'));
    await repository.write(join(at('feat-auth'), 'b'), 'b\n');
    await add('auth-ui', '-b', 'auth-ui', 'feat-auth');
    await add('detached', '--detach');
    await add('gone', '-b', 'gone');
    await rm(at('gone'), { recursive: true });
    await add('locked', '-b', 'locked');
    await repository.git('worktree', 'lock', '--reason', 'on the usb disk', at('locked'));
    await add('日本語', '-b', 'nihongo');
    await repository.commit('More', { c: 'c\n' });
    await repository.write(
      '.worktrees/stack.json',
      JSON.stringify({
        worktrees: {
          'auth-ui': {
            path: at('auth-ui'),
            branch: 'auth-ui',
            base: 'feat-auth',
            pr: { number: 12, url: 'https://example.com/12' },
          },
        },
      }),
    );
    await repository.write(
      '.claude/dev-worktree.local.md',
      `---\nactive_worktree: ${at('feat-auth')}\nbranch: feat-auth\ncreated: 2026-02-13\n---\n`,
    );
    await repository.write('.git/info/exclude', '/.worktrees/\n/.claude/\n');
  });
  after(() => home.dispose());

  it('prints one plain line a worktree when piped, in the order of git, uncut, a branch or a path only where it says more than the name', async () => {
    const lines = (await home.done(repository.root, 'list'))
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    assert.deepEqual(lines, [
      ['NAME', 'BRANCH', 'BASE', 'STATE'],
      ['main', 'clean'],
      ['auth-ui', 'feat-auth', '#12'],
      ['detached', `detached at ${(await repository.gitIn(at('detached'), 'rev-parse', 'HEAD')).slice(0, 8)}`],
      ['● feat-auth', 'main', 'needs restack · 1 changed · ↑1 ↓1'],
      ['gone', 'main', 'folder missing · needs restack · ↓1'],
      ['locked', 'main', 'needs restack · locked: on the usb disk · ↓1'],
      ['日本語', 'nihongo', 'main', 'needs restack · ↓1'],
    ]);
  });

  it('orders by what stands on what with --stack', async () => {
    const names = (await home.done(repository.root, 'list', '--stack'))
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => /^[ ●] ( *\S+)/.exec(line)?.[1]);
    assert.deepEqual(names, ['main', '  feat-auth', '    auth-ui', '  gone', '  locked', '  日本語', 'detached']);
  });

  it('prints slug, branch and path for scripts', async () => {
    const lines = (await home.done(repository.root, 'ls', '--porcelain'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    assert.deepEqual(lines[0], ['auth-ui', 'auth-ui', at('auth-ui')]);
    assert.deepEqual(lines[1], ['detached', '', at('detached')]);
    assert.equal(lines.length, 6);
  });

  it('ends lines with NUL for scripts that meet any path', async () => {
    const odd = at('line\nbreak');
    await repository.git('worktree', 'add', '--quiet', '-b', 'odd', odd);
    const records = (await home.done(repository.root, 'list', '--porcelain', '-z')).split('\0');
    assert.ok(
      records.some((record) => record.endsWith(`\todd\t${odd}`)),
      JSON.stringify(records),
    );
    assert.doesNotMatch(await home.done(repository.root, 'list'), /line\nbreak/);
    await repository.git('worktree', 'remove', odd);
  });

  it('prints everything as JSON that its schema describes', async () => {
    const ran = await home.wt(repository.root, ['list', '--json']);
    assertMatches('list', ran.json());
    const worktrees = ran.json()['worktrees'] as Record<string, unknown>[];
    assert.deepEqual(
      worktrees.map((each) => each['name']),
      ['main', 'auth-ui', 'detached', 'feat-auth', 'gone', 'locked', '日本語'],
    );
    const [main, ui, detached, auth] = worktrees;
    assert.deepEqual(
      [main?.['main'], detached?.['branch'], auth?.['active'], auth?.['path']],
      [true, null, true, '.worktrees/feat-auth'],
    );
    assert.deepEqual(ui?.['base'], {
      branch: 'feat-auth',
      recorded: true,
      exists: true,
      commit: null,
      ahead: 0,
      behind: 0,
    });
    assert.deepEqual(ui?.['pr'], { number: 12, url: 'https://example.com/12' });
  });

  it('is cut to the width of a terminal, wide characters counted twice, and coloured there', async function () {
    needsTerminal(this);
    for (const width of [100, 60, 40, 24]) {
      const ran = await spawnAndWait(
        'script',
        ['-qec', `stty cols ${width} rows 40; '${process.execPath}' '${wtProgram}' list`, '/dev/null'],
        repository.root,
        { ...home.variables, TERM: 'xterm' },
      );
      // On a slow machine there was a line that named what is waited for; it was wiped out.
      const lines = ran.stdout
        .replace(/[^\n]*\r\u001b\[K/g, '')
        .trimEnd()
        .split(/\r?\n/);
      assert.equal(lines.length, 8, ran.stdout);
      assert.match(ran.stdout, /\u001b\[/);
      for (const line of lines) assert.ok(columnsOf(line) <= width, `${columnsOf(line)} > ${width}: ${line}`);
      assert.match(lines.find((line) => line.includes('feat-auth')) ?? '', /feat-auth/);
    }
  });

  it('fits 80 columns without cutting a fact of a short name', async function () {
    needsTerminal(this);
    const ran = await spawnAndWait(
      'script',
      ['-qec', `stty cols 80 rows 40; '${process.execPath}' '${wtProgram}' list --no-color`, '/dev/null'],
      repository.root,
      { ...home.variables, TERM: 'xterm' },
    );
    assert.doesNotMatch(ran.stdout, /…/);
    assert.match(ran.stdout, /needs restack · locked: on the usb disk · ↓1/);
  });

  it('tells of coming conflicts, with files that are not committed too, and remembers them', async () => {
    const other = await home.repository('coming');
    const on = (name: string): string => join(other.root, '.worktrees', name);
    await other.write('.git/info/exclude', '/.worktrees/\n');
    await other.commit('Shared', { shared: '1\n2\n3\n', more: 'm\n' });
    for (const name of ['one', 'two', 'three']) await other.git('worktree', 'add', '--quiet', '-b', name, on(name));
    await other.commit('One', { shared: '1\none\n3\n' }, on('one'));
    await other.write(join(on('two'), 'shared'), '1\ntwo\n3\n');
    await other.commit('Main', { more: 'main\n' });
    await other.write(join(on('three'), 'more'), 'three\n');
    const expected = [
      ['main', null],
      ['one', [{ with: 'two', files: ['shared'] }]],
      ['three', [{ with: 'main', files: ['more'] }]],
      ['two', [{ with: 'one', files: ['shared'] }]],
    ];
    const predicted = async (): Promise<unknown[]> => {
      const ran = await home.wt(other.root, ['list', '--json']);
      assertMatches('list', ran.json());
      return (ran.json()['worktrees'] as Record<string, unknown>[]).map((each) => [each['name'], each['predicted']]);
    };
    const state = await other.git('status', '--porcelain', '--ignored');
    assert.deepEqual(await predicted(), expected);
    const file = join(other.root, '.git', 'worktree-stacks', 'predictions-2.json');
    const pairs = async (): Promise<string[]> =>
      Object.keys(JSON.parse(await readFile(file, 'utf8')) as object).filter((key) => !key.startsWith('state '));
    const found = await pairs();
    assert.deepEqual([await predicted(), await pairs()], [expected, found]);
    assert.equal(await other.git('status', '--porcelain', '--ignored'), state);
    const lines = await home.done(other.root, 'list');
    assert.match(lines, /^ {2}one +main +conflicts with two: 1 file · needs restack · ↑1 ↓1$/m);
    assert.match(lines, /^ {2}three +main +conflicts with main: 1 file · needs restack · 1 changed · ↓1$/m);
    await other.write(join(on('two'), 'shared'), '1\n2\n3\n');
    assert.doesNotMatch(await home.done(other.root, 'list'), /with two/);
  });

  it('says where a stack begins how many of its branches need a restack, as the tree does', async () => {
    const other = await home.repository('deep-stack');
    const on = (name: string): string => join(other.root, '.worktrees', name);
    await other.write('.git/info/exclude', '/.worktrees/\n');
    for (const [name, base] of [
      ['lower', 'main'],
      ['middle', 'lower'],
      ['upper', 'middle'],
    ] as const) {
      await home.done(other.root, 'create', name, '--base', base);
      await other.commit(name, { [name]: `${name}\n` }, on(name));
    }
    const stateOf = async (name: string): Promise<string | undefined> =>
      new RegExp(`^[ ●]+${name} +\\w+ +(.*)$`, 'm').exec(await home.done(other.root, 'list'))?.[1];
    assert.equal(await stateOf('lower'), '↑1');
    await other.commit('Main', { more: 'main\n' });
    await other.commit('Again', { again: 'again\n' }, on('middle'));
    assert.equal(await stateOf('lower'), '2 branches need a restack · ↑1 ↓1');
    assert.equal(await stateOf('middle'), '↑2', 'it has all of its base');
    assert.equal(await stateOf('upper'), 'needs restack · ↑1 ↓1');
    await home.done(other.root, 'rebase', 'lower', '--stack');
    assert.equal(await stateOf('lower'), '↑1');
  });

  it('tells in JSON which restacks are due', async () => {
    const listed = await home.wt(repository.root, ['list', '--json']);
    const worktrees = listed.json()['worktrees'] as Record<string, unknown>[];
    const states = new Map(worktrees.map((each) => [each['name'], each['needs_restack']]));
    assert.deepEqual(
      ['main', 'auth-ui', 'feat-auth', 'detached'].map((name) => states.get(name)),
      [null, false, true, null],
    );
  });

  it('is the same from a subfolder, from another worktree and with a leaked GIT_DIR', async () => {
    const expected = await home.done(repository.root, 'list', '--json');
    await mkdir(join(repository.root, 'deep', 'down'), { recursive: true });
    for (const folder of [join(repository.root, 'deep', 'down'), at('locked'), join(repository.root, '.worktrees')])
      assert.equal(await home.done(folder, 'list', '--json'), expected, folder);
    const leaked = await home.wt(repository.root, ['list', '--json'], {
      variables: { GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' },
    });
    assert.equal(leaked.stdout, expected);
  });

  it('does not mind settings that change what git prints', async () => {
    const expected = await home.done(repository.root, 'list', '--json');
    for (const [key, value] of [
      ['color.ui', 'always'],
      ['log.showSignature', 'true'],
      ['status.relativePaths', 'true'],
      ['alias.status', '!false'],
      ['core.quotePath', 'true'],
      ['status.showUntrackedFiles', 'no'],
    ] as const) {
      await repository.git('config', key, value);
      assert.equal(await home.done(repository.root, 'list', '--json'), expected, key);
      await repository.git('config', '--unset', key);
    }
    const german = await home.wt(repository.root, ['list', '--json'], {
      variables: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' },
    });
    assert.equal(german.stdout, expected);
  });

  for (const [file, text, line] of [
    ['.worktrees/stack.json', '{\n  "worktrees": {\n    "a": {"path": "/x",,\n', 3],
    ['.worktrees.yml', 'worktree:\n  strateggy: sibling\n', 2],
    ['.claude/dev-worktree.local.md', '---\nactive_worktree: "/x\n---\n', 2],
  ] as const) {
    it(`tells of a broken ${file} with its line, goes on, and leaves the file alone`, async () => {
      const before = await repository.git('status', '--porcelain', '--ignored');
      const other = await home.repository(`broken-${line}-${file.length}`);
      await other.write(file, text);
      const ran = await home.wt(other.root, ['list', '--json']);
      assert.equal(ran.code, 0);
      assertMatches('list', ran.json());
      const [problem] = ran.json()['problems'] as { file: string; line: number }[];
      assert.deepEqual([problem?.file, problem?.line], [join(other.root, file), line]);
      assert.match(ran.stderr, new RegExp(`^warning: .*line ${line}`));
      assert.equal(await readFile(join(other.root, file), 'utf8'), text);
      assert.equal(await repository.git('status', '--porcelain', '--ignored'), before);
    });
  }

  it('does not take one repository for another of the same name', async () => {
    const twin = await home.repository('elsewhere/project');
    await twin.git('worktree', 'add', '--quiet', '-b', 'only-there', join(twin.root, '.worktrees', 'only-there'));
    assert.match(await home.done(twin.root, 'list', '--porcelain'), /^only-there\t/);
    assert.doesNotMatch(await home.done(repository.root, 'list', '--porcelain'), /only-there/);
  });

  describe('with agents at work', () => {
    const note = (event: string, worktree: string, more: Partial<LogEntry> = {}): void =>
      appendToLog(join(repository.root, '.git'), {
        at: new Date().toISOString(),
        event,
        decision: 'none',
        session: worktree,
        agent: `wt-${worktree}`,
        worktree,
        client: { pid: process.pid, host: hostname() },
        ...more,
      });
    const row = async (name: string, ...args: string[]): Promise<string> =>
      (await home.done(repository.root, 'list', ...args))
        .split('\n')
        .find((line) => line.replace('●', '').trim().startsWith(`${name} `)) ?? '';

    before(() => {
      note('UserPromptSubmit', 'feat-auth');
      note('PreToolUse', 'feat-auth', { decision: 'deny', tool: 'Bash', words: 'git push', reason: 'Use wt push.' });
      note('PermissionRequest', 'auth-ui');
      note('UserPromptSubmit', 'locked', { client: { pid: 2 ** 22 + 1, host: hostname() } });
    });
    after(() => rm(logFolder(join(repository.root, '.git')), { recursive: true }));

    it('says what they do and what they were denied, of those that are there', async () => {
      assert.match(await row('feat-auth'), / needs restack · agent working · 1 blocked · 1 changed · ↑1 ↓1$/);
      assert.match(await row('auth-ui', '--stack'), / agent waiting · #12$/);
      assert.doesNotMatch(await row('locked'), /agent/, 'its process has died');
    });

    it('has those that wait for a person first on a terminal, as the tree has', async function () {
      needsTerminal(this);
      const command = `stty cols 200 rows 40; '${process.execPath}' '${wtProgram}' list --no-color`;
      const variables = { ...home.variables, TERM: 'xterm' };
      const { stdout } = await spawnAndWait('script', ['-qec', command, '/dev/null'], repository.root, variables);
      const names = stdout.split(/\r?\n/).map((line) => /^[ ●]+(\S+) /.exec(line.replace(/.*\r\u001b\[K/, ''))?.[1]);
      assert.deepEqual(names.slice(0, 4), ['NAME', 'auth-ui', 'main', 'feat-auth'], stdout);
    });

    it('says so in JSON, for all and for one', async () => {
      const listed = (await home.wt(repository.root, ['list', '--json'])).json();
      assertMatches('list', listed);
      const agents = Object.fromEntries(
        (
          listed['worktrees'] as { name: string; agents: { activity: string; denied: number; present: object[] } }[]
        ).map((each) => [each.name, each.agents]),
      );
      assert.deepEqual(agents['locked'], { activity: null, denied: 0, present: [] });
      assert.deepEqual([agents['auth-ui']?.activity, agents['auth-ui']?.denied], ['waiting', 0]);
      const { present, ...short } = agents['feat-auth'] ?? {};
      assert.deepEqual(short, { activity: 'working', denied: 1 });
      assert.deepEqual(
        present?.map((each) => ({ ...each, since: typeof (each as { since: unknown }).since })),
        [{ name: 'wt-feat-auth', activity: 'working', session: 'feat-auth', pid: process.pid, since: 'string' }],
      );
      const one = (await home.wt(repository.root, ['info', 'feat-auth', '--json'])).json();
      assertMatches('info', one);
      assert.deepEqual(one['agents'], agents['feat-auth']);
    });

    it('names them and the last refusal in wt info, and says it where one is', async () => {
      const text = await home.done(repository.root, 'info', 'feat-auth');
      assert.match(text, /^agents +wt-feat-auth working since \d{4}-/m);
      assert.match(text, /^blocked +Bash: git push, at \d{4}-.*: Use wt push\.$/m);
      assert.match(await home.done(at('auth-ui')), /agent waiting/);
      assertMatches('here', (await home.wt(at('auth-ui'), ['--json'])).json());
    });

    it('lists the worktrees all the same where the log cannot be read', async () => {
      const folder = logFolder(join(repository.root, '.git'));
      await rename(folder, `${folder}.kept`);
      await writeFile(folder, 'no folder');
      try {
        assert.match(await row('feat-auth'), / 1 changed · /);
      } finally {
        await rm(folder);
        await rename(`${folder}.kept`, folder);
      }
    });
  });
});

/** The columns that a line takes on a terminal: the characters of this test that are wide count twice. */
function columnsOf(line: string): number {
  const plain = line.replace(/\u001b\[[\d;]*m/g, '');
  return [...plain].reduce((sum, letter) => sum + (/[\u3000-\u9fff]/.test(letter) ? 2 : 1), 0);
}
