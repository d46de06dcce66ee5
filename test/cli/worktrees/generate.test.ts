import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appears } from '../../support/appears.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure } from '../support/schema.ts';
import { repositoryForEach, spawnAndWait, wtProgram, type Ran, type WtHome } from '../support/wt.ts';

describe('texts that the person’s own command writes', function () {
  this.timeout(300_000);
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));

  /** Has a script write texts; what it was asked is in `asked`. */
  async function writer(script: string, timeout?: string): Promise<void> {
    const config = join(home.variables['WORKTREE_STACKS_HOME'] ?? '', 'config');
    await mkdir(config, { recursive: true });
    await writeFile(join(home.root, 'writer.sh'), `cat > "${join(home.root, 'asked')}"\n${script}\n`);
    const run = `sh ${join(home.root, 'writer.sh')}`;
    const generate = timeout === undefined ? run : `{ run: ${run}, timeout: ${timeout} }`;
    await writeFile(join(config, 'config.yml'), `generate: ${generate}\n`);
  }
  /** A command that hangs, and what it has started as well, whatever it is asked to do; `pids` has their numbers. */
  const hanging = (): string => {
    const pids = join(home.root, 'pids');
    return `trap '' TERM INT HUP; sleep 600 & echo "$$ $!" > '${pids}.new'; mv '${pids}.new' '${pids}'; wait; sleep 600`;
  };
  /** Whether anything of the command that hangs is still there. */
  const stillRun = async (): Promise<string[]> => {
    const pids = (await readFile(join(home.root, 'pids'), 'utf8')).trim().split(' ');
    assert.equal(pids.length, 2);
    return pids.filter(
      (pid) => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '',
    );
  };
  const asked = (): Promise<string> => readFile(join(home.root, 'asked'), 'utf8');
  const commit = (...args: string[]): Promise<Ran> =>
    home.wt(repository.root, ['add-commit', 'a.txt', '.env.local', '--generate', ...args]);
  const head = (): Promise<string> => repository.git('log', '-1', '--format=%B');
  beforeEach(async () => {
    for (const left of ['asked', 'pids']) await rm(join(home.root, left), { force: true });
    await repository.commit('🐛 Mend the login', {});
    await repository.write('a.txt', 'the new login\nTOKEN=abcdef0123456789\n');
    await repository.write('.env.local', 'mine\n');
    await repository.write('ignored.txt', 'nobody reads this\n');
    await repository.write('.git/info/exclude', '/.worktrees/\nignored.txt\n');
  });

  it('are a commit message of what is staged, worded as the others are, and hold no secrets', async () => {
    await writer(String.raw`printf '\140\140\140\nAdd the new login\n\140\140\140\n'`);
    const ran = await commit('--yes');
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(await head(), 'Add the new login');
    const prompt = await asked();
    assert.match(prompt, /<commits>\n🐛 Mend the login\nStart\n<\/commits>/);
    assert.match(prompt, /^a\.txt \+2 -0$/m);
    assert.match(prompt, /^\+the new login$/m);
    for (const secret of ['abcdef0123456789', '+mine', 'nobody reads this'])
      assert.ok(!prompt.includes(secret), secret);
  });

  it('are not used where nobody is there to look at them, but told', async () => {
    await writer('echo "Add the new login"');
    const before = await head();
    const ran = await commit('--json');
    assert.equal(ran.code, 1);
    assertFailure(ran.json(), 'not-approved');
    assert.deepEqual((ran.json()['error'] as { items: string[] }).items, ['Add the new login']);
    assert.equal(await head(), before);
    const alone = await home.wt(repository.root, ['add-commit', 'a.txt', '--yes', '--json']);
    assertFailure(alone.json(), 'usage');
  });

  it('fail in plain words when the command fails, writes nothing or too much', async () => {
    const before = await head();
    const cases: [string, RegExp][] = [
      ['echo "no credits" >&2; exit 3', /failed \(.*3\)/],
      ['true', /wrote none/],
      ['yes "far too much"', /printed far more than a text/],
      ["head -c 5000000 /dev/zero | tr '\\0' x", /printed far more than a text/],
      [String.raw`printf '\140\140\140\n\n\140\140\140'`, /wrote none/],
    ];
    for (const [script, words] of cases) {
      await writer(script);
      const ran = await commit('--yes');
      assert.equal(ran.code, 1, script);
      assert.match(ran.stderr, words);
      if (script.includes('credits')) assert.match(ran.stderr, /no credits/);
    }
    assert.equal(await head(), before);
  });

  it('are used however much the command complains beside them', async () => {
    await writer("head -c 5000000 /dev/zero | tr '\\0' x >&2; echo 'Add the new login'");
    const ran = await commit('--yes');
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(await head(), 'Add the new login');
  });

  it('are not waited for longer than the person allows, and nothing of the command stays', async () => {
    const before = await head();
    await writer(hanging(), '5s');
    const ran = await commit('--yes');
    assert.equal(ran.code, 1, ran.stderr);
    assert.match(
      ran.stderr,
      /was ended after 5 seconds: sh .*\nnext: give it more time with `timeout`.* in .*config\.yml/,
    );
    assert.deepEqual(await stillRun(), []);
    assert.equal(await head(), before);
    await writer('echo text', '0s');
    const none = await commit('--yes', '--json');
    assertFailure(none.json(), 'unreadable-file');
    assert.match(none.stderr, /generate\.timeout/);
  });

  it('end with the command line when it is cancelled, and with what it has started', async () => {
    const before = await head();
    await writer(hanging());
    const ran = await home.wt(repository.root, ['add-commit', 'a.txt', '--generate', '--yes'], {
      onStart: (child) => void appears(join(home.root, 'pids')).then(() => child.kill('SIGINT')),
    });
    assert.deepEqual([ran.code, ran.stdout], [130, '']);
    assert.deepEqual(await stillRun(), []);
    assert.equal(await head(), before);
  });

  it('need a command of the person’s own: one of the repository is refused', async () => {
    const none = await home.wt(repository.root, ['add-commit', 'a.txt', '--generate', '--yes', '--json'], {
      variables: { WORKTREE_STACKS_HOME: join(home.root, 'elsewhere') },
    });
    assertFailure(none.json(), 'unsupported');
    assert.match((none.json()['error'] as { next: string }).next, /write `generate: claude -p`.* into .*config\.yml/);
    await repository.write('.worktrees.yml', 'generate: touch stolen\n');
    const ran = await home.wt(repository.root, ['create', '--generate', '--task', 'Log in', '--yes', '--json']);
    assertFailure(ran.json(), 'unreadable-file');
    assert.ok(!existsSync(join(repository.root, 'stolen')));
  });

  it('are the name of a worktree for a task, checked like one that is typed', async () => {
    await writer('echo "Login with a Key"');
    const made = await home.wt(repository.root, [
      'create',
      '--generate',
      '--task',
      'Let people log in with a key',
      '--yes',
      '--json',
    ]);
    assert.equal(made.code, 0, made.stderr);
    assert.match(String(made.json()['branch']), /^login-with-a-key$/i);
    assert.equal(made.json()['task'], 'Let people log in with a key');
    assert.match(await asked(), /<task>\nLet people log in with a key\n<\/task>/);
    await writer('echo "pr:12"');
    const other = await home.wt(repository.root, ['create', '--generate', '--task', 'x', '--yes', '--json']);
    assertFailure(other.json(), 'text-failed');
    const named = await home.wt(repository.root, ['create', 'name', '--generate', '--json']);
    assertFailure(named.json(), 'usage');
  });

  it('come into the editor of git first, and nothing is done when they are emptied', async () => {
    await writer('echo "Add the new login"');
    const before = await head();
    const inTerminal = (editor: string): Promise<Ran> => {
      const line = `'${process.execPath}' '${wtProgram}' add-commit a.txt --generate`;
      const variables = { ...home.variables, GIT_EDITOR: editor, TERM: 'xterm' };
      return spawnAndWait('script', ['-qec', line, '/dev/null'], repository.root, variables);
    };
    const emptied = await inTerminal(String.raw`sed -i -e '1,/>8/{/>8/!d}'`);
    assert.match(emptied.stdout, /The text was emptied/);
    assert.equal(await head(), before);
    const done = await inTerminal(`sed -i -e 's/new login/login, edited/'`);
    assert.equal(done.code, 0, done.stdout);
    assert.equal(await head(), 'Add the login, edited');
  });
});
