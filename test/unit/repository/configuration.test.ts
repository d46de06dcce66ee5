import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem } from '../../../src/core/base/problem.ts';
import { readConfiguration, type Configuration } from '../../../src/core/repository/configuration.ts';

describe('the configuration file', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'wt-test-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function read(text: string): Promise<Configuration> {
    await writeFile(join(root, '.worktrees.yml'), text);
    return readConfiguration(root);
  }

  /** Asserts that a text is refused, naming file and line. */
  async function refuses(text: string, line: number, words: RegExp): Promise<Problem> {
    return read(text).then(
      () => assert.fail(`accepted: ${text}`),
      (thrown: Problem) => {
        assert.equal(thrown.reason, 'unreadable-file');
        assert.equal(thrown.file, join(root, '.worktrees.yml'));
        assert.equal(thrown.line, line, thrown.message);
        assert.match(thrown.message, words);
        assert.ok(thrown.next);
        return thrown;
      },
    );
  }

  it('is not needed: everything has a default', async () => {
    const configuration = await readConfiguration(root);
    assert.equal(configuration.worktree.locationPattern, '.worktrees/{slug}');
    assert.equal(configuration.worktree.branchPattern, '{name}');
    assert.equal(configuration.worktree.permissions, undefined);
    assert.deepEqual(configuration.worktree.copy, ['.env*']);
    assert.equal(configuration.setup, undefined);
    assert.equal(configuration.session.session, 'agents/session.md');
    assert.equal(configuration.ignore, 'exclude');
    assert.equal(configuration.compose, undefined);
    assert.equal(configuration.trackingFile, undefined);
  });

  it('says how much of what git ignores is kept of a removed worktree', async () => {
    assert.equal((await read('')).cleanup.keepIgnored, 20_000_000);
    assert.equal((await read('cleanup: { keep_ignored: 1.5 MB }\n')).cleanup.keepIgnored, 1_500_000);
    assert.equal((await read('cleanup:\n  keep_ignored: 0\n')).cleanup.keepIgnored, 0);
    await refuses('cleanup:\n  keep_ignored: much\n', 2, /keep_ignored/);
    await refuses('cleanup:\n  keep_ignored: -3\n', 2, /keep_ignored/);
  });

  const badPorts: readonly (readonly [text: string, line: number, said: RegExp])[] = [
    ['ports:\n  range: many\n', 2, /`ports\.range` must match/],
    ['ports:\n  each: 2\n  range: 80-1100\n', 3, /`ports\.range` must lie between 1024 and 65535/],
    ['ports: { range: 60000-70000 }\n', 1, /between 1024 and 65535/],
    ['ports: { range: 3000-2000 }\n', 1, /must begin with its smaller number/],
    ['ports: { range: 3000-3001, each: 3 }\n', 1, /has no room for 3 ports/],
    ['ports:\n  each: 0\n', 2, /`ports\.each` must be/],
    ['ports: {}\nurls:\n  app: localhost\n', 3, /`urls\.app` must match/],
    ['ports: {}\nurls:\n  app: "file:///{port}"\n', 3, /`urls\.app` must match/],
    ['ports: {}\nurls:\n  app: "http://a/{prot}"\n', 3, /`urls\.app` uses \{prot\}, which is not known there/],
    ['ports: { each: 1 }\nurls:\n  app: "http://a:{port_2}"\n', 3, /uses \{port_2\}, but each worktree gets 1 port/],
    ['urls:\n  app: "http://a:{port}"\n', 2, /uses \{port\}, but no `ports` are configured/],
  ];
  for (const [text, line, said] of badPorts)
    it(`refuses ${JSON.stringify(text)} with the line and a next step`, async () => {
      assert.ok((await refuses(text, line, said)).next);
    });

  it('has no ports without being asked, and its own defaults where it is', async () => {
    assert.equal((await read('ports:\n')).ports, undefined);
    assert.deepEqual((await read('ports: {}\n')).ports, { from: 20_000, to: 29_999, each: 3 });
  });

  it('may be empty, hold only comments, or leave a section empty', async () => {
    const defaults = await readConfiguration(root);
    for (const text of ['', '# nothing yet\n', 'worktree:\nstack:\n', '{}'])
      assert.deepEqual(await read(text), defaults, text);
  });

  it('is read whole, as the specification shows it', async () => {
    const configuration = await read(`worktree:
  location_pattern: ".worktrees/{work_id}"
  branch_pattern: "feature/{work_id}"
  strategy: subdirectory
  create_parent: false
  permissions: "0750"
  auto_create: never
  auto_cleanup: false
  copy: [".env*", "config/*.local.yml"]
  share: [node_modules, { path: /data, how: link }]
setup: ["uv sync", "direnv allow"]
checks: just precommit
session: { session: notes/session.md }
merge: { source_conflicts: checks, message_prefix: "" }
stack: { trunk: develop, remote: upstream, after_rebase: refuse }
compose: { project_pattern: "{project}_{slug}" }
ports: { range: 21000-21999, each: 2 }
urls: { app: "http://localhost:{port_2}/{branch}" }
hooks: { timeout: 5m, after_create: npm run seed, before_remove: [{ run: docker compose down, timeout: 90 }] }
ignore: gitignore
tracking_file: .fractary/faber/worktrees.json
`);
    assert.deepEqual(configuration, {
      worktree: {
        locationPattern: '.worktrees/{work_id}',
        branchPattern: 'feature/{work_id}',
        strategy: 'subdirectory',
        createParent: false,
        permissions: 0o750,
        autoCreate: 'never',
        autoCleanup: false,
        copy: ['.env*', 'config/*.local.yml'],
        share: [
          { pattern: 'node_modules', method: undefined },
          { pattern: '/data', method: 'link' },
        ],
      },
      reclaim: [],
      setup: ['uv sync', 'direnv allow'],
      checks: 'just precommit',
      checkTasks: false,
      session: { session: 'notes/session.md', learnings: 'agents/learnings.md', jobs: 'agents/jobs.md' },
      cleanup: { keepIgnored: 20_000_000 },
      merge: { sourceConflicts: 'checks', messagePrefix: '' },
      stack: { trunk: 'develop', remote: 'upstream', afterRebase: 'refuse' },
      compose: { projectPattern: '{project}_{slug}' },
      hooks: {
        after_create: [{ run: 'npm run seed', timeout: 300_000, background: false }],
        before_merge: [],
        after_merge: [],
        before_remove: [{ run: 'docker compose down', timeout: 90_000, background: false }],
        after_remove: [],
        after_switch: [],
      },
      ports: { from: 21_000, to: 21_999, each: 2 },
      urls: { app: 'http://localhost:{port_2}/{branch}' },
      ignore: 'gitignore',
      trackingFile: '.fractary/faber/worktrees.json',
    });
  });

  it('puts worktrees beside the repository for the sibling strategy', async () => {
    assert.equal((await read('worktree: { strategy: sibling }\n')).worktree.locationPattern, '../{project}-{slug}');
  });

  it('may begin with a byte order mark and have lines that end as on Windows', async () => {
    assert.equal((await read('\uFEFFstack:\r\n  trunk: develop\r\n')).stack.trunk, 'develop');
  });

  it('that is no YAML is refused with its line', async () => {
    await refuses('# tabs\nstack:\n\ttrunk: x\n', 3, /\.worktrees\.yml, line 3: .*[Tt]ab/);
    await refuses('stack: {}\nstack: {}\n', 2, /unique/);
    await refuses('stack: { trunk: x }\nsetup: ["a" "b"]\n', 2, /line 2/);
  });

  it('with a key that is not known is refused with its line, and all others are named', async () => {
    const problem = await refuses(
      'worktree:\n  location_pattern: x/{slug}\n  locaton: y\nsetup: npm ci\n',
      3,
      /`worktree\.locaton` is not a known key/,
    );
    assert.deepEqual(problem.items, ['line 4: `setup` must be an array']);
  });

  it('with a value of the wrong kind is refused with its line', async () => {
    await refuses('worktree:\n  permissions: "rwx"\n', 2, /worktree\.permissions/);
    await refuses('worktree:\n  strategy: elsewhere\n', 2, /must be one of subdirectory, sibling/);
    await refuses('setup:\n  - npm ci\n  - 7\n', 3, /`setup\.1` must be a string/);
    await refuses('- a\n- b\n', 1, /must be an object/);
    await refuses('just text\n', 1, /object/);
  });

  it('with the octal mode written as a number is understood', async () => {
    assert.equal((await read('worktree: { permissions: "755" }\n')).worktree.permissions, 0o755);
    await refuses('worktree:\n  permissions: 0755\n', 2, /permissions.*string/);
  });

  it('that is not text, or a folder, is refused and named', async () => {
    await writeFile(join(root, '.worktrees.yml'), Buffer.from([0x73, 0xff, 0xfe]));
    await assert.rejects(readConfiguration(root), { reason: 'unreadable-file', message: /not UTF-8/ });
  });

  it('that would blow up through aliases is refused', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 9; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    await assert.rejects(read(`${lines.join('\n')}\n`), { reason: 'unreadable-file' });
  });
});
