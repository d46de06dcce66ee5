import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { planChecks } from '../../../src/core/merge/checks.ts';
import { bundled } from '../../support/bundled.ts';
import { lines } from '../../support/mergeSubmodules.ts';
import { Merges } from '../../support/merges.ts';
import { mergeMessages } from '../../../src/core/messages/merge.ts';
import { heard } from '../../support/texts.ts';

const driver = new URL('../../support/mergeDriver.ts', import.meta.url);

describe('the checks after a merge', () => {
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
  });
  afterEach(() => merges.dispose());

  const read = (file: string): Promise<string> => readFile(join(merges.root, file), 'utf8');
  const head = (): Promise<string> => merges.git('.', 'rev-parse', 'HEAD');

  describe('after the commit', () => {
    const command = 'echo checking; test -e good.txt';
    beforeEach(async () => {
      await merges.at.configure(`checks: '${command}'\n`);
      await merges.at.create('x');
      await merges.commit('x', { 'x.txt': 'x\n' });
    });

    it('are not run before the user has approved them, and say how', async () => {
      const problem = await merges.refusal('x');
      assert.equal(problem.reason, 'not-approved');
      assert.equal(problem.outcome, 'incomplete');
      assert.match(problem.next ?? '', /wt merge x --approve/);
      assert.ok(existsSync(join(merges.root, 'x.txt')));
      const asked: string[] = [];
      const problem2 = await merges.refusal('x', {
        approveChecks: async (what) => {
          asked.push(what);
          return true;
        },
      });
      assert.deepEqual(asked, [command]);
      assert.equal(problem2.reason, 'checks-failed');
      assert.equal((await merges.refusal('x')).reason, 'checks-failed');
    });

    it('that fail keep the merge commit, and only they are repeated', async () => {
      await merges.approve(command);
      const problem = await merges.refusal('x');
      assert.equal(problem.reason, 'checks-failed');
      assert.equal(problem.outcome, 'incomplete');
      assert.deepEqual(problem.items, ['checking']);
      const merge = await head();
      assert.match(problem.message, new RegExp(`merged as ${merge.slice(0, 12)}`));
      await merges.refusal('x');
      assert.equal(await head(), merge);
      await merges.commit('', { 'good.txt': '' });
      let output = '';
      const merged = await merges.merge('x', { onOutput: (text) => (output += text) });
      assert.deepEqual([merged.commit, merged.checks.state], [merge, 'passed']);
      assert.equal(output, 'checking\n');
      output = '';
      await merges.merge('x', { onOutput: (text) => (output += text) });
      assert.equal(output, '', 'passed checks are not run again');
    });

    it('that have not passed do not keep the next merge out', async () => {
      await merges.approve(command);
      await merges.refusal('x');
      await merges.at.create('y');
      await merges.commit('y', { 'good.txt': '' });
      assert.equal((await merges.merge('y')).checks.state, 'passed');
    });

    it('can be cancelled, and are then still due', async () => {
      await merges.approve(command);
      const stop = new AbortController();
      const problem = await merges.refusal('x', {
        signal: stop.signal,
        onOutput: () => stop.abort(),
      });
      assert.equal(problem.reason, 'cancelled');
      assert.match(problem.next ?? '', /wt merge x/);
      assert.equal((await merges.refusal('x')).reason, 'checks-failed');
    });
  });

  describe('as the files suggest them', () => {
    for (const [what, files, command] of [
      ['a recipe of a justfile', { justfile: 'a := "precommit"\n\nprecommit *args:\n\techo ok\n' }, 'just precommit'],
      ['a recipe in another spelling', { '.justfile': '@precommit: test\n\techo ok\n' }, 'just precommit'],
      ['the script precommit', { 'package.json': '{"scripts":{"check":"a","precommit":"b"}}' }, 'npm run precommit'],
      [
        'the script check, with pnpm',
        { 'package.json': '{"scripts":{"check":"a"}}', 'pnpm-lock.yaml': '' },
        'pnpm run check',
      ],
      [
        'a target of a makefile',
        { Makefile: '.PHONY: precommit\nprecommit: test lint\n\techo ok\n' },
        'make precommit',
      ],
      [
        'the target that says when it runs, before a script that does not',
        { Makefile: 'precommit::\n\techo ok\n', 'package.json': '{"scripts":{"check":"a"}}' },
        'make precommit',
      ],
      ['nothing: a variable of make', { Makefile: 'precommit := x\nprecommit-all:\n\techo\n' }, undefined],
      ['nothing: other recipes', { justfile: 'precommit := "x"\nprecommit-all:\n\techo\n' }, undefined],
      ['nothing: a broken package', { 'package.json': '{"scripts":' }, undefined],
    ] as const) {
      it(`are ${what}`, async () => {
        for (const [file, text] of Object.entries(files)) await merges.at.repository.write(file, text);
        assert.equal((await planChecks(merges.at.workspace, merges.root))?.command, command);
      });
    }

    it('wait for approval without failing the merge', async () => {
      await merges.commit('', { 'package.json': '{"scripts":{"check":"exit 3"}}' });
      await merges.at.create('x');
      await merges.commit('x', { 'x.txt': 'x\n' });
      const merged = await merges.merge('x');
      assert.deepEqual(merged.checks, { state: 'unapproved', command: 'npm run check' });
      assert.equal((await merges.refusal('x', { approve: true })).reason, 'checks-failed');
      await merges.commit('', { 'package.json': '{}' });
      assert.equal((await merges.merge('x')).checks.state, 'none');
    });
  });

  describe('that resolve conflicts', () => {
    const command = 'git diff --quiet && ! grep -q bad a.txt b.txt';
    const configuration = `checks: '${command}'\nmerge: { source_conflicts: checks }\n`;

    async function conflict(ours: Record<string, string>, theirs: Record<string, string>): Promise<void> {
      await merges.at.configure(configuration);
      await merges.commit('', { 'a.txt': lines('2'), 'b.txt': lines('2') });
      await merges.at.create('x');
      await merges.commit('x', theirs);
      await merges.commit('', ours);
    }
    const dropped = (ref = ''): Promise<string> => merges.git('.', 'show', `${ref}:a.txt`);
    const message = (): Promise<string> => merges.git('.', 'log', '-1', '--format=%B');

    it('take the conflicting hunks from ours where that passes, and both sides in the rest of the file', async () => {
      await conflict({ 'a.txt': lines('ours') }, { 'a.txt': lines('theirs', 'also theirs') });
      await merges.approve(command);
      let runs = 0;
      const merged = await merges.merge('x', {
        progress: (step) => void (runs += step?.id === mergeMessages.runningChecks.id ? 1 : 0),
      });
      assert.equal(await read('a.txt'), lines('ours', 'also theirs'));
      assert.equal(runs, 1, 'what has passed is not checked again');
      assert.equal(merged.checks.state, 'passed');
      const [backup] = merged.backups;
      assert.match(backup?.ref ?? '', /^refs\/wt-backup\/.*-x\/dropped$/);
      assert.equal(await dropped(backup?.ref), lines('theirs', 'also theirs').trimEnd());
      assert.match(
        await message(),
        /settled by the checks in favour of ours; dropped from theirs:\na\.txt:2: 1 line of theirs, for 1 line of ours\n/,
      );
      assert.match(await message(), new RegExp(`kept in ${backup?.ref}\\.\n\nWt-Merge: x$`));
      assert.equal(await merges.git('.', 'status', '--porcelain'), '');
    });

    it('take theirs where ours does not pass', async () => {
      await conflict({ 'a.txt': lines('bad', 'ours too') }, { 'a.txt': lines('theirs') });
      await merges.approve(command);
      const merged = await merges.merge('x');
      assert.equal(await read('a.txt'), lines('theirs', 'ours too'));
      assert.equal(await dropped(merged.backups[0]?.ref), lines('bad', 'ours too').trimEnd());
      assert.match(await message(), /in favour of theirs; dropped from ours:/);
    });

    it('stop with the conflict as it was where neither passes, and do not try again', async () => {
      await conflict(
        { 'a.txt': lines('bad'), 'b.txt': lines('2', 'ours') },
        { 'a.txt': lines('bad too'), 'b.txt': lines('2', 'theirs') },
      );
      await merges.approve(command);
      await merges.git('.', 'merge', '--no-commit', '--no-ff', await merges.git('.', 'rev-parse', 'x')).catch(() => '');
      const plain = [await read('a.txt'), await read('b.txt'), await merges.git('.', 'ls-files', '-s')];
      await merges.git('.', 'merge', '--abort');
      const problem = await merges.refusal('x');
      assert.equal(problem.reason, 'conflicts');
      assert.match(problem.message, /The checks passed with neither side\./);
      assert.deepEqual([await read('a.txt'), await read('b.txt'), await merges.git('.', 'ls-files', '-s')], plain);
      let runs = 0;
      await merges.refusal('x', {
        onOutput: () => runs++,
        progress: heard((step) => (runs += step.includes('trying') ? 1 : 0)),
      });
      assert.equal(runs, 0);
      await merges.at.repository.write('a.txt', lines('resolved'));
      await merges.at.repository.write('b.txt', lines('resolved'));
      await merges.git('.', 'add', '.');
      const merged = await merges.merge('x');
      assert.deepEqual(merged.backups, []);
      assert.equal(await message(), '🔀 Merge wt/x\n\nWt-Merge: x');
    });

    it('do not judge what has no hunks, or without approval, and say why', async () => {
      await conflict({ 'a.txt': lines('ours') }, { 'a.txt': lines('theirs') });
      const unapproved = await merges.refusal('x');
      assert.match(unapproved.message, /you have not approved them/);
      assert.match(await read('a.txt'), /<<<<<<</);
      await merges.abort('x');
      await merges.approve(command);
      await rm(join(merges.at.path('x'), 'a.txt'));
      await merges.commit('x', {});
      assert.match((await merges.refusal('x')).message, /a\.txt is no conflict of two texts/);
    });

    it('begin anew after they were killed with one side in place, and can be taken back then', async () => {
      const ok = join(merges.at.home.root, 'ok');
      const killing = `test -e ${ok} || kill -9 $PPID`;
      await conflict({ 'a.txt': lines('ours') }, { 'a.txt': lines('theirs') });
      await merges.at.configure(configuration.replace(command, killing));
      await merges.approve(killing);
      const before = await head();
      for (const after of ['abort', 'merge']) {
        const ended = await promisify(execFile)(process.execPath, [bundled(driver), merges.root, 'x', 'merge', '0'], {
          env: merges.at.home.variables,
        }).catch((thrown: unknown) => thrown);
        assert.equal((ended as { signal?: string }).signal, 'SIGKILL');
        assert.equal(await read('a.txt'), lines('ours'));
        if (after === 'abort') {
          await merges.abort('x');
          assert.equal(await head(), before);
          assert.equal(await merges.git('.', 'status', '--porcelain'), '');
        }
      }
      await merges.at.repository.write(ok, '');
      const merged = await merges.merge('x');
      assert.equal(merged.backups.length, 1);
      assert.match(await message(), /in favour of ours; dropped from theirs:\na\.txt:2: /);
    });

    it('put the conflict back when they are cancelled', async () => {
      await conflict({ 'a.txt': lines('ours') }, { 'a.txt': lines('theirs') });
      await merges.approve(command);
      const stop = new AbortController();
      const problem = await merges.refusal('x', {
        signal: stop.signal,
        progress: (step) => {
          if (step?.id === mergeMessages.runningChecks.id) stop.abort();
        },
      });
      assert.equal(problem.reason, 'cancelled');
      assert.match(await merges.git('.', 'status', '--porcelain'), /^UU a\.txt$/m);
      assert.match(await read('a.txt'), /<<<<<<</);
      assert.equal((await merges.merge('x')).state, 'merged');
    });
  });
});
