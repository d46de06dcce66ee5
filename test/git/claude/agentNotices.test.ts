import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentOf, type Environment } from '../../../src/core/base/environment.ts';
import {
  claimNotices,
  markReviewed,
  muteNotices,
  readNotices,
  type Notice,
} from '../../../src/core/claude/agentNotices.ts';
import { bundled } from '../../support/bundled.ts';

describe('notices of agents', () => {
  let root: string;
  let file: string;
  const environment: Environment = { ...environmentOf(process), variables: {} };
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'wt-notices-')));
    file = join(root, 'worktree-stacks', 'agent-notices.json');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const notice = (key: string, from?: string, until = from): Notice => ({ key, from, until });
  const claim = async (wanted: readonly Notice[], over?: readonly string[]): Promise<string[]> =>
    (await claimNotices(environment, root, wanted, over)).map(({ key }) => key);

  it('are claimed once for each wait, whatever else is reported of the same one', async () => {
    assert.deepEqual(await claim([notice('a', '01'), notice('b', '01')]), ['a', 'b']);
    assert.deepEqual(await claim([notice('a', '01'), notice('b', '01')]), []);
    assert.deepEqual(await claim([notice('a', '01', '02')]), [], 'the same wait, of which more is known');
    assert.deepEqual(await claim([notice('a', '02')]), [], 'that part of it belongs to what was claimed');
    assert.deepEqual(await claim([notice('a', '03')]), ['a'], 'the next wait');
  });

  it('of waits without a time are claimed again only after somebody has seen that the one before is over', async () => {
    assert.deepEqual(await claim([notice('a')]), ['a']);
    assert.deepEqual(await claim([notice('a')]), []);
    assert.deepEqual(await claim([], ['a', 'never-seen']), []);
    assert.deepEqual(await claim([notice('a')]), ['a']);
    assert.deepEqual(await claim([notice('b', '01')], ['b']), ['b']);
    assert.deepEqual(await claim([notice('b', '01')], ['b']), [], 'a time tells two waits apart');
  });

  it('are claimed by one of several windows that ask at the same time', async () => {
    const program = bundled(new URL('../../support/claimNotices.ts', import.meta.url));
    const keys = Array.from({ length: 6 }, (_, index) => `wait ${index}`);
    const windows = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, [program, root, ...keys]));
    const claimed = (await Promise.all(windows)).flatMap(({ stdout }) => stdout.split('\n').filter(Boolean));
    assert.deepEqual(claimed.sort(), keys);
  });

  it('write nothing where there is nothing to claim', async () => {
    await claim([notice('a', '01')]);
    const before = await readFile(file, 'utf8');
    await writeFile(file, `${before} `);
    await claim([notice('a', '01')], ['a', 'b']);
    assert.equal(await readFile(file, 'utf8'), `${before} `);
  });

  it('remember who is muted and what was reviewed, beside what was claimed', async () => {
    await claim([notice('a', '01')]);
    await muteNotices(environment, root, '__proto__');
    await markReviewed(environment, root, 'payment-form', '02');
    const { muted, reviewed } = await readNotices(root);
    assert.deepEqual([[...muted], [...reviewed]], [['__proto__'], [['payment-form', '02']]]);
    assert.deepEqual(await claim([notice('a', '01')]), []);
  });

  it('forget what is a month old', async () => {
    const then: Environment = { ...environment, now: () => new Date(Date.now() - 31 * 24 * 60 * 60_000) };
    await muteNotices(then, root, 'old');
    await muteNotices(environment, root, 'new');
    assert.deepEqual([...(await readNotices(root)).muted], ['new']);
  });

  it('begin anew where their file cannot be read', async () => {
    await mkdir(join(root, 'worktree-stacks'));
    for (const text of ['', '{', '[]', '{"told":{"a":7,"b":{"at":1}},"muted":[],"reviewed":"x"}']) {
      await writeFile(file, text);
      assert.deepEqual(await readNotices(root), { muted: new Set(), reviewed: new Map() });
      assert.deepEqual(await claim([notice('a', '01')]), ['a'], text);
    }
  });
});
