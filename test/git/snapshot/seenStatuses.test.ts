import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Git } from '../../../src/core/git/git.ts';
import { seeStatuses, type LookedAt } from '../../../src/core/snapshot/seenStatuses.ts';
import { parseStatus, type StatusEntry } from '../../../src/core/git/status.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

/** A worktree of its own, in which something is done. */
interface Stage {
  readonly repository: TestRepository;
  readonly root: string;
  readonly gitDir: string;
  readonly git: (...args: string[]) => Promise<string>;
  readonly write: (file: string, text: string) => Promise<void>;
}

type States = Record<string, (stage: Stage) => Promise<unknown>>;

const files = {
  'README.md': 'read me\n',
  'empty.txt': '',
  'run.sh': '#!/bin/sh\n',
  'docs/guide.md': 'guide\n',
  'docs/deep/down/page.md': 'page\n',
  'docs.txt': 'between docs and docs/\n',
  'Füße/ä.txt': 'ä\n',
  '.gitignore': 'node_modules/\n/build\n*.log\n**/dist\ncache\n!keep.log\n',
  'docs/.gitignore': 'drafts\n',
};

/** Time that has gone by since git wrote its index: the files have one that is older. */
async function settle({ root, gitDir, git }: Stage): Promise<void> {
  const past = new Date('2026-03-01T10:00:00.123Z');
  for (const name of (await git('ls-files', '-z')).split('\0').filter(Boolean)) {
    if (!(await lstat(join(root, name))).isSymbolicLink()) await utimes(join(root, name), past, past);
  }
  await git('update-index', '--refresh');
  await utimes(join(gitDir, 'index'), new Date('2026-03-01T11:00:00Z'), new Date('2026-03-01T11:00:00.5Z'));
}

/** These are seen to be clean. */
const found: States = {
  'as git has made it': () => Promise.resolve(),
  'made some time ago': settle,
  'with a commit of its own': async ({ write, git }) => {
    await write('docs/new.md', 'new\n');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'More');
  },
  'on no branch': ({ git }) => git('switch', '-q', '--detach'),
  'after a reset': async ({ write, git }) => {
    await write('README.md', 'changed\n');
    await git('add', '--all');
    await git('reset', '-q', '--hard');
  },
  touched: async ({ root }) => utimes(join(root, 'docs/guide.md'), new Date(), new Date()),
  'written again': ({ write }) => write('docs/guide.md', 'guide\n'),
  'a folder that is ignored': ({ write }) => write('node_modules/left/index.js', 'x'),
  'the same further down': ({ write }) => write('docs/deep/node_modules/left/index.js', 'x'),
  'a folder that is ignored at the root': ({ write }) => write('build/out.js', 'x'),
  'files that are ignored by their ends': async ({ write }) => {
    await write('a.log', 'x');
    await write('docs/deep/down/.log', 'x');
  },
  'a name that is ignored wherever it is': async ({ write }) => {
    await write('docs/dist/x.js', 'x');
    await write('cache', 'x');
  },
  'rules further down': ({ write }) => write('docs/deep/drafts/x.md', 'x'),
  'the repository’s own rules': ({ write }) => write('by-exclude/x', 'x'),
  'the user’s own rules': async ({ write }) => {
    await write('by-person', 'x');
    await write('docs/deep/by-person', 'x');
  },
  'the user’s own rules for folders': ({ write }) => write('folder-by-person/x', 'x'),
  'a folder that ignores all that is in it': async ({ write }) => {
    await write('.venv/.gitignore', '# made by a tool\n*\n');
    await write('.venv/bin/python', 'x');
  },
  'rules that ignore themselves': ({ write }) => write('docs/deep/.gitignore', '.gitignore\nnotes\n'),
  'a commit that is being rebased': async ({ git }) => {
    await git('config', '--local', 'rebase.abbreviateCommands', 'true');
    await git('-c', 'sequence.editor=sed -i "1i break"', 'rebase', '-q', '-i', 'HEAD~1');
  },
};

/** Of these it is seen what is uncommitted. */
const told: States = {
  'a file is changed': ({ write }) => write('docs/guide.md', 'guide 2\n'),
  'a file is deleted': ({ root }) => rm(join(root, 'empty.txt')),
  'everything is deleted': async ({ root, git }) => {
    for (const name of (await git('ls-files', '-z')).split('\0').filter(Boolean)) await rm(join(root, name));
  },
  'several files are changed and deleted': async ({ root, write }) => {
    await write('docs/guide.md', 'guide, longer\n');
    await write('Füße/ä.txt', 'longer\n');
    await rm(join(root, 'README.md'));
    await rm(join(root, 'docs/deep/down/page.md'));
  },
  'a file is changed beside what is ignored': async ({ write }) => {
    await write('docs/guide.md', 'guide, longer\n');
    await write('node_modules/x.js', 'x');
  },
  'a file is emptied': ({ write }) => write('docs/guide.md', ''),
  'a link is deleted': ({ root }) => rm(join(root, 'link')),
};

/** Of these git says that something is uncommitted, and is asked. */
const dirty: States = {
  'a file is changed in the moment in which the index was written': async (stage) => {
    await stage.write('docs/guide.md', 'GUIDE\n');
    await pretendToHaveLooked(stage, 'docs/guide.md');
  },
  'an empty file is filled in that moment': async (stage) => {
    await stage.write('empty.txt', 'x');
    await pretendToHaveLooked(stage, 'empty.txt');
  },
  'a file that git does not rely on is emptied': async (stage) => {
    await stage.write('docs/guide.md', '');
    await pretendToHaveLooked(stage, 'docs/guide.md');
  },
  'a file may be executed': ({ root }) => chmod(join(root, 'README.md'), 0o755),
  'a file may not be executed any more': ({ root }) => chmod(join(root, 'run.sh'), 0o644),
  'a link stands for a file': async ({ root }) => {
    await rename(join(root, 'docs/guide.md'), join(root, '../guide.md'));
    await symlink('../../guide.md', join(root, 'docs/guide.md'));
  },
  'a link stands for a folder': async ({ root }) => {
    const away = `${root}-docs`;
    await rename(join(root, 'docs'), away);
    await symlink(away, join(root, 'docs'));
  },
  'a link leads elsewhere': async ({ root }) => {
    await rm(join(root, 'link'));
    await symlink('READYOU.md'.slice(0, 9), join(root, 'link'));
  },
  'a folder stands for a file': async ({ root, write }) => {
    await rm(join(root, 'docs.txt'));
    await write('docs.txt/inner', 'x');
  },
  'a file stands for a folder': async ({ root, write }) => {
    await rm(join(root, 'docs/deep'), { recursive: true });
    await write('docs/deep', 'x');
  },
  'a folder is deleted': ({ root }) => rm(join(root, 'docs/deep'), { recursive: true }),
  'a file is renamed by case': ({ root }) => rename(join(root, 'README.md'), join(root, 'readme.md')),
  'a new file': ({ write }) => write('new.txt', 'x'),
  'a new file further down': ({ write }) => write('docs/deep/down/new.txt', 'x'),
  'a new folder': ({ write }) => write('new/new.txt', 'x'),
  'a file of the name of an ignored folder': ({ write }) => write('node_modules', 'x'),
  'the name that is ignored at the root further down': ({ write }) => write('docs/build', 'x'),
  'rules that hold in another folder': ({ write }) => write('drafts', 'x'),
  'a file that is ignored and taken back': ({ write }) => write('docs/keep.log', 'x'),
  'rules that are new': ({ write }) => write('docs/deep/.gitignore', 'notes\n'),
  'rules that take back what those above ignore': async ({ write, git }) => {
    await write('docs/deep/.gitignore', '!*.log\n');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Rules');
    await write('docs/deep/a.log', 'x');
  },
  'rules that take back what the user’s own ignore': async ({ write, git }) => {
    await write('docs/.gitignore', '!by-person\n');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Rules');
    await write('docs/deep/by-person', 'x');
  },
  'rules that are a link': async ({ root, write, git }) => {
    await write('rules', 'notes\n');
    await symlink('../../rules', join(root, 'docs/deep/.gitignore'));
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Rules');
    await write('docs/deep/notes', 'x');
  },
  'a folder that ignores nearly all that is in it': async ({ write }) => {
    await write('.venv/.gitignore', '*\n!keep\n');
    await write('.venv/keep', 'x');
  },
  'a repository that ignores all that is in it': async ({ root, write, git }) => {
    await git('init', '-q', join(root, '.venv'));
    await write('.venv/.gitignore', '*\n');
  },
  'a repository in a folder': async ({ root, git }) => {
    await git('init', '-q', join(root, 'docs/inner'));
    await git('-C', join(root, 'docs/inner'), 'commit', '-q', '--allow-empty', '-m', 'Inner');
  },
  'what the user ignores, but not in this tree': async ({ write, git }) => {
    await git('config', 'extensions.worktreeConfig', 'true');
    await git('config', '--worktree', 'core.excludesFile', 'none');
    await write('by-person', 'x');
  },
  'a file is staged': async ({ write, git }) => {
    await write('new.txt', 'x');
    await git('add', '--all');
  },
  'a file is staged, and as it was': async ({ write, git }) => {
    await write('docs/guide.md', 'guide 2\n');
    await git('add', '--all');
    await write('docs/guide.md', 'guide\n');
  },
  'a deletion is staged': ({ git }) => git('rm', '-q', 'docs/guide.md'),
  'a commit is taken back softly': ({ git }) => git('reset', '-q', '--soft', 'HEAD~1'),
  'a file is to be added': async ({ write, git }) => {
    await write('new.txt', '');
    await git('add', '--intent-to-add', 'new.txt');
  },
  'a conflict': async ({ root, git, write }) => {
    await git('switch', '-q', '-c', `side-${root.split('-').at(-1)}`);
    await write('docs/guide.md', 'one\n');
    await git('commit', '-q', '-a', '-m', 'One');
    await git('switch', '-q', '--detach', 'HEAD~1');
    await write('docs/guide.md', 'two\n');
    await git('commit', '-q', '-a', '-m', 'Two');
    await git('merge', '-q', '@{-1}').catch(() => undefined);
  },
};

/** Git compares whole seconds, so that what it says of these depends on when they are made. */
const alike: States = {
  'a file is changed and looks the same but for its time': async (stage) => {
    await settle(stage);
    const { mtime } = await lstat(join(stage.root, 'docs/guide.md'));
    await stage.write('docs/guide.md', 'GUIDE\n');
    await utimes(join(stage.root, 'docs/guide.md'), mtime, mtime);
  },
};

/** These are clean, and git has to tell. */
const left: States = {
  'rules with other wildcards': async ({ write, git }) => {
    await write('docs/.gitignore', 'draft-*-[0-9]\n');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Rules');
    await write('docs/draft-one-1', 'x');
  },
  'a file that git was told to overlook': async ({ git, write }) => {
    await git('update-index', '--assume-unchanged', 'docs/guide.md');
    await write('docs/guide.md', 'changed\n');
  },
  'a sparse checkout': ({ git }) => git('sparse-checkout', 'set', '--cone', 'docs'),
  'an index in two files': ({ git }) => git('update-index', '--split-index'),
  'an index of the fourth format': ({ git }) => git('update-index', '--index-version', '4'),
  'an index that knows no tree': async ({ git }) => {
    await git('rm', '-q', '--cached', 'docs/guide.md');
    await git('reset', '-q', '--mixed');
    await git('update-index', '--force-remove', 'docs/guide.md');
    await git('update-index', '--add', 'docs/guide.md');
  },
  'a submodule': async ({ git, repository }) => {
    await git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository.root, 'sub');
    await git('commit', '-q', '-m', 'Submodule');
  },
  'rules of its own for what the user ignores': async ({ root, write, git }) => {
    await write('rules-of-one-tree', 'by-one\n');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Rules');
    await git('config', 'extensions.worktreeConfig', 'true');
    await git('config', '--worktree', 'core.excludesFile', join(root, 'rules-of-one-tree'));
    await write('by-one', 'x');
  },
  'a large file that was written again': async ({ root, write, git }) => {
    await write('large', 'x'.repeat(5 * 1024 * 1024));
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Large');
    await utimes(join(root, 'large'), new Date(), new Date());
  },
  'more files written again than are read': async ({ root, write, git }) => {
    const names = Array.from({ length: 201 }, (_, at) => `many-${at}`);
    for (const name of names) await write(name, 'x');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Many');
    for (const name of names) await utimes(join(root, name), new Date(), new Date());
  },
  'empty folders': ({ root }) => mkdir(join(root, 'nothing/in/it'), { recursive: true }),
  'a file with bytes that are no text': async ({ root, git }) => {
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), 'x');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'Bytes');
  },
};

/**
 * Writes into the index that a file had these times and this inode when git looked at it, and that this was when the index was written: what is
 * left when both happen in one tick of the clock.
 */
async function pretendToHaveLooked({ root, gitDir }: Stage, file: string): Promise<void> {
  const path = join(gitDir, 'index');
  const index = await readFile(path);
  const { ctimeMs, mtimeMs, ino, size } = await lstat(join(root, file));
  const entry = index.indexOf(`${file}\0`, 0, 'utf8') - 62;
  const parts = (ms: number): [number, number] => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
  for (const [field, value] of [...parts(ctimeMs), ...parts(mtimeMs)].entries())
    index.writeUInt32BE(value, entry + 4 * field);
  index.writeUInt32BE(ino % 2 ** 32, entry + 20);
  index.writeUInt32BE(size, entry + 36);
  await writeFile(path, index);
  await writtenAt(path, mtimeMs);
}

/** Gives a file a time (ms since 1970) or one that is less than a millisecond earlier. */
async function writtenAt(path: string, ms: number): Promise<void> {
  const time = new Date(Math.floor(ms));
  await utimes(path, time, time);
}

describe('statuses that are seen without git', function () {
  let home: TestHome;
  let repository: TestRepository;
  const trees = new Map<string, Stage>();
  let seen: ReadonlyMap<string, readonly StatusEntry[]>;

  before(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.write('link', '');
    await rm(join(repository.root, 'link'));
    await symlink('README.md', join(repository.root, 'link'));
    await repository.commit('Files', files);
    await repository.git('update-index', '--chmod=+x', 'run.sh');
    await chmod(join(repository.root, 'run.sh'), 0o755);
    await repository.commit('Executable', {});
    await repository.write('.git/info/exclude', 'by-exclude\n');
    await repository.write(join(home.root, '.config/git/ignore'), 'by-person\nfolder-by-person/\n');
    const all = Object.entries({ ...found, ...told, ...dirty, ...alike, ...left });
    for (const [number, [name, act]] of all.entries()) {
      const root = join(home.root, 'trees', `tree-${number}`);
      await repository.git('worktree', 'add', '-q', '-b', `branch-${number}`, root);
      const stage: Stage = {
        repository,
        root,
        gitDir: join(repository.root, '.git/worktrees', `tree-${number}`),
        git: (...args) => repository.gitIn(root, ...args),
        write: (file, text) => repository.write(join(root, file), text),
      };
      await act(stage);
      trees.set(name, stage);
    }
    seen = await look([...trees.values()]);
  });
  after(() => home.dispose());

  async function look(stages: readonly Stage[]): Promise<typeof seen> {
    const { git, environment } = await testWorkspace(home, repository.root);
    const asked = await Promise.all(
      stages.map(async (stage): Promise<LookedAt> => {
        return { path: stage.root, gitDir: stage.gitDir, head: await stage.git('rev-parse', 'HEAD') };
      }),
    );
    const { signal } = new AbortController();
    return seeStatuses(git, join(repository.root, '.git'), asked, { environment, signal, onLook: () => undefined });
  }

  const stageOf = (name: string): Stage => trees.get(name) ?? assert.fail(name);
  /** What git says of a worktree. */
  const statusOf = async ({ git }: Stage): Promise<readonly StatusEntry[]> => {
    const args = ['--no-optional-locks', '-c', 'core.quotePath=false', 'status', '--porcelain=v2', '-z'];
    return parseStatus(await git(...args)).entries;
  };

  for (const name of Object.keys({ ...found, ...told })) {
    it(`sees, as git does: ${name}`, async () => {
      const stage = stageOf(name);
      const entries = await statusOf(stage);
      assert.equal(entries.length > 0, name in told);
      assert.deepEqual(seen.get(stage.root), entries);
    });
  }
  for (const name of Object.keys({ ...dirty, ...left })) {
    it(`leaves to git: ${name}`, async () => {
      const stage = stageOf(name);
      assert.equal((await statusOf(stage)).length > 0, name in dirty);
      assert.equal(seen.get(stage.root), undefined);
    });
  }
  for (const name of Object.keys(alike)) {
    it(`leaves to git, whatever it says: ${name}`, () => assert.equal(seen.get(stageOf(name).root), undefined));
  }
});

describe('statuses that are seen in other repositories', () => {
  let home: TestHome;
  before(async () => void (home = await testHome()));
  after(() => home.dispose());

  const clean = { seen: [[], [], []], statuses: ['', '', ''] };

  /** Three worktrees of a new repository: what is seen of them once something was done in each, and what git says. */
  async function seenIn(
    name: string,
    settings: readonly string[],
    act: (stage: Stage) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<{ readonly seen: readonly (readonly StatusEntry[])[]; readonly statuses: readonly string[] }> {
    const root = join(home.root, name);
    await mkdir(root);
    const repository = await home.repository(name);
    for (const setting of settings) await repository.git('config', ...setting.split('='));
    await repository.commit('Files', { 'one.txt': 'one\n', 'run.sh': '#!/bin/sh\n' });
    const trees: LookedAt[] = [];
    const statuses: string[] = [];
    for (const tree of ['a', 'b', 'c']) {
      const path = join(home.root, `${name}-${tree}`);
      await repository.git('worktree', 'add', '-q', path);
      const gitDir = join(root, '.git/worktrees', `${name}-${tree}`);
      const stage: Stage = {
        ...{ repository, root: path, gitDir },
        git: (...args) => repository.gitIn(path, ...args),
        write: (file, text) => repository.write(join(path, file), text),
      };
      await act(stage);
      trees.push({ path, gitDir, head: await stage.git('rev-parse', 'HEAD') });
      statuses.push(await stage.git('--no-optional-locks', 'status', '--porcelain'));
    }
    const { git, environment } = await testWorkspace(home, root);
    const options = { environment, signal: new AbortController().signal, onLook: () => undefined };
    const seen = await seeStatuses(git, join(root, '.git'), trees, options);
    return { seen: [...seen.values()], statuses };
  }

  it('where git does not mind what may be executed, is not minded here', async () => {
    const { seen, statuses } = await seenIn('modes', ['core.fileMode=false'], async (stage) => {
      await chmod(join(stage.root, 'one.txt'), 0o755);
      await settle(stage);
    });
    assert.deepEqual({ seen, statuses }, clean);
  });

  it('where a worktree has a configuration of its own, that is left to git', async () => {
    const settings = ['core.fileMode=false', 'extensions.worktreeConfig=true'];
    const { seen, statuses } = await seenIn('own', settings, async ({ root, git }) => {
      await git('config', '--worktree', 'core.fileMode', 'true');
      await chmod(join(root, 'one.txt'), 0o755);
    });
    assert.deepEqual([seen, statuses], [[], [' M one.txt', ' M one.txt', ' M one.txt']]);
  });

  it('where lines end otherwise than in commits, the content of a file tells nothing, and its times do', async () => {
    const settings = ['core.autocrlf=true'];
    const fresh = await seenIn('fresh', settings, async ({ gitDir, root }) => {
      await writtenAt(join(gitDir, 'index'), (await lstat(join(root, 'one.txt'))).mtimeMs);
    });
    assert.deepEqual(fresh, { seen: [], statuses: ['', '', ''] });
    assert.deepEqual(await seenIn('settled', settings, settle), clean);
  });

  it('where lines end otherwise than in commits, git calls a file changed that has another size, though it has nothing to commit', async () => {
    const { seen, statuses } = await seenIn('ends', ['core.autocrlf=true'], async (stage) => {
      await settle(stage);
      await stage.write('one.txt', 'one\n');
    });
    assert.deepEqual(statuses, [' M one.txt', ' M one.txt', ' M one.txt']);
    const changed = [{ kind: 'changed', code: '.M', path: 'one.txt' }];
    assert.deepEqual(seen, [changed, changed, changed]);
  });

  it('git is asked only for the others', async () => {
    const repository = await home.repository('asked');
    for (const name of ['a', 'b', 'c', 'd']) {
      await repository.git('worktree', 'add', '-q', join(home.root, `asked-${name}`));
    }
    await repository.write(join(home.root, 'asked-b', 'new.txt'), 'new\n');
    const workspace = await testWorkspace(home, repository.root);
    const asked: string[] = [];
    const debug = (line: string): void => void (/ status /.test(line) && asked.push(line));
    const environment = { ...workspace.environment, log: { ...workspace.environment.log, debug } };
    const { worktrees } = await readSnapshot({ ...workspace, environment, git: new Git(environment) });
    assert.deepEqual(
      worktrees.map(({ name, changes }) => [name, changes?.total]),
      [
        ['main', 0],
        ['asked-a', 0],
        ['asked-b', 1],
        ['asked-c', 0],
        ['asked-d', 0],
      ],
    );
    assert.equal(asked.length, 1, asked.join('\n'));
    assert.match(asked[0] ?? '', /asked-b/);
  });
});
