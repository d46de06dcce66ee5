import assert from 'node:assert/strict';
import { join } from 'node:path';
import { appears } from '../support/appears.ts';
import { wtHome, type Ran, type WtHome } from '../cli/support/wt.ts';
import { makeStage, type Stage } from './support/stage.ts';

interface Event {
  readonly type: string;
  readonly reason?: string;
}

suite('a stack of four with two workers who tell each other nothing', () => {
  const names = ['a', 'b', 'c', 'd'];
  let home: WtHome;
  let stage: Stage;
  let paths: Map<string, string>;
  setup(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    paths = new Map();
    for (const [index, name] of names.entries())
      paths.set(name, await stage.worktree(name, names[index - 1] ?? 'main'));
    await done('pr', 'a', '--stack');
    // Checks that run make the polls look often.
    for (const pull of stage.hub.state.pulls.values())
      pull.checks.push({ name: 'build', status: 'in_progress', conclusion: null });
    for (const name of names) await done('poll', name, '--timeout', '0.01');
  });
  teardown(() => stage.close());

  const done = async (...args: string[]): Promise<Ran> => {
    const ran = await home.wt(stage.repository.root, args, { variables: stage.variables });
    assert.equal(ran.code, 0, `wt ${args.join(' ')} ended with ${ran.code}:\n${ran.stdout}${ran.stderr}`);
    return ran;
  };

  /** What an agent does that has one worktree: watch, and when the base has changed, follow it. Gives what it was told. */
  const worker = async (name: string): Promise<Event[]> => {
    const events: Event[] = [];
    for (;;) {
      const told = (await done('poll', name, '--timeout', '3')).json()['events'] as Event[];
      events.push(...told);
      assert.ok(told.length > 0, `the poll of ${name} ran out of time`);
      if (!told.some(({ type }) => type === 'base_updated')) continue;
      await done('rebase', name);
      await done('push', name);
      return events;
    }
  };

  const watching = (name: string): Promise<unknown> => appears(join(paths.get(name) ?? '', '.poll-active'));

  const reasons = (events: readonly Event[]): string[] =>
    events.filter(({ type }) => type === 'base_updated').map(({ reason }) => String(reason));

  /** The tree of a commit, and the subjects of what stands above the bottom. */
  const shapeOf = async (where: string, commit: string, bottom: string): Promise<string[]> => [
    await stage.repository.gitIn(where, 'rev-parse', `${commit}^{tree}`),
    ...(await stage.repository.gitIn(where, 'log', '--format=%s', `${bottom}..${commit}`)).split('\n'),
  ];

  const squashMerge = async (): Promise<string> => {
    const { hub } = stage;
    const tree = await stage.onServer('rev-parse', 'a^{tree}');
    const squashed = await stage.onServer('commit-tree', '-p', 'main', '-m', 'a (#1)', tree);
    await stage.onServer('update-ref', 'refs/heads/main', squashed);
    const [first, second] = [hub.state.pulls.get(1), hub.state.pulls.get(2)];
    assert.ok(first && second);
    Object.assign(first, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit: squashed });
    // GitHub gives the pull requests above their new base before it deletes the branch.
    second.base = 'main';
    hub.state.refs.delete('a');
    return squashed;
  };

  test('follows a squash merge at the bottom: every branch is what git gives, every pull request stands right', async () => {
    const { repository, hub } = stage;
    // The same stack for git's own rebase.
    const byGit = join(home.root, 'by-git');
    await repository.git('clone', '--quiet', stage.bare, byGit);
    const b = worker('b');
    const c = worker('c');
    await Promise.all([watching('b'), watching('c')]);
    const squashed = await squashMerge();
    assert.deepEqual(reasons(await b), ['merged']);
    assert.deepEqual(reasons(await c), ['moved']);
    assert.deepEqual(reasons(await worker('d')), ['moved']);

    await repository.gitIn(byGit, 'fetch', '--quiet', 'origin', 'main');
    const old = (name: string): Promise<string> => repository.gitIn(byGit, 'rev-parse', `origin/${name}`);
    let onto = squashed;
    let below = 'a';
    for (const name of names.slice(1)) {
      await repository.gitIn(byGit, 'rebase', '--quiet', '--onto', onto, await old(below), await old(name));
      onto = await repository.gitIn(byGit, 'rev-parse', 'HEAD');
      below = name;
      const there = await stage.onServer('rev-parse', name);
      assert.equal(there, await repository.git('rev-parse', name), `${name} was pushed`);
      assert.deepEqual(await shapeOf(stage.bare, there, squashed), await shapeOf(byGit, onto, squashed), name);
    }
    assert.deepEqual(
      [...hub.state.pulls.values()].map(({ head, base, state }) => [head, base, state]),
      [
        ['a', 'main', 'closed'],
        ['b', 'main', 'open'],
        ['c', 'b', 'open'],
        ['d', 'c', 'open'],
      ],
    );
    for (const [name, path] of paths) assert.equal(await repository.gitIn(path, 'status', '--porcelain'), '', name);
  }).timeout(400_000);

  test('follows a fix of the lowest branch, each in its turn', async () => {
    const { repository } = stage;
    const b = worker('b');
    const c = worker('c');
    await Promise.all([watching('b'), watching('c')]);
    await stage.commit(paths.get('a') ?? '', 'fix.txt');
    await done('push', 'a');
    assert.deepEqual(reasons(await b), ['moved']);
    assert.deepEqual(reasons(await c), ['moved']);
    assert.deepEqual(reasons(await worker('d')), ['moved']);
    for (const name of names) assert.equal(await stage.onServer('show', `${name}:fix.txt`), 'fix.txt');
    const subjects = (await repository.git('log', '--format=%s', 'main..d')).split('\n');
    assert.deepEqual(subjects, ['Add d.txt', 'Add c.txt', 'Add b.txt', 'Add fix.txt', 'Add a.txt']);
  }).timeout(400_000);
});
