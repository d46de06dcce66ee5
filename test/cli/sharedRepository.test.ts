import assert from 'node:assert/strict';
import { chmod, chown, lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skipBecause } from '../support/skip.ts';
import { hookProgram, spawnAndWait, wtHome, wtProgram, type Ran, type WtHome } from './support/wt.ts';
import { mayRun } from './support/wtProcess.ts';
import { shareOf } from '../support/share.ts';

const group = 54_100;
/** Two people in one group. */
const ada = { uid: 54_101, gid: group };
const bob = { uid: 54_102, gid: group };
type Person = typeof ada;

describe('a repository that several users share', function () {
  this.timeout(300_000);
  let home: WtHome;
  let root: string;
  beforeEach(async function () {
    if (process.getuid?.() !== 0) skipBecause(this, 'only root can run programs as two users');
    if (!mayRun(ada, wtProgram)) skipBecause(this, 'other users may not read the programs here');
    home = await wtHome();
    await chmod(home.root, 0o755);
    root = join(home.root, 'shared', 'project');
    await mkdir(join(home.root, 'shared'));
    await chown(join(home.root, 'shared'), ada.uid, group);
    for (const person of [ada, bob]) {
      const own = join(home.root, String(person.uid));
      await mkdir(own);
      await writeFile(
        join(own, '.gitconfig'),
        '[user]\n\tname = Ada Example\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n',
      );
      await chown(own, person.uid, group);
    }
  });
  afterEach(() => home?.dispose());

  const as = (person: Person, folder: string, umask: string, ...command: string[]): Promise<Ran> => {
    const own = join(home.root, String(person.uid));
    const variables = {
      ...home.variables,
      HOME: own,
      XDG_CONFIG_HOME: join(own, 'c'),
      WORKTREE_STACKS_HOME: join(own, 'w'),
    };
    return spawnAndWait(
      'setpriv',
      [
        `--reuid=${person.uid}`,
        `--regid=${person.gid}`,
        '--clear-groups',
        'sh',
        '-c',
        `umask ${umask}; exec "$@"`,
        '-',
        ...command,
      ],
      folder,
      variables,
      { input: JSON.stringify({ hook_event_name: 'Stop', cwd: folder }) },
    );
  };
  const done = async (person: Person, umask: string, ...command: string[]): Promise<string> => {
    const ran = await as(person, root, umask, ...command);
    assert.equal(ran.code, 0, `${command.join(' ')} ended with ${ran.code}:\n${ran.stderr}\n${ran.stdout}`);
    return ran.stdout;
  };
  const wt = (person: Person, umask: string, ...args: string[]): Promise<string> =>
    done(person, umask, process.execPath, wtProgram, ...args);
  const start = async (umask: string, ...init: string[]): Promise<void> => {
    const made = await as(ada, join(home.root, 'shared'), umask, 'git', 'init', '--quiet', ...init, root);
    assert.equal(made.code, 0, made.stderr);
    // Git shares its own folder only.
    await done(ada, umask, 'chmod', '770', root);
    await done(ada, umask, 'git', 'commit', '--quiet', '--allow-empty', '-m', 'Start');
  };
  /** Everything of ours, in the git directory and in `.worktrees`, without what is in the worktrees themselves. */
  const ours = async (): Promise<{ path: string; mode: string; folder: boolean }[]> => {
    const found: { path: string; mode: string; folder: boolean }[] = [];
    const look = async (path: string): Promise<void> => {
      const { mode } = await lstat(join(root, path));
      const folder = (await stat(join(root, path))).isDirectory();
      if (!path.endsWith('/kept')) found.push({ path, mode: (mode & 0o7777).toString(8), folder });
      // What a removal has kept may be secret: that is for the group and nobody else, whatever the umask.
      if (!folder || /^\.worktrees\/(one|two)$|\/kept$/.test(path)) return;
      for (const name of await readdir(join(root, path))) await look(join(path, name));
    };
    for (const path of ['.git/worktree-stacks', '.git/info/exclude', '.worktrees']) await look(path);
    return found;
  };
  const modes = async (): Promise<{ folders: string[]; files: string[]; programs: string[] }> => {
    const all = await ours();
    const of = (which: (each: (typeof all)[number]) => boolean): string[] => [
      ...new Set(all.filter(which).map(({ mode }) => mode)),
    ];
    const isProgram = (path: string): boolean => /\/(bin|hooks)\//.test(path);
    return {
      folders: of(({ folder }) => folder),
      files: of(({ folder, path }) => !folder && !isProgram(path)),
      programs: of(({ folder, path }) => !folder && isProgram(path)),
    };
  };
  const work = async (umask: string): Promise<void> => {
    await wt(ada, umask, 'create', 'one');
    await done(ada, umask, 'git', '-C', '.worktrees/one', 'commit', '--quiet', '--allow-empty', '-m', 'One');
    await wt(ada, umask, 'create', 'gone');
    await wt(ada, umask, 'cleanup', 'gone');
    await done(ada, umask, process.execPath, hookProgram, 'activity');
    await done(ada, umask, 'git', 'commit', '--quiet', '--allow-empty', '-m', 'More');
    await wt(ada, umask, 'rebase', 'one', '--offline');
  };

  for (const [value, umask, folders, files, programs] of shareOf(
    [
      ['group', '077', '2770', '660', '770'],
      ['group', '022', '2775', '664', '775'],
      ['all', '077', '2775', '664', '775'],
      ['0640', '022', '2750', '640', '750'],
      ['0660', '077', '2770', '660', '770'],
      ['umask', '077', '700', '600', '755'],
    ] as const,
    2,
  )) {
    it(`gets the modes that git gives its own, with ${value} under the umask ${umask}`, async () => {
      await start(umask, `--shared=${value}`);
      await work(umask);
      const found = await modes();
      assert.deepEqual(found.folders, [folders]);
      // The log of hooks is for nobody else where nothing is shared.
      assert.deepEqual(found.files, [files]);
      assert.deepEqual(found.programs, [programs]);
      const own = async (path: string): Promise<string> => ((await stat(join(root, path))).mode & 0o7777).toString(8);
      assert.deepEqual([await own('.git/refs/heads'), await own('.git/HEAD')], [folders, files]);
    });
  }

  it('is worked in by one after the other, whatever their umasks, also when it was shared only later', async () => {
    await start('077');
    await done(ada, '077', 'git', 'config', 'core.sharedRepository', 'group');
    // Git shares what it writes from now on; what was there is for its owner to share.
    await done(ada, '077', 'chmod', '-R', 'g+rwX', '.');
    await done(ada, '077', 'find', '.git', '-type', 'd', '-exec', 'chmod', 'g+s', '{}', '+');
    await work('077');
    assert.deepEqual((await modes()).folders, ['2770']);
    await wt(bob, '077', 'create', 'two', '--base', 'one');
    await wt(bob, '077', 'switch', 'two');
    assert.match(await wt(bob, '077', 'list'), /two/);
    await done(bob, '077', process.execPath, hookProgram, 'activity');
    await wt(ada, '077', 'switch', 'one');
    await wt(bob, '077', 'check-ignore');
    assert.deepEqual((await modes()).files, ['660']);
    await wt(ada, '077', 'log');
  });

  it('has locks of a dead process taken over by another user', async () => {
    await start('077', '--shared=group');
    await wt(ada, '077', 'create', 'one');
    const lock = join(root, '.worktrees', 'stack.json.lock');
    const script = `mkdir "$1" && chmod 2770 "$1" && printf '{"pid":1999999,"host":"%s"}' "$(hostname)" > "$1/owner.json"`;
    await done(ada, '007', 'sh', '-c', script, '-', lock);
    await wt(bob, '077', 'create', 'two');
    await assert.rejects(lstat(lock), { code: 'ENOENT' });
    await rm(join(root, '.worktrees', 'two'), { recursive: true });
  });
});
