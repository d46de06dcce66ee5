import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { skipBecause } from '../../support/skip.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { hookProgram, spawnAndWait, wtHome, type Ran, type WtHome } from '../support/wt.ts';

describe('a guard as a process', () => {
  let home: WtHome;
  let repository: TestRepository;
  let worktree: string;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    worktree = join(repository.root, '.worktrees', 'feat');
    await repository.git('worktree', 'add', '--quiet', '-b', 'feat', worktree);
    // What is compiled is shared by all homes of tests, and here is what is tried.
    await rm(dirname(kept()));
  });
  after(() => home.dispose());

  const call = (command: string): string =>
    JSON.stringify({ cwd: worktree, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });
  const guard = (input: string, args = ['bash-guard', worktree, 'feat']): Promise<Ran> =>
    home.wt(worktree, args, { program: hookProgram, input });
  const decisionOf = ({ code, stdout, stderr }: Ran): string => {
    assert.deepEqual([code, stderr], [0, '']);
    if (stdout === '') return 'none';
    const said = JSON.parse(stdout) as { hookSpecificOutput: { permissionDecision: string } };
    return said.hookSpecificOutput.permissionDecision;
  };
  const kept = (): string => join(home.root, '.worktree-stacks', 'cache', 'compiled');

  it('answers the same on its first run and when its code was compiled before', async () => {
    await rm(kept(), { recursive: true, force: true });
    for (let run = 0; run < 10; run++) {
      assert.equal(decisionOf(await guard(call('npm test && git push'))), 'deny', `run ${run}`);
      assert.equal(decisionOf(await guard(call('npm test'))), 'none', `run ${run}`);
    }
    assert.equal((await readdir(kept())).filter((name) => name.startsWith('hookProgram-')).length, 1);
  });

  it('runs nothing that somebody else may have put in the place of what was kept', async function () {
    if (process.platform === 'win32') skipBecause(this, 'Windows tells no owner of a file');
    await guard(call('ls'));
    const [name = ''] = (await readdir(kept())).filter((each) => each.startsWith('hookProgram-'));
    const file = join(kept(), name);
    // Code that was kept in so many runs is not kept again, unless it was not believed.
    const unbelieved = async (spoil: () => Promise<void>): Promise<void> => {
      for (let run = 0; run < 9; run++) await guard(call('ls'));
      const before = (await stat(file)).ino;
      await guard(call('ls'));
      assert.equal((await stat(file)).ino, before, 'it is believed');
      await spoil();
      assert.equal(decisionOf(await guard(call('git push'))), 'deny');
      assert.notEqual((await stat(file)).ino, before);
    };
    await unbelieved(() => chmod(file, 0o666));
    // Only root can give a file away.
    if (process.getuid?.() === 0) await unbelieved(() => chown(file, 65534, 65534));
  });

  it('keeps no code of builds that are gone for ever', async () => {
    await rm(kept(), { recursive: true, force: true });
    await mkdir(kept(), { recursive: true });
    for (const [name, days] of [
      ['hookProgram-v1-x64-1-1', 40],
      ['hookProgram-v1-x64-1-1.123', 40],
      ['hookProgram-v2-x64-1-1', 20],
    ] as const) {
      await writeFile(join(kept(), name), 'x');
      const time = Date.now() / 1000 - days * 86_400;
      await utimes(join(kept(), name), time, time);
    }
    assert.equal(decisionOf(await guard(call('git push'))), 'deny');
    const left = (await readdir(kept())).filter((name) => /^hookProgram-v[12]-/.test(name));
    assert.deepEqual(left, ['hookProgram-v2-x64-1-1']);
    await rm(kept(), { recursive: true });
  });

  it('answers when what was kept is damaged, and mends it', async () => {
    await guard(call('ls'));
    const [name = ''] = (await readdir(kept())).filter((each) => each.startsWith('hookProgram-'));
    const file = join(kept(), name);
    const whole = await readFile(file);
    const damages: Record<string, Buffer> = {
      'a byte changed': Buffer.from(whole.map((byte, at) => (at === 5_000 ? byte ^ 0xff : byte))),
      'cut off': whole.subarray(0, 10_000),
      empty: Buffer.alloc(0),
      'zeros at the end': Buffer.from(whole.map((byte, at) => (at > 20_000 ? 0 : byte))),
    };
    for (const [what, bytes] of Object.entries(damages)) {
      await writeFile(file, bytes);
      assert.equal(decisionOf(await guard(call('git push'))), 'deny', what);
      assert.notDeepEqual(await readFile(file), bytes, what);
    }
  });

  it('answers where nothing can be kept', async () => {
    await rm(kept(), { recursive: true, force: true });
    await mkdir(join(kept(), '..'), { recursive: true });
    await writeFile(kept(), 'a file in the place of the folder');
    assert.equal(decisionOf(await guard(call('git push'))), 'deny');
    await rm(kept());
  });

  it('denies garbage, nothing, and missing arguments', async () => {
    for (const input of ['garbage', '', '{']) assert.equal(decisionOf(await guard(input)), 'deny', input);
    assert.equal(decisionOf(await guard(call('ls'), ['bash-guard'])), 'deny');
    assert.equal(decisionOf(await guard(call('ls'), ['file-guard'])), 'deny');
  });

  it('does not wait for the end of an input that is whole', async () => {
    const child = spawn(process.execPath, [hookProgram, 'bash-guard', worktree, 'feat'], {
      cwd: worktree,
      env: home.variables,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.write(call('git push'));
    assert.equal(await new Promise((ended) => child.once('close', ended)), 0);
    assert.match(Buffer.concat(chunks).toString(), /"permissionDecision":"deny"/);
  });

  it('takes an input that comes in pieces and is longer than a pipe holds', async () => {
    const long = call(`cat > notes.md <<'EOF'\n${'run `git push` now }\n'.repeat(10_000)}EOF\ngit push`);
    assert.equal(decisionOf(await guard(long)), 'deny');
  });

  it('ends with 2 and a sentence when its answer cannot be written', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'only Linux has /dev/full');
    const script = join(home.root, 'full.sh');
    await writeFile(script, `exec '${process.execPath}' '${hookProgram}' bash-guard '${worktree}' feat > /dev/full\n`);
    await chmod(script, 0o755);
    const ran = await spawnAndWait('/bin/sh', [script], worktree, home.variables, { input: call('git push') });
    assert.deepEqual([ran.code, ran.stdout], [2, '']);
    assert.match(ran.stderr, /^The action was blocked, because its guard could not answer: .*no space/);
  });
});
