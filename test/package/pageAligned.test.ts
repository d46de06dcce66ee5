import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alignPrograms, pageAligned } from '../../scripts/lib/pageAligned.mjs';

const signature = 0x80;
const optional = signature + 24;
const firstSection = optional + 240;
const [text, empty, data] = [0, 1, 2].map((index) => firstSection + 40 * index) as [number, number, number];

/** A program of two parts and an empty one, as a linker lays it out, with symbols behind it. */
function program(): Buffer {
  const bytes = Buffer.alloc(0xa10);
  bytes.write('MZ');
  bytes.writeUInt32LE(signature, 0x3c);
  bytes.write('PE\0\0', signature);
  bytes.writeUInt16LE(3, signature + 6);
  bytes.writeUInt32LE(0xa00, signature + 12);
  bytes.writeUInt32LE(7, signature + 16);
  bytes.writeUInt16LE(240, signature + 20);
  bytes.writeUInt32LE(0x200, optional + 36);
  bytes.writeUInt32LE(0xa00, optional + 144);
  for (const [section, size, from] of [
    [text, 0x200, 0x400],
    [empty, 0, 0],
    [data, 0x400, 0x600],
  ] as const) {
    bytes.writeUInt32LE(size, section + 16);
    bytes.writeUInt32LE(from, section + 20);
  }
  bytes.fill('t', 0x400, 0x600);
  bytes.fill('d', 0x600, 0xa00);
  return bytes;
}

describe('a Windows program that Wine can map', () => {
  it('has each part whole, at a page of the file, and only zeros between them', () => {
    const aligned = pageAligned(program());
    const parts = [text, data].map((section) => {
      const [size, from] = [aligned.readUInt32LE(section + 16), aligned.readUInt32LE(section + 20)];
      return [from, aligned.toString('latin1', from, from + size)];
    });
    assert.deepEqual(parts, [
      [0x1000, 't'.repeat(0x200)],
      [0x2000, 'd'.repeat(0x400)],
    ]);
    assert.equal(aligned.length, 0x3000);
    for (const [from, to] of [
      [0x400, 0x1000],
      [0x1200, 0x2000],
      [0x2400, 0x3000],
    ] as const)
      assert.ok(aligned.subarray(from, to).every((byte) => byte === 0));
  });

  it('says so in its headers, names neither symbols nor a signature, and is otherwise the same', () => {
    const before = program();
    const aligned = pageAligned(before);
    assert.equal(aligned.readUInt32LE(optional + 36), 0x1000);
    for (const [at, length] of [
      [signature + 12, 8],
      [optional + 144, 8],
    ] as const)
      assert.ok(aligned.subarray(at, at + length).every((byte) => byte === 0));
    assert.equal(aligned.readUInt32LE(empty + 20), 0);
    const same = (bytes: Buffer): Buffer => {
      const headers = Buffer.from(bytes.subarray(0, 0x400));
      for (const [at, length] of [
        [signature + 12, 8],
        [optional + 36, 4],
        [optional + 144, 8],
        [text + 20, 4],
        [data + 20, 4],
      ] as const)
        headers.fill(0, at, at + length);
      return headers;
    };
    assert.deepEqual(same(aligned), same(before));
  });

  it('takes the place of the one that was installed, once, and nothing else in its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wt-programs-'));
    try {
      await writeFile(join(folder, 'git.exe'), program());
      await writeFile(join(folder, 'zlib1.dll'), program());
      await writeFile(join(folder, 'notes.txt'), 'notes');
      await alignPrograms(folder);
      for (const name of ['git.exe', 'zlib1.dll'])
        assert.deepEqual(await readFile(join(folder, name)), pageAligned(program()));
      assert.equal(await readFile(join(folder, 'notes.txt'), 'utf8'), 'notes');
      const { ino } = await stat(join(folder, 'git.exe'));
      await alignPrograms(folder);
      assert.equal((await stat(join(folder, 'git.exe'))).ino, ino);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
