import assert from 'node:assert/strict';
import { chmod, open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../../src/core/base/process.ts';
import { runInShell } from '../../../src/core/base/shell.ts';
import { runCommand } from '../../../src/core/exec/runCommand.ts';
import { Git } from '../../../src/core/git/git.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

/** Linux starts no program that somebody has open to write it, as an update of it does for a moment; other systems do. */
describe('a program that is just being replaced', () => {
  let home: TestHome;
  let program: string;
  let writer: FileHandle;

  beforeEach(async () => {
    home = await testHome();
    program = join(home.root, 'bash');
    await writeFile(program, '#!/bin/sh\nexec "$REALLY" "$@"\n');
    await chmod(program, 0o755);
    writer = await open(program, 'r+');
  });
  afterEach(async () => {
    await writer.close();
    await home.dispose();
  });

  /** What runs the program, and lets go of it only when it was refused once. */
  async function refusedOnce<T>(run: () => Promise<T>): Promise<T> {
    const running = run();
    await writer.close();
    return running;
  }

  /** A git that lets go of its program when it tells of its first process: that one has been refused then, or is about to be. */
  function gitThatLetsGo(): Git {
    const environment = testEnvironment(home, home.root, { REALLY: 'git' });
    const log = { ...environment.log, debug: () => void writer.close() };
    return new Git({ ...environment, log }, { binary: program });
  }

  it('is started again as git, whether it runs, gives bytes or is spoken with', async () => {
    const at = { cwd: home.root };
    const git = gitThatLetsGo();
    assert.match(await git.text(['version'], at), /^git version /);
    writer = await open(program, 'r+');
    assert.match((await git.bytes(['version'], at)).toString(), /^git version /);
    writer = await open(program, 'r+');
    const line = await git.converse(['version'], at, (talk) => talk.line());
    assert.match(line ?? '', /^git version /);
  });

  it('is told of as git where it stays so', async () => {
    const environment = testEnvironment(home, home.root, { REALLY: 'git' });
    const git = new Git(environment, { binary: program });
    const refusal = await git.run(['version'], { cwd: home.root }).then(
      () => 'started',
      (thrown: Error) => thrown.message,
    );
    if (process.platform === 'linux') assert.match(refusal, /could not be started/);
    else assert.equal(refusal, 'started');
  });

  it('is started again as any other program', async () => {
    const variables = { ...home.variables, REALLY: 'echo' };
    const answer = await refusedOnce(() => runProgram(program, ['here'], { variables, timeout: 20_000 }));
    assert.deepEqual(answer, { stdout: 'here\n', stderr: '', failure: undefined });
  });

  it('is started again as the shell of a hook', async () => {
    const environment = testEnvironment(home, home.root, { REALLY: '/bin/sh', SHELL: program });
    const answer = await refusedOnce(() => runInShell(environment, 'echo here', { cwd: home.root }));
    assert.deepEqual(answer, { exitCode: 0, lastLines: ['here'] });
  });

  it('is started again as a command in a worktree, and gets the signal that came before it ran', async () => {
    const environment = testEnvironment(home, home.root, { REALLY: '/bin/sh' });
    const worktree = { name: 'feat', path: home.root };
    const start = (command: string) =>
      runCommand(environment, worktree, { command: [program, '-c', command], streams: 'pipes', atTerminal: false });
    const ran = await refusedOnce(() => start('exit 7').ended);
    assert.deepEqual([ran.exitCode, ran.problem], [7, undefined]);
    writer = await open(program, 'r+');
    const ended = await refusedOnce(() => {
      const running = start('sleep 60');
      running.signal('SIGTERM');
      return running.ended;
    });
    assert.equal(ended.signal, 'SIGTERM');
  });
});
