import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { wtHome, type WtHome } from '../support/wt.ts';

const session = (...tasks: string[]): string =>
  `# Session\n\n## Pending Tasks\n\n${tasks.map((task) => `- [ ] **${task}**\n`).join('')}`;

describe('wt merge', () => {
  let home: WtHome;
  let repository: TestRepository;
  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository();
    await repository.commit('Files', { 'a.txt': 'a\n', 'agents/session.md': session('Here') });
    await home.done(repository.root, 'create', 'x');
  });
  afterEach(() => home.dispose());

  const tree = (): string => join(repository.root, '.worktrees/x');
  const head = (): Promise<string> => repository.git('rev-parse', 'HEAD');
  const inX = (files: Record<string, string>): Promise<string> => repository.commit('Work', files, tree());

  it('prints the merge commit and nothing else, and the same one again', async () => {
    await inX({ 'x.txt': 'x\n', 'agents/session.md': session('Found') });
    const dry = (await home.wt(repository.root, ['merge', 'x', '--dry-run', '--json'])).json();
    assertMatches('merge', dry);
    assert.deepEqual([dry['state'], dry['conflicts']], ['would-merge', []]);
    const first = await home.wt(repository.root, ['merge', 'x']);
    assert.equal(first.code, 0, first.stderr);
    assert.equal(first.stdout, `${await head()}\n`);
    assert.match(first.stderr, /^Merged x \(x\)\.\n {2}agents\/session\.md: /);
    assert.equal(await readFile(join(repository.root, 'agents/session.md'), 'utf8'), session('Here', 'Found'));
    const again = await home.wt(repository.root, ['merge', 'x']);
    assert.deepEqual([again.code, again.stdout], [0, first.stdout]);
    assert.match(again.stderr, /x was merged before/);
  });

  it('says how to take it back, and `wt undo` does so', async () => {
    const before = await head();
    await inX({ 'x.txt': 'x\n' });
    const merge = await home.wt(repository.root, ['merge', 'x']);
    assert.match(
      merge.stderr,
      /\n`wt undo` undoes it\.\nnext: `wt cleanup x` removes the worktree x: its work is done\n$/,
    );
    const log = (await home.wt(repository.root, ['log', '--json'])).json();
    assertMatches('log', log);
    const ran = await home.wt(repository.root, ['undo', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches('undo', ran.json());
    assert.equal(await head(), before);
    assert.equal(await repository.git('status', '--porcelain'), '');
  });

  it('prints nothing for a worktree that has nothing', async () => {
    const ran = await home.wt(repository.root, ['merge', 'x']);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', 'x has nothing to merge.\n']);
    assertMatches('merge', (await home.wt(repository.root, ['merge', 'x', '--json'])).json());
  });

  it('answers as its schema says', async () => {
    await inX({ 'x.txt': 'x\n', 'agents/session.md': session('Found') });
    const answer = (await home.wt(repository.root, ['merge', 'x', '--message', 'All of x', '--json'])).json();
    assertMatches('merge', answer);
    assert.equal(answer['commit'], await head());
    assert.equal(await repository.git('log', '-1', '--format=%s'), '🔀 All of x');
    const [file] = answer['session_files'] as { path: string; state: string; entries: { name: string }[] }[];
    assert.deepEqual([file?.path, file?.state], ['agents/session.md', 'merged']);
    assert.ok(file?.entries.some((entry) => entry.name === 'Found'));
  });

  it('brings along what the worktree of a task added beside it, after a rebase too, and names what stays behind', async () => {
    const file = 'agents/session.md';
    const base = session('Receipts', 'Login').concat('\n## Blockers\n\n- The gateway is down\n');
    await repository.commit('Tasks', { [file]: base });
    const at = join(repository.root, (await home.done(repository.root, 'create', '--task', 'Receipts')).trim());
    await repository.git('commit', '-qam', 'Task moved');
    const prediction = (await home.wt(repository.root, ['predict', '--json'])).json();
    assert.deepEqual(prediction['conflicts'], []);
    await home.done(repository.root, 'rebase', 'receipts');
    const own = await readFile(join(at, file), 'utf8');
    assert.match(own, /^# Session: Worktree — Receipts\n/);
    const more =
      '- Mails bounce\n\n## Decisions\n\n- Letters are PDF\n\n## Completed This Session\n\n- Built the mailer\n';
    await repository.commit('Work', { [file]: own.replace('[ ]', '[x]') + more }, at);
    const merge = await home.wt(repository.root, ['merge', 'receipts']);
    assert.equal(merge.code, 0, merge.stderr);
    assert.match(
      merge.stderr,
      / {2}agents\/session\.md: 4 entries compared\n {4}left behind: Completed This Session: Built the mailer\n/,
    );
    assert.equal(
      await readFile(join(repository.root, file), 'utf8'),
      session('Login').concat(
        '\n## Worktree Tasks\n\n## Blockers\n\n- The gateway is down\n- Mails bounce\n\n## Decisions\n\n- Letters are PDF\n',
      ),
    );
    await home.done(repository.root, 'undo');
    const answer = (await home.wt(repository.root, ['merge', 'receipts', '--json'])).json();
    assertMatches('merge', answer);
    const [notes] = answer['session_files'] as { entries: { section: string; name: string; reason: string }[] }[];
    assert.deepEqual(
      notes?.entries.filter(({ reason }) => reason === 'leftBehind').map(({ section, name }) => [section, name]),
      [['Completed This Session', 'Built the mailer']],
    );
  });

  it('exits with 1 at a conflict, goes on afterwards, and can be taken back', async () => {
    await inX({ 'a.txt': 'theirs\n' });
    await repository.commit('Ours', { 'a.txt': 'ours\n' });
    const dry = await home.wt(repository.root, ['merge', 'x', '--dry-run']);
    assert.deepEqual(
      [dry.code, dry.stdout],
      [
        1,
        'Merging x into main: 1 conflict\n  Merges 1 commit into main. (1 file: Work)\n' +
          '  Will conflict: a.txt (changed in main and x)\n',
      ],
    );
    assert.match(dry.stderr, /^wt: x would conflict; nothing was touched\.\nnext: `wt merge x` without --dry-run/);
    const dryJson = (await home.wt(repository.root, ['merge', 'x', '--dry-run', '--json'])).json();
    assertMatches('merge', dryJson);
    assert.deepEqual([dryJson['success'], dryJson['conflicts']], [false, [{ path: 'a.txt', kind: 'both-changed' }]]);
    const stopped = await home.wt(repository.root, ['merge', 'x']);
    assert.deepEqual([stopped.code, stopped.stdout], [1, '']);
    assert.match(stopped.stderr, /^wt: Merging x into main: 1 conflict\.\nnext: .*\n {2}a\.txt \(both changed\)\n$/);
    const json = await home.wt(repository.root, ['merge', 'x', '--json']);
    assert.equal(json.code, 1);
    assertFailure(json.json(), 'conflicts');
    const aborted = (await home.wt(repository.root, ['merge', 'x', '--abort', '--json'])).json();
    assertMatches('merge', aborted);
    assert.equal(aborted['state'], 'aborted');
    assert.equal(await repository.git('status', '--porcelain'), '');
    const nothing = await home.wt(repository.root, ['merge', 'x', '--abort']);
    assert.equal(nothing.code, 1);
    await home.wt(repository.root, ['merge', 'x']);
    await repository.write('a.txt', 'both\n');
    await repository.git('add', 'a.txt');
    assert.equal((await home.wt(repository.root, ['merge', 'x'])).stdout, `${await head()}\n`);
  });

  it('asks nobody for approval of the checks where nobody is there, and takes it from --approve', async () => {
    await repository.commit('Checks', { '.worktrees.yml': 'checks: echo checked\n' });
    await inX({ 'x.txt': 'x\n' });
    const ran = await home.wt(repository.root, ['merge', 'x']);
    assert.deepEqual([ran.code, ran.stdout], [1, '']);
    assert.match(ran.stderr, /checks `echo checked` were not run[^]*next: run `wt merge x --approve`/);
    const approved = await home.wt(repository.root, ['merge', 'x', '--approve']);
    assert.deepEqual([approved.code, approved.stdout], [0, `${await head()}\n`]);
    assert.match(approved.stderr, /^checked\n/);
  });

  it('names what is wrong with an exit code of 1 for what the person can change, and of 2 for wrong usage', async () => {
    await inX({ 'x.txt': 'x\n' });
    await repository.write('a.txt', 'changed\n');
    const dirty = await home.wt(repository.root, ['merge', 'x']);
    assert.equal(dirty.code, 1);
    assert.match(dirty.stderr, / M a\.txt/);
    assert.equal((await home.wt(tree(), ['merge', 'x'])).code, 1);
    assert.equal((await home.wt(repository.root, ['merge', 'nothing'])).code, 2);
    assert.equal((await home.wt(repository.root, ['merge'])).code, 2);
    assert.equal((await home.wt(repository.root, ['merge', 'x', '--abort', '--message', 'm'])).code, 2);
  });

  it('merges into the worktree that it is run in', async () => {
    await home.done(repository.root, 'create', 'y');
    await inX({ 'x.txt': 'x\n' });
    const commit = (await home.done(join(repository.root, '.worktrees/y'), 'merge', 'x')).trim();
    assert.equal(await repository.git('rev-parse', 'y'), commit);
    assert.notEqual(await head(), commit);
  });
});
