import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HookInput } from '../../../src/core/claude/hookInput.ts';
import { scopeOf, scopeOfAgent, type Scope } from '../../../src/core/claude/scope.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { shareOf } from '../../support/share.ts';

/** Where the repository and its worktree are after a move. */
interface Places {
  readonly root: string;
  readonly one: string;
}

/** How the registry knows the worktree: by git's id and a relative path, or as earlier versions wrote it. */
const registries = ['an id', 'a path alone'] as const;

describe('the worktree of a hook event after a move', () => {
  let home: TestHome;
  let repository: TestRepository;
  let root: string;
  let one: string;
  let beside: string;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository('code/project');
    ({ root } = repository);
    one = join(root, '.worktrees', 'one');
    beside = join(home.root, 'code', 'project-beside');
    await repository.git('worktree', 'add', '--quiet', '-b', 'feature/one', one);
    await repository.git('worktree', 'add', '--quiet', '-b', 'feature/beside', beside);
  });
  afterEach(() => home.dispose());

  const register = (by: (typeof registries)[number]): Promise<void> => {
    const entry = { branch: 'feature/one', base: 'main' };
    const other = { branch: 'feature/beside', base: 'main' };
    return repository.write(
      '.worktrees/stack.json',
      JSON.stringify({
        version: 1,
        worktrees:
          by === 'an id'
            ? {
                one: { ...entry, id: 'one', path: '.worktrees/one' },
                beside: { ...other, id: 'project-beside', path: beside },
              }
            : { one: { ...entry, path: one }, beside: { ...other, path: beside } },
      }),
    );
  };
  const words = (scope: Scope): string =>
    scope.kind === 'worktree' ? `${scope.worktree.name} at ${scope.worktree.path} by ${scope.by}` : scope.kind;
  const found = async (input: HookInput, projectDir?: string): Promise<string> =>
    words(await scopeOf(input, { cwd: '/', projectDir }));
  /** What the guards of a generated agent find, which were told where the worktree was. */
  const told = async (path: string, input: HookInput, projectDir?: string): Promise<string> =>
    words(await scopeOfAgent({ path, branch: 'feature/one' }, input, { cwd: '/', projectDir }));

  const ways: Record<string, () => Promise<Places>> = {
    'none at all': async () => ({ root, one }),
    'the repository renamed': async () => {
      const to = join(home.root, 'code', 'renamed');
      await rename(root, to);
      return { root: to, one: join(to, '.worktrees', 'one') };
    },
    'the repository renamed and repaired': async () => {
      const to = join(home.root, 'code', 'renamed');
      await rename(root, to);
      await repository.gitIn(to, 'worktree', 'repair', join(to, '.worktrees', 'one'));
      return { root: to, one: join(to, '.worktrees', 'one') };
    },
    'the repository moved with all around it, and back': async () => {
      const away = join(home.root, 'workspaces', 'x');
      await mkdir(dirname(away));
      await rename(join(home.root, 'code'), away);
      await repository.gitIn(join(away, 'project'), 'worktree', 'repair', join(away, 'project', '.worktrees', 'one'));
      await rename(away, join(home.root, 'code'));
      return { root, one };
    },
    'the repository moved with all around it': async () => {
      const away = join(home.root, 'workspaces', 'x');
      await mkdir(dirname(away));
      await rename(join(home.root, 'code'), away);
      return { root: join(away, 'project'), one: join(away, 'project', '.worktrees', 'one') };
    },
    'a relative .git file, the repository renamed': async () => {
      await writeFile(join(one, '.git'), 'gitdir: ../../.git/worktrees/one\n');
      const to = join(home.root, 'code', 'renamed');
      await rename(root, to);
      return { root: to, one: join(to, '.worktrees', 'one') };
    },
    'git worktree move': async () => {
      const to = join(home.root, 'elsewhere');
      await repository.git('worktree', 'move', one, to);
      return { root, one: to };
    },
    'git worktree move, then the repository renamed': async () => {
      const to = join(root, '.worktrees', 'other-name');
      await repository.git('worktree', 'move', one, to);
      const renamed = join(home.root, 'code', 'renamed');
      await rename(root, renamed);
      return { root: renamed, one: join(renamed, '.worktrees', 'other-name') };
    },
    'the folder renamed by hand': async () => {
      const to = join(root, '.worktrees', 'by-hand');
      await rename(one, to);
      return { root, one: to };
    },
    'the folder moved by hand and repaired': async () => {
      const to = join(home.root, 'by-hand');
      await rename(one, to);
      await repository.gitIn(to, 'worktree', 'repair', to);
      return { root, one: to };
    },
  };
  for (const [way, move] of shareOf(Object.entries(ways), 2)) {
    for (const by of registries) {
      it(`is where it is now: ${way}, registered by ${by}`, async () => {
        await register(by);
        const now = await move();
        await mkdir(join(now.one, 'deep'));
        for (const cwd of [now.one, join(now.one, 'deep')]) {
          assert.equal(await found({ cwd }), `one at ${now.one} by folder`);
          assert.equal(await found({ cwd: home.root }, cwd), `one at ${now.one} by folder`);
        }
        const worker = { agent_type: 'wt-one', agent_id: 'a1' };
        assert.equal(await found({ cwd: now.one, ...worker }), `one at ${now.one} by agent`);
        assert.equal(await found({ cwd: now.root, ...worker }), `one at ${now.one} by agent`);
        assert.equal(await told(one, { cwd: now.one, ...worker }, now.root), `one at ${now.one} by agent`);
        assert.equal(await told(one, { cwd: now.one }, now.one), `one at ${now.one} by agent`);
        assert.equal(await found({ cwd: now.root }), 'none');
      });
    }
  }

  for (const by of registries) {
    it(`is the one beside a repository that was moved away from it, or with it; registered by ${by}`, async () => {
      await register(by);
      const renamed = join(home.root, 'code', 'renamed');
      await rename(root, renamed);
      assert.equal(await found({ cwd: beside }), `beside at ${beside} by folder`);
      await rename(join(home.root, 'code'), join(home.root, 'work'));
      const now = join(home.root, 'work', 'project-beside');
      assert.equal(await found({ cwd: now }), `beside at ${now} by folder`);
    });
  }

  it('moved by hand is found from within, and nowhere else: an agent elsewhere keeps to where it was', async () => {
    await register('an id');
    const to = join(home.root, 'by-hand');
    await rename(one, to);
    assert.equal(await found({ cwd: to }), `one at ${to} by folder`);
    assert.equal(await found({ cwd: to, agent_type: 'wt-one' }), `one at ${to} by agent`);
    assert.equal(await found({ cwd: root, agent_type: 'wt-one' }), `one at ${one} by agent`);
    assert.equal(await told(one, { cwd: to }, root), `one at ${one} by agent`);
  });

  it('in a copy of the repository is the copy, for sessions and agents, and never the original', async () => {
    for (const by of registries) {
      await register(by);
      const copy = join(home.root, `copy ${by}`);
      await cp(root, copy, { recursive: true });
      const there = join(copy, '.worktrees', 'one');
      const worker = { agent_type: 'wt-one', agent_id: 'a1' };
      assert.equal(await found({ cwd: there }), `one at ${there} by folder`);
      assert.equal(await found({ cwd: copy, ...worker }), `one at ${there} by agent`);
      assert.equal(await told(one, { cwd: copy, ...worker }, copy), `one at ${there} by agent`);
      assert.equal(await found({ cwd: one }), `one at ${one} by folder`);
      assert.equal(await told(one, { cwd: root, ...worker }, root), `one at ${one} by agent`);
      const { root: home1 } = await scopeOf({ cwd: there }, { cwd: '/', projectDir: undefined });
      assert.equal(home1?.commonDir, join(copy, '.git'), 'what is written down is written down there');
    }
  });

  it('that was copied by itself is judged as that worktree, in the folder of the copy', async () => {
    await register('an id');
    const copy = join(root, '.worktrees', 'one-copy');
    await cp(one, copy, { recursive: true });
    assert.equal(await found({ cwd: copy }), `one at ${copy} by folder`);
  });

  it('is known by its id when another worktree is where it was', async () => {
    await register('an id');
    const to = join(root, '.worktrees', 'moved');
    await repository.git('worktree', 'move', one, to);
    await repository.git('worktree', 'add', '--quiet', '-b', 'stranger', one);
    assert.match(await readFile(join(one, '.git'), 'utf8'), /worktrees\/one1\n$/);
    assert.equal(await found({ cwd: one }), 'none');
    assert.equal(await found({ cwd: root, agent_type: 'wt-one' }), `one at ${to} by agent`);
    assert.equal(await told(one, { cwd: root }, root), `one at ${to} by agent`);
  });

  it('cannot be told where the .git file leads to nothing, and that is said', async () => {
    await register('an id');
    const stray = join(home.root, 'far', 'away', 'stray');
    await mkdir(dirname(stray), { recursive: true });
    await rename(one, stray);
    await rm(root, { recursive: true });
    const scope = await scopeOf({ cwd: stray }, { cwd: '/', projectDir: undefined });
    assert.equal(scope.kind, 'lost');
    assert.ok(scope.kind === 'lost' && scope.why.includes(join(stray, '.git')) && scope.repair === stray);
    assert.equal(await found({ cwd: home.root }, stray), 'lost');
  });

  it('cannot be told either where a stray worktree of another repository lies in this one', async () => {
    await register('an id');
    const other = await home.repository('other');
    await other.git('worktree', 'add', '--quiet', '-b', 'x', join(home.root, 'one'));
    await rename(join(home.root, 'one'), join(root, 'stray'));
    await rm(other.root, { recursive: true });
    // It is called like ours, which is proven to be at its own place.
    assert.equal(await found({ cwd: join(root, 'stray') }), 'lost');
  });

  it('is the one at that place of the registry when its .git file is gone, empty or damaged', async () => {
    for (const by of registries) {
      await register(by);
      for (const text of ['', 'rubbish', undefined]) {
        await (text === undefined ? rm(join(one, '.git')) : writeFile(join(one, '.git'), text));
        assert.equal(await found({ cwd: one }), `one at ${one} by folder`, text);
      }
      await writeFile(join(one, '.git'), `gitdir: ${join(root, '.git', 'worktrees', 'one')}\n`);
    }
  });

  it('an agent whose worktree is not where it was, while something else is there, belongs nowhere', async () => {
    await register('an id');
    await rename(one, join(home.root, 'hidden'));
    await repository.gitIn(home.root, 'clone', '--quiet', root, one);
    assert.equal(await found({ cwd: root, agent_type: 'wt-one' }), 'lost');
    assert.equal(await told(one, { cwd: root, agent_type: 'wt-one' }, root), 'lost');
  });

  it("test data that looks like a damaged repository is nobody's", async () => {
    await register('an id');
    for (const [folder, text] of [
      [join(root, 'fixtures'), 'rubbish'],
      [join(root, 'fixtures'), 'gitdir: ../nowhere/modules/lib\n'],
    ] as const) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '.git'), text);
      assert.equal(await found({ cwd: folder }), 'none', text);
    }
    await mkdir(join(one, 'fixtures'));
    await writeFile(join(one, 'fixtures', '.git'), 'gitdir: /nowhere/.git/worktrees/x\n');
    assert.equal(await found({ cwd: join(one, 'fixtures') }), `one at ${one} by folder`);
  });

  it('a hidden bare repository that was moved with its worktrees', async () => {
    const bare = join(home.root, 'bare');
    await repository.gitIn(home.root, 'clone', '--quiet', '--bare', root, join(bare, '.bare'));
    await writeFile(join(bare, '.git'), `gitdir: ${join(bare, '.bare')}\n`);
    await repository.gitIn(bare, 'worktree', 'add', '--quiet', '-b', 'x', join(bare, 'x'));
    await mkdir(join(bare, '.worktrees'));
    const entry = { id: 'x', path: 'x', branch: 'x', base: 'main' };
    await writeFile(join(bare, '.worktrees', 'stack.json'), JSON.stringify({ worktrees: { x: entry } }));
    const to = join(home.root, 'shell');
    await rename(bare, to);
    assert.equal(await found({ cwd: join(to, 'x') }), `x at ${join(to, 'x')} by folder`);
    assert.equal(await found({ cwd: to, agent_type: 'wt-x' }), `x at ${join(to, 'x')} by agent`);
    assert.equal(await found({ cwd: to }), 'none');
  });
});
