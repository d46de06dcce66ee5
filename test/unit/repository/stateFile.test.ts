import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import type { Problem } from '../../../src/core/base/problem.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';
import {
  clearActive,
  formatStateFile,
  parseStateFile,
  readActive,
  replaceActive,
  stateFile,
  writeActive,
  type ActiveWorktree,
} from '../../../src/core/repository/stateFile.ts';
import { onlyWhere, reasons } from '../../support/systems.ts';

const environment = environmentOf(process);
const active: ActiveWorktree = { path: '/a/.worktrees/feat-auth', branch: 'feat/auth', created: '2026-02-13' };

describe('the state file', () => {
  let repository: Repository;
  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'wt-test-'));
    repository = { mainRoot: root, commonDir: join(root, '.git'), bare: false, name: 'project' };
  });
  afterEach(() => rm(repository.mainRoot, { recursive: true }));

  it('has the fields of seed 000, in its order', async () => {
    assert.equal(
      await formatStateFile({ ...active, composeProject: 'gm-wt1' }),
      '---\nactive_worktree: /a/.worktrees/feat-auth\nbranch: feat/auth\ncompose_project: gm-wt1\ncreated: 2026-02-13\n---\nActive worktree session. Managed by Worktree Stacks.\n',
    );
    assert.doesNotMatch(await formatStateFile(active), /compose_project/);
  });

  it('is read as the seed writes it, also with Windows line ends and a byte order mark', async () => {
    const text =
      '\uFEFF---\r\nactive_worktree: /a/.worktrees/feat-auth\r\nbranch: feat/auth\r\ncreated: 2026-02-13\r\n---\r\nText.\r\n';
    await mkdir(dirname(stateFile(repository)), { recursive: true });
    await writeFile(stateFile(repository), text);
    assert.deepEqual(await readActive(repository), active);
    // What is written over it ends its lines in the same way.
    const next = { ...active, branch: 'feat/next' };
    for (const change of [
      () => writeActive(environment, repository, next),
      () => replaceActive(environment, repository, next, active),
    ]) {
      await change();
      const now = await readFile(stateFile(repository), 'utf8');
      assert.match(now, /^\uFEFF---\r\n/);
      assert.doesNotMatch(now, /(?<!\r)\n/);
    }
    assert.deepEqual(await readActive(repository), active);
  });

  it('gives back every path and branch that was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.string({ minLength: 1 }),
        async (path, branch, composeProject) => {
          const written = { path, branch, composeProject, created: '2026-02-13T10:00:00.000Z' };
          assert.deepEqual(await parseStateFile(await formatStateFile(written), 'f'), written);
        },
      ),
    );
  });

  it('that is damaged is refused with its line, whatever the damage', async () => {
    const cases: [text: string, line: number, words: RegExp][] = [
      ['', 1, /front matter/],
      ['active_worktree: /a\n', 1, /front matter/],
      ['---\nactive_worktree: /a\n', 1, /front matter/],
      ['---\nbranch: x\n---\n', 2, /`active_worktree` is missing/],
      ['---\nactive_worktree: 7\n---\n', 2, /`active_worktree` is missing/],
      ['---\nbranch: x\nactive_worktree: [\n---\n', 3, /line 3/],
      ['---\n- a\n---\n', 2, /missing/],
    ];
    for (const [text, line, words] of cases) {
      await assert.rejects(
        () => parseStateFile(text, '/p/state.md'),
        (thrown: Problem) => {
          assert.equal(thrown.reason, 'unreadable-file');
          assert.equal(thrown.line, line, JSON.stringify(text));
          assert.match(thrown.message, words);
          assert.match(thrown.next ?? '', /wt active --clear/);
          return true;
        },
      );
    }
  });

  it('is not there, which is no fault, before anything is active', async () => {
    assert.equal(await readActive(repository), undefined);
    assert.equal(await clearActive(environment, repository), false);
  });

  it('is written whole over an old one, and cleared', async () => {
    await writeActive(environment, repository, active);
    await writeActive(environment, repository, { ...active, branch: 'other' });
    assert.equal((await readActive(repository))?.branch, 'other');
    assert.equal(await clearActive(environment, repository), true);
    assert.deepEqual(await readdir(dirname(stateFile(repository))), []);
  });

  onlyWhere(reasons.links)('is only cleared for the worktree that it names, however that is spelled', async () => {
    const link = join(repository.mainRoot, 'link');
    await mkdir(join(repository.mainRoot, 'x'));
    await symlink(join(repository.mainRoot, 'x'), link);
    await writeActive(environment, repository, { ...active, path: join(repository.mainRoot, 'x') });
    assert.equal(await clearActive(environment, repository, join(repository.mainRoot, 'y')), false);
    assert.equal(await clearActive(environment, repository, link), true);
  });

  onlyWhere(reasons.links)('that is a link is written through it', async () => {
    const target = join(repository.mainRoot, 'elsewhere.md');
    await mkdir(dirname(stateFile(repository)));
    await writeFile(target, 'old');
    await symlink(target, stateFile(repository));
    await writeActive(environment, repository, active);
    assert.equal(await readFile(target, 'utf8'), await formatStateFile(active));
  });
});
