import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { wtHome, type WtHome } from '../support/wt.ts';

describe('wt state', () => {
  let home: WtHome;
  let repository: TestRepository;
  let one: string;
  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository();
    one = join(repository.root, (await home.done(repository.root, 'create', 'one')).trim());
  });
  afterEach(() => home.dispose());

  const json = async (command: string, folder: string, ...args: string[]): Promise<Record<string, unknown>> => {
    const ran = await home.wt(folder, ['state', command, ...args, '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches(`state-${command}`, ran.json());
    return ran.json();
  };

  it('tells the progress of the worktree that one is in', async () => {
    const progress = await json('progress', one);
    assert.deepEqual(
      [progress['feature_branch'], progress['current_step'], progress['last_updated']],
      ['one', 1, null],
    );
    assert.equal(await home.done(one, 'state', 'progress'), 'step: 1\ncompleted: none\n');
  });

  it('changes it by step, with artifacts relative to the worktree, and remembers the session', async () => {
    await mkdir(join(one, 'specs'));
    const progress = await json(
      'progress',
      join(one, 'specs'),
      '--step',
      '1',
      '--complete',
      '--artifact',
      'spec=x.md',
      'plan=../plan.md',
      '--session-id',
      's1',
    );
    assert.deepEqual(
      [progress['current_step'], progress['steps_completed'], progress['artifacts'], progress['session_id']],
      [2, [1], { spec: 'specs/x.md', plan: 'plan.md' }, 's1'],
    );
    assert.equal((await json('progress', one, '--complete'))['current_step'], 3);
    assert.equal((await json('progress', repository.root))['current_step'], 1, 'each worktree has its own');
    const registry = JSON.parse(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8')) as {
      worktrees: { one: { lifecycle: string } };
    };
    assert.equal(registry.worktrees.one.lifecycle, 'active');
  });

  it('takes the session from Claude Code where it is not named', async () => {
    const ran = await home.wt(one, ['state', 'progress', '--complete', '--json'], {
      variables: { CLAUDE_CODE_SESSION_ID: 's2' },
    });
    assert.equal(ran.json()['session_id'], 's2');
  });

  for (const args of [
    ['--step', 'two'],
    ['--step', '0'],
    ['--artifact', 'no-path'],
  ]) {
    it(`refuses ${args.join(' ')}`, async () => {
      const ran = await home.wt(one, ['state', 'progress', ...args]);
      assert.equal(ran.code, 2);
      assert.match(ran.stderr, /next:/);
      assert.equal((await json('progress', one))['last_updated'], null);
    });
  }

  it('refuses state that was copied from another worktree', async () => {
    await home.done(one, 'state', 'progress', '--complete');
    const two = join(repository.root, (await home.done(repository.root, 'create', 'two')).trim());
    await cp(join(one, '.claude-state'), join(two, '.claude-state'), { recursive: true });
    const ran = await home.wt(two, ['state', 'progress']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /is the state of one: it was copied from there/);
  });

  it('removes state whose worktree is gone, and says first what it would remove', async () => {
    await home.done(one, 'state', 'progress', '--complete');
    await cp(join(one, '.claude-state'), join(home.root, 'kept'), { recursive: true });
    await repository.git('worktree', 'remove', '--force', one);
    await cp(join(home.root, 'kept'), join(one, '.claude-state'), { recursive: true });
    await mkdir(join(repository.root, '.worktrees', 'odd', '.claude-state'), { recursive: true });
    await writeFile(join(repository.root, '.worktrees', 'odd', '.claude-state', 'x'), 'x');
    for (const args of [['--dry-run'], []]) {
      const { removed, kept } = (await json('cleanup', repository.root, ...args)) as {
        removed: { state: string }[];
        kept: { why: string }[];
      };
      assert.deepEqual(
        removed.map(({ state }) => state),
        [join(one, '.claude-state')],
      );
      assert.match(kept[0]?.why ?? '', /does not say which worktree/);
    }
    assert.deepEqual((await json('cleanup', repository.root))['removed'], []);
  });
});

describe('wt retro', () => {
  let home: WtHome;
  let repository: TestRepository;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await home.done(repository.root, 'create', 'one');
    const entry = {
      at: new Date().toISOString(),
      event: 'PreToolUse',
      decision: 'deny',
      tool: 'Bash',
      words: 'git push --dry-run',
      reason: '`git push`: …',
      toolUse: 't1',
      session: 's1',
      worktree: 'one',
    };
    await repository.write('.git/worktree-stacks/log/hooks.jsonl', `${JSON.stringify(entry)}\n`);
  });
  after(() => home.dispose());

  it('reports what needs a look, readably', async () => {
    const text = await home.done(repository.root, 'retro', '--since', '1h');
    assert.match(
      text,
      /^Since .*: 1 event in the log, 1 call refused, 0 transcripts read\.\n\nRefused, looks harmless \(1\)\n/,
    );
    assert.match(text, /one: git push --dry-run\n {4}it is a dry run\n/);
  });

  it('reports the same as JSON', async () => {
    const ran = await home.wt(repository.root, ['retro', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches('retro', ran.json());
    assert.equal((ran.json()['findings'] as object[]).length, 1);
  });

  it('says when there is nothing', async () => {
    const text = await home.done(repository.root, 'retro', '--since', '2099-01-01');
    assert.match(text, /Nothing that needs a look\./);
  });

  it('refuses a time that is none', async () => {
    const ran = await home.wt(repository.root, ['retro', '--since', 'yesterday']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /"yesterday" is no time/);
  });
});
