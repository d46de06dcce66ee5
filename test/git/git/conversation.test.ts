import assert from 'node:assert/strict';
import { Git } from '../../../src/core/git/git.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

describe('a conversation with git', () => {
  let home: TestHome;
  let repository: TestRepository;
  let git: Git;

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    git = new Git(testEnvironment(home, repository.root, { GIT_DIR: '/nowhere' }));
  });
  afterEach(() => home.dispose());

  it('answers one line after the other, in the clean environment of every other command', async () => {
    const head = await repository.git('rev-parse', 'HEAD');
    const answers = await git.converse(['cat-file', '--batch-check'], { cwd: repository.root }, async (talk) => {
      talk.say('HEAD\n');
      const first = await talk.line();
      talk.say('nothing\n');
      return [first?.slice(0, 47), await talk.line(), (await talk.end()).exitCode];
    });
    assert.deepEqual(answers, [`${head} commit`, 'nothing missing', 0]);
  });

  it('reads lines that arrive in pieces or many at once', async () => {
    const names = Array.from({ length: 3000 }, (_, number) => `nothing-${'x'.repeat(number % 90)}-${number}`);
    const expectReply = await git.converse(['cat-file', '--batch-check'], { cwd: repository.root }, async (talk) => {
      talk.say(names.map((name) => `${name}\n`).join(''));
      const lines: (string | undefined)[] = [];
      for (let left = names.length; left > 0; left--) lines.push(await talk.line());
      return lines;
    });
    assert.deepEqual(
      expectReply,
      names.map((name) => `${name} missing`),
    );
  });

  it('ends with git, and then says why', async () => {
    const answer = await git.converse(
      ['update-ref', '--stdin'],
      { cwd: repository.root, writes: true },
      async (talk) => {
        talk.say('nonsense\n');
        assert.equal(await talk.line(), undefined);
        talk.say('more\n');
        return talk.end();
      },
    );
    assert.equal(answer.exitCode, 128);
    assert.match(answer.stderr, /unknown command: nonsense/);
  });

  it('that is left in the middle of a transaction changes nothing and leaves no lock', async () => {
    const head = await repository.git('rev-parse', 'HEAD');
    await assert.rejects(
      git.converse(['update-ref', '--stdin'], { cwd: repository.root, writes: true }, async (talk) => {
        talk.say(`start\ncreate refs/heads/x ${head}\nprepare\n`);
        assert.equal(await talk.line(), 'start: ok');
        assert.equal(await talk.line(), 'prepare: ok');
        throw new Error('something else went wrong');
      }),
      /something else/,
    );
    assert.equal(await repository.git('branch', '--list', 'x'), '');
    await repository.git('branch', 'x');
  });

  it('can be called off', async () => {
    const stop = new AbortController();
    const talking = git.converse(
      ['cat-file', '--batch-check'],
      { cwd: repository.root, signal: stop.signal },
      async (talk) => {
        stop.abort();
        return talk.line();
      },
    );
    await assert.rejects(
      talking.then((line) => {
        if (line === undefined) throw new Error('ended');
      }),
    );
    await assert.rejects(
      git.converse(['version'], { cwd: repository.root, signal: stop.signal }, (talk) => talk.line()),
      { reason: 'cancelled' },
    );
  });

  it('with a git that is not there is a problem', async () => {
    const none = new Git(testEnvironment(home, repository.root), { binary: '/nowhere/git' });
    await assert.rejects(
      none.converse(['version'], { cwd: repository.root }, (talk) => talk.end()),
      { reason: 'no-git' },
    );
  });
});
