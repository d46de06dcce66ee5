import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addSubmodules, commitInSubmodule, lines } from '../support/mergeSubmodules.ts';
import { Merges } from '../support/merges.ts';
import { savePlace, type SavedPlace } from '../support/savedPlace.ts';

const driver = fileURLToPath(new URL('../support/mergeDriver.ts', import.meta.url));
/** The time of every commit: what was done the same has the same ids. */
const date = '2026-02-03T04:05:06Z';
const folders = ['.', 'libs/first one', 'agent-core', 'agent-core/nested'];

suite('a merge that is killed', function () {
  this.timeout(600_000);
  let merges: Merges;
  let saved: SavedPlace;

  suiteSetup(async () => {
    merges = await Merges.start();
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
    saved = await savePlace(merges.at.home.root);
  });
  setup(() => saved.restore());
  suiteTeardown(() => merges.dispose());

  function session(pending: readonly string[], worktrees: readonly string[]): string {
    const list = (names: readonly string[]): string => names.map((name) => `- [ ] **${name}**\n`).join('');
    const tasks = worktrees.map((each) => each.replace(/^(.*?)( → .*)$/, '- [ ] **$1**$2\n')).join('');
    return `# Session Handoff\n\n## Pending Tasks\n\n${list(pending)}\n## Worktree Tasks\n\n${tasks}`;
  }
  function jobs(status: string): string {
    return `# Jobs\n\n| Plan | Status | Notes |\n| --- | --- | --- |\n| search | requirements | |\n| feature | ${status} | |\n`;
  }

  async function run(what: 'merge' | 'abort', last: number): Promise<string> {
    const child = spawn(process.execPath, [driver, merges.root, 'x', what, String(last)], {
      env: { ...merges.at.home.variables, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child, 'close');
    return output.trim();
  }

  /** Everything that must come out the same: what is checked out everywhere, that nothing is left over, and the files. */
  async function state(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const folder of folders) {
      found[`head of ${folder}`] = await merges.git(folder, 'rev-parse', 'HEAD');
      found[`status of ${folder}`] = await merges.git(folder, 'status', '--porcelain', '--ignore-submodules=none');
      found[`branch of ${folder}`] = await merges.git(folder, 'rev-parse', '--abbrev-ref', 'HEAD');
    }
    for (const file of ['wt-merge.json', 'MERGE_HEAD', 'index.lock']) {
      found[file] = String(existsSync(join(merges.root, '.git', file)));
    }
    return found;
  }

  test('before or after any git command that changes something is completed by running it again, always with the same result', async () => {
    const count = Number(await run('merge', 0));
    assert.ok(count > 24, `${count} steps`);
    const whole = await state();
    for (const folder of folders) assert.equal(whole[`status of ${folder}`], '', folder);
    assert.equal(whole['wt-merge.json'], 'false');
    const text = await readFile(join(merges.root, 'agents/session.md'), 'utf8');
    for (const name of ['Login form', 'Search', 'Added meanwhile', 'Found on the way'])
      assert.equal(text.split(`**${name}**`).length, 2, text);
    assert.equal(text.includes('→ `x`'), false, text);
    const learnings = await readFile(join(merges.root, 'agents/learnings.md'), 'utf8');
    assert.deepEqual(learnings.match(/^## .*/gm), ['## When testing', '## When waiting', '## When merging']);
    assert.match(await readFile(join(merges.root, 'agents/jobs.md'), 'utf8'), /\| feature \| complete \|/);
    assert.equal(await readFile(join(merges.root, 'a.txt'), 'utf8'), lines('theirs', 'ours'));
    for (let step = 1; step <= count; step++) {
      await saved.restore();
      assert.equal(await run('merge', step), '', `step ${step} is one`);
      await run('merge', 0);
      assert.deepEqual(await state(), whole, `killed at step ${step}`);
    }
  });

  test('can be taken back from wherever it was killed', async () => {
    const before = await state();
    const count = Number(await run('merge', 0));
    // The last three are the commit, after which there is nothing to take back, and what follows it.
    for (let step = 2; step < count; step += 3) {
      await saved.restore();
      await run('merge', step);
      await run('abort', 0);
      const after = await state();
      if (after['head of .'] === before['head of .']) assert.deepEqual(after, before, `killed at step ${step}`);
      else assert.ok(step >= count - 1, `step ${step} of ${count} cannot be taken back`);
    }
  });

  test('while it is taken back, is taken back by running that again', async () => {
    const before = await state();
    await merges.commit('', { 'a.txt': lines('ours', 'ours') });
    const with_ = await state();
    await run('merge', 0);
    assert.equal(existsSync(join(merges.root, '.git/MERGE_HEAD')), true);
    await merges.at.repository.write('a.txt', lines('half resolved'));
    const stopped = await savePlace(merges.at.home.root);
    const count = Number(await run('abort', 0));
    assert.ok(count > 10, `${count} steps`);
    assert.deepEqual(await state(), with_);
    for (let step = 1; step <= count; step++) {
      await stopped.restore();
      assert.equal(await run('abort', step), '');
      await run('abort', 0);
      assert.deepEqual(await state(), with_, `killed at step ${step}`);
    }
    assert.notDeepEqual(before, with_);
  });
});
