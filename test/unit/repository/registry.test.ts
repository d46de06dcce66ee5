import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import type { Problem } from '../../../src/core/base/problem.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';
import {
  readRegistry,
  registryFile,
  updateRegistry,
  type RegistryEntry,
} from '../../../src/core/repository/registry.ts';

const environment = environmentOf(process);
const entry: RegistryEntry = { path: resolve('/a/.worktrees/x'), branch: 'x', base: 'main', pr: null };

describe('the registry', () => {
  let repository: Repository;
  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'wt-test-'));
    repository = { mainRoot: root, commonDir: join(root, '.git'), bare: false, name: 'project' };
  });
  afterEach(() => rm(repository.mainRoot, { recursive: true }));

  async function write(text: string): Promise<void> {
    await mkdir(dirname(registryFile(repository)), { recursive: true });
    await writeFile(registryFile(repository), text);
  }
  const raw = async (): Promise<unknown> => JSON.parse(await readFile(registryFile(repository), 'utf8'));
  const put = (name: string, value: RegistryEntry = entry): Promise<void> =>
    updateRegistry(environment, repository, ({ worktrees }) => void worktrees.set(name, value));

  it('is empty where there is no file', async () => {
    assert.deepEqual(await readRegistry(repository), { revision: 0, worktrees: new Map(), ports: new Map() });
  });

  it("has seed 002's format, with a version and a revision", async () => {
    await put('x');
    assert.deepEqual(await raw(), { version: 1, revision: 1, worktrees: { x: entry } });
    await put('y', { ...entry, pr: { number: 1235, url: 'https://github.com/org/repo/pull/1235' } });
    assert.equal((await readRegistry(repository)).revision, 2);
  });

  it('reads a file as seed 002 has it', async () => {
    await write('{"worktrees": {"branch-a": {"path": "/abs/a", "branch": "branch-a", "base": "main", "pr": null}}}');
    assert.deepEqual([...(await readRegistry(repository)).worktrees.keys()], ['branch-a']);
  });

  it('keeps keys that it does not know, in the file and in entries', async () => {
    await write(JSON.stringify({ theirs: [1], worktrees: { x: { ...entry, mood: 'good' } } }));
    await put('y');
    assert.deepEqual(await raw(), {
      theirs: [1],
      worktrees: { x: { ...entry, mood: 'good' }, y: entry },
      version: 1,
      revision: 1,
    });
  });

  it('takes names that JavaScript has a use for as names', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) await put(name);
    const names = [...(await readRegistry(repository)).worktrees.keys()];
    assert.deepEqual(names, ['__proto__', 'constructor', 'toString']);
    assert.equal(({} as { path?: string }).path, undefined);
  });

  it('is not written when a change leaves it as it was', async () => {
    await put('x');
    const before = await stat(registryFile(repository));
    await put('x');
    assert.equal((await stat(registryFile(repository))).ino, before.ino);
    assert.equal((await readRegistry(repository)).revision, 1);
  });

  it('gives on what a change gives, and stays as it was when the change fails', async () => {
    await put('x');
    assert.equal(await updateRegistry(environment, repository, ({ worktrees }) => worktrees.size), 1);
    const failing = updateRegistry(environment, repository, ({ worktrees }) => {
      worktrees.clear();
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.equal((await readRegistry(repository)).worktrees.size, 1);
    assert.deepEqual(await readdir(dirname(registryFile(repository))), ['stack.json'], 'no lock is left');
  });

  it('loses none of fifty updates at once', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => put(`w${index}`)));
    const registry = await readRegistry(repository);
    assert.equal(registry.worktrees.size, 50);
    assert.equal(registry.revision, 50);
  });

  it('holds two thousand worktrees', async () => {
    await updateRegistry(environment, repository, ({ worktrees }) => {
      for (let index = 0; index < 2000; index++) worktrees.set(`w${index}`, entry);
    });
    assert.equal((await readRegistry(repository)).worktrees.size, 2000);
  });

  it('that is damaged is refused with its line, never overwritten', async () => {
    const cases: [text: string, line: number, words: RegExp][] = [
      ['', 1, /not valid JSON/],
      ['{\n  "worktrees": {\n    "x": {', 3, /not valid JSON/],
      ['{\n  "worktrees": {},\n}\n', 3, /not valid JSON/],
      ['[]', 1, /not a JSON object/],
      ['{"worktrees": []}', 1, /`worktrees` is not an object/],
      ['{"worktrees": {"x": 7}}', 1, /the entry of "x" is not an object/],
      ['{"worktrees": {"x": {"path": "/a", "branch": "x"}}}', 1, /the entry of "x" has no base/],
      ['{"version": 2, "worktrees": {}}', 1, /later version/],
    ];
    for (const [text, line, words] of cases) {
      await write(text);
      for (const act of [() => readRegistry(repository), () => put('y')]) {
        await assert.rejects(act, (thrown: Problem) => {
          assert.equal(thrown.reason, 'unreadable-file', thrown.message);
          assert.equal(thrown.line, line, text);
          assert.match(thrown.message, words);
          assert.ok(thrown.next);
          return true;
        });
      }
      assert.equal(await readFile(registryFile(repository), 'utf8'), text);
    }
  });

  it('with a byte order mark and Windows line ends is read, and keeps them', async () => {
    await write(`\uFEFF${JSON.stringify({ worktrees: { x: entry } }, null, 2).replaceAll('\n', '\r\n')}`);
    assert.equal((await readRegistry(repository)).worktrees.size, 1);
    await put('y');
    const text = await readFile(registryFile(repository), 'utf8');
    assert.match(text, /^\uFEFF\{\r\n/);
    assert.doesNotMatch(text, /(?<!\r)\n/);
    assert.deepEqual([...(await readRegistry(repository)).worktrees.keys()], ['x', 'y']);
  });

  it('keeps what a program without our lock writes while it is being changed', async () => {
    await put('x');
    const file = registryFile(repository);
    const byHand = (note: string): string => JSON.stringify({ worktrees: { x: { ...entry, note } } });
    const writers: readonly ((note: string) => void)[] = [
      (note) => writeFileSync(file, byHand(note)),
      (note) => {
        writeFileSync(`${file}.theirs`, byHand(note));
        renameSync(`${file}.theirs`, file);
      },
    ];
    for (const [index, writeByHand] of writers.entries()) {
      const note = `by hand ${index}`;
      let calls = 0;
      await updateRegistry(environment, repository, ({ worktrees }) => {
        worktrees.set('y', { ...entry, branch: `y${index}` });
        if (calls++ === 0) writeByHand(note);
      });
      assert.equal(calls, 2, 'the change is made again, to the text that was written by hand');
      const { worktrees } = await readRegistry(repository);
      assert.equal(worktrees.get('x')?.['note'], note);
      assert.equal(worktrees.get('y')?.branch, `y${index}`);
    }
    assert.deepEqual(await readdir(dirname(file)), ['stack.json']);
  });

  it('says so when a program without our lock never stops writing, and leaves its text', async () => {
    await put('x');
    let count = 0;
    const busy = updateRegistry(environment, repository, ({ worktrees }) => {
      worktrees.set('y', entry);
      writeFileSync(registryFile(repository), JSON.stringify({ worktrees: { x: { ...entry, count: ++count } } }));
    });
    await assert.rejects(
      busy,
      (problem: Problem) => problem.reason === 'not-writable' && problem.outcome === 'incomplete',
    );
    const { worktrees } = await readRegistry(repository);
    assert.deepEqual([worktrees.get('x')?.['count'], worktrees.has('y')], [count, false]);
  });
});
