import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { skipBecause } from '../../support/skip.ts';
import { Creations } from '../../support/creations.ts';

/** A server of LFS objects that counts what is downloaded. */
class LfsServer {
  readonly downloads: string[] = [];
  readonly #objects = new Map<string, Buffer>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url = '' } = request;
        const oid = url.split('/').at(-1) ?? '';
        if (url.endsWith('/objects/batch')) {
          response.setHeader('Content-Type', 'application/vnd.git-lfs+json');
          response.end(JSON.stringify(this.#batch(Buffer.concat(chunks).toString())));
        } else if (method === 'GET' && this.#objects.has(oid)) {
          this.downloads.push(oid);
          response.end(this.#objects.get(oid));
        } else response.writeHead(404).end('{}');
      });
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Keeps an object; the text of its pointer. */
  add(content: string): string {
    const bytes = Buffer.from(content);
    const oid = createHash('sha256').update(bytes).digest('hex');
    this.#objects.set(oid, bytes);
    return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${bytes.length}\n`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #batch(text: string): unknown {
    const { objects } = JSON.parse(text) as { objects: { oid: string; size: number }[] };
    const href = (oid: string): string => `${this.url}/object/${oid}`;
    return {
      transfer: 'basic',
      objects: objects.map(({ oid, size }) => ({ oid, size, actions: { download: { href: href(oid) } } })),
    };
  }
}

function hasLfs(): boolean {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('objects of Git LFS', () => {
  const isThere = hasLfs();
  let at: Creations;
  let server: LfsServer;
  beforeEach(async function () {
    if (!isThere) skipBecause(this, 'git-lfs is not installed');
    server = new LfsServer();
    await server.start();
    at = await Creations.start();
    const set = (key: string, value: string): Promise<string> => at.repository.git('config', key, value);
    // What `git lfs install --local` writes, without its hooks.
    await set('filter.lfs.clean', 'git-lfs clean -- %f');
    await set('filter.lfs.smudge', 'git-lfs smudge -- %f');
    await set('filter.lfs.process', 'git-lfs filter-process');
    await set('filter.lfs.required', 'true');
    await set('lfs.url', server.url);
  });
  afterEach(async () => {
    if (!isThere) return;
    server.stop();
    await at.dispose();
  });

  /** Commits a pointer as somebody else would have pushed it: nobody here has the object. */
  const commitPointer = async (content: string): Promise<void> => {
    const { repository } = at;
    await repository.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    await repository.write('a.bin', server.add(content));
    const skip = ['-c', 'filter.lfs.clean=', '-c', 'filter.lfs.process=', '-c', 'filter.lfs.required=false'];
    await repository.git(...skip, 'add', '.');
    await repository.git('commit', '--quiet', '-m', 'Object');
    await rm(join(repository.root, 'a.bin'));
  };

  for (const storage of [undefined, 'shared-objects']) {
    const where = storage === undefined ? 'in the git directory' : 'where lfs.storage says';
    it(`are downloaded once for all worktrees, and kept ${where}`, async () => {
      if (storage !== undefined) await at.repository.git('config', 'lfs.storage', storage);
      await commitPointer('large\n');
      for (const name of ['one', 'two', 'three']) {
        const created = await at.create(name);
        assert.equal(await readFile(join(created.path, 'a.bin'), 'utf8'), 'large\n');
        assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
        assert.deepEqual(created.warnings, []);
      }
      assert.equal(server.downloads.length, 1);
      await at.repository.git('checkout', '--', 'a.bin');
      assert.equal(server.downloads.length, 1, 'the main working tree has it as well');
    });
  }
});
