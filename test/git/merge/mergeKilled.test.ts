import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { abortMerge } from '../../../src/core/merge/abort.ts';
import { mergeWorktree } from '../../../src/core/merge/mergeWorktree.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { readOperations } from '../../../src/core/operations/store.ts';
import { bundled } from '../../support/bundled.ts';
import { addSubmodules, commitInSubmodule, lines } from '../../support/mergeSubmodules.ts';
import { Merges } from '../../support/merges.ts';
import { savePlace, type SavedPlace } from '../../support/savedPlace.ts';
import { StepCopies } from '../../support/stepCopies.ts';
import { testEnvironment } from '../../support/workspace.ts';
import { shareOf } from '../../support/share.ts';

const driver = new URL('../../support/mergeDriver.ts', import.meta.url);
/** Later than any git process of a killed merge could still make something. */
const later = (): Date => new Date(Date.now() + 60_000);
/** The time of every commit: what was done the same has the same ids. */
const dates = { GIT_AUTHOR_DATE: '2026-02-03T04:05:06Z', GIT_COMMITTER_DATE: '2026-02-03T04:05:06Z' };
const folders = ['.', 'libs/first one', 'agent-core', 'agent-core/nested'];

describe('a merge that is killed', function () {
  this.timeout(900_000);
  let merges: Merges;
  let saved: SavedPlace;
  /** What a merge leaves that is killed at each of its steps, and what it is like at its end. */
  let copies: StepCopies;
  let whole: Record<string, string>;

  before(async () => {
    merges = await Merges.start();
    // Fewer files to copy for every kill.
    await merges.git('.', 'config', '--global', 'init.templateDir', '');
    await addSubmodules(merges);
    await merges.commit('', {
      'a.txt': lines('2'),
      'agents/session.md': session(['Login form', 'Search'], ['Feature x → `x`']),
      'agents/learnings.md': '# Learnings\n\n## When testing\n\n- Use real repositories.\n',
      'agents/jobs.md': jobs('planned'),
    });
    await merges.at.create('x');
    const tree = merges.at.path('x');
    await merges.commit('x', {
      'a.txt': lines('theirs'),
      'new/x.txt': 'x\n',
      'agents/session.md': session(['Found on the way'], []),
      'agents/learnings.md':
        '# Learnings\n\n## When testing\n\n- Use real repositories.\n\n## When merging\n\n- Kill it.\n',
      'agents/jobs.md': jobs('complete'),
    });
    await commitInSubmodule(merges, tree, ['libs/first one'], { 'new.txt': 'n\n' });
    await commitInSubmodule(merges, tree, ['agent-core', 'nested'], { 'nested.txt': lines('theirs') });
    await commitInSubmodule(merges, merges.root, ['agent-core', 'nested'], { 'nested.txt': lines('nested', 'ours') });
    await merges.commit('', {
      'a.txt': lines('2', 'ours'),
      'agents/session.md': session(['Login form', 'Search', 'Added meanwhile'], ['Feature x → `x`']),
      'agents/learnings.md':
        '# Learnings\n\n## When testing\n\n- Use real repositories.\n\n## When waiting\n\n- Do not.\n',
    });
    saved = savePlace(merges.at.home.root, 'saved');
    copies = new StepCopies(merges.at.home.root);
    await run('merge', copies.into);
    whole = await state();
    saved.restore();
  });
  beforeEach(() => saved.restore());
  after(async () => {
    saved.forget();
    copies.forget();
    await merges.dispose();
  });

  function session(pending: readonly string[], worktrees: readonly string[]): string {
    const list = (names: readonly string[]): string => names.map((name) => `- [ ] **${name}**\n`).join('');
    const tasks = worktrees.map((each) => each.replace(/^(.*?)( → .*)$/, '- [ ] **$1**$2\n')).join('');
    return `# Session Handoff\n\n## Pending Tasks\n\n${list(pending)}\n## Worktree Tasks\n\n${tasks}`;
  }
  function jobs(status: string): string {
    return `# Jobs\n\n| Plan | Status | Notes |\n| --- | --- | --- |\n| search | requirements | |\n| feature | ${status} | |\n`;
  }

  /** Runs it in a process of its own: to its end, or killed at a step. @param last the step, or the folder for copies of all of them. */
  async function run(what: 'merge' | 'abort', last: number | string = 0): Promise<void> {
    const child = spawn(process.execPath, [bundled(driver), merges.root, 'x', what, String(last)], {
      env: { ...merges.at.home.variables, ...dates },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    assert.deepEqual([code, signal], Number(last) > 0 ? [null, 'SIGKILL'] : [0, null], `${what} with step ${last}`);
  }

  /**
   * Runs it to its end here, which spares the start of a process.
   *
   * @param recovers after what every command begins with, which can also fail and leave it to this.
   */
  async function again(what: 'merge' | 'abort', recovers: boolean): Promise<void> {
    const { home, workspace } = merges.at;
    const environment = testEnvironment(home, merges.root, dates);
    const here = { ...workspace, environment, git: new Git(environment) };
    if (recovers)
      assert.deepEqual(await recoverInterrupted({ ...here, environment: { ...environment, now: later } }), []);
    if (what === 'abort') await abortMerge(here, 'x', merges.root).catch(assertIncomplete);
    else await mergeWorktree(here, { source: await merges.source('x'), into: merges.root });
  }
  function assertIncomplete(thrown: unknown): void {
    assert.ok(Problem.is(thrown) && thrown.outcome === 'incomplete', String(thrown));
  }

  /** Everything that must come out the same: what is checked out everywhere, that nothing is left over, and the files. */
  async function state(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    await Promise.all(
      folders.map(async (folder) => {
        const [head, status] = await Promise.all([
          merges.git(folder, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'),
          merges.git(folder, 'status', '--porcelain', '--ignore-submodules=none'),
        ]);
        found[`head of ${folder}`] = head;
        found[`status of ${folder}`] = status;
      }),
    );
    for (const file of ['wt-merge', 'worktree-stacks/operations/_merge.json', 'MERGE_HEAD', 'index.lock']) {
      found[file] = String(existsSync(join(merges.root, '.git', file)));
    }
    const operations = await readOperations(merges.at.workspace);
    found['merges in the log'] = String(operations.filter(({ kind }) => kind === 'merge').length);
    return found;
  }

  it('before or after any git command that changes something is completed by running it again, always with the same result', async () => {
    await run('merge');
    assert.deepEqual(await state(), whole);
    for (const folder of folders) assert.equal(whole[`status of ${folder}`], '', folder);
    assert.equal(whole['wt-merge'], 'false');
    assert.equal(whole['merges in the log'], '1');
    const text = await readFile(join(merges.root, 'agents/session.md'), 'utf8');
    for (const name of ['Login form', 'Search', 'Added meanwhile', 'Found on the way'])
      assert.equal(text.split(`**${name}**`).length, 2, text);
    assert.equal(text.includes('→ `x`'), false, text);
    const learnings = await readFile(join(merges.root, 'agents/learnings.md'), 'utf8');
    assert.deepEqual(learnings.match(/^## .*/gm), ['## When testing', '## When waiting', '## When merging']);
    assert.match(await readFile(join(merges.root, 'agents/jobs.md'), 'utf8'), /\| feature \| complete \|/);
    assert.equal(await readFile(join(merges.root, 'a.txt'), 'utf8'), lines('theirs', 'ours'));
    assert.ok(copies.all().length > 24, copies.all().join());
    for (const [index, step] of shareOf([...copies.all().entries()], 4)) {
      copies.restore(step);
      await again('merge', index % 3 === 0);
      assert.deepEqual(await state(), whole, `killed at step ${step}`);
    }
    for (const step of shareOf([10, 30], 2)) {
      saved.restore();
      await run('merge', step);
      await again('merge', true);
      assert.deepEqual(await state(), whole, `really killed at step ${step}`);
    }
  });

  it('can be taken back from wherever it was killed, unless it was committed', async () => {
    const before = await state();
    const committed = whole['head of .'];
    let over = false;
    for (const [index, step] of shareOf([...copies.all().entries()], 4)) {
      copies.restore(step);
      await again('abort', index % 2 === 1);
      const after = await state();
      if (after['head of .'] === committed) over = true;
      else {
        assert.equal(over, false, `killed at step ${step}, after it was committed`);
        assert.deepEqual(after, before, `killed at step ${step}`);
      }
    }
  });

  it('while it is taken back, is taken back by running that again', async () => {
    await merges.commit('', { 'a.txt': lines('ours', 'ours') });
    const before = await state();
    await run('merge');
    assert.equal(existsSync(join(merges.root, '.git/MERGE_HEAD')), true);
    await merges.at.repository.write('a.txt', lines('half resolved'));
    const aborts = new StepCopies(merges.at.home.root, 'aborts');
    await run('abort', aborts.into);
    assert.deepEqual(await state(), before);
    assert.ok(aborts.all().length > 8, aborts.all().join());
    for (const [index, step] of shareOf([...aborts.all().entries()], 4)) {
      aborts.restore(step);
      await again('abort', index % 2 === 0);
      assert.deepEqual(await state(), before, `killed at step ${step}`);
    }
    aborts.forget();
  });
});
