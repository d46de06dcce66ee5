import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { dieRemoving } from '../../support/dieRemoving.ts';
import { Removals } from '../../support/removals.ts';
import { needsProc } from '../../support/skip.ts';

/** What makes git write other bytes than it has read: as Git for Windows is installed, and as teams have it in `.gitattributes`. */
const ways: Readonly<Record<string, { readonly config?: readonly string[]; readonly attributes?: string }>> = {
  'core.autocrlf=true, and core.safecrlf=true': { config: ['core.autocrlf=true', 'core.safecrlf=true'] },
  'core.autocrlf=input': { config: ['core.autocrlf=input'] },
  'text eol=crlf of the team': { attributes: '* text eol=crlf\n' },
  'text=auto eol=lf of the team': { attributes: '* text=auto eol=lf\n' },
  'a filter that gives back less than it was given': {
    config: ['filter.fold.clean=tr -d "\\r"', 'filter.fold.smudge=cat'],
    attributes: '*.txt filter=fold\n',
  },
};

describe('the bytes of uncommitted files', function () {
  this.timeout(300_000);
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
  });
  afterEach(() => at.dispose());

  const bytes: Readonly<Record<string, string>> = {
    'changed.txt': 'one\ntwo, changed\nthree\n',
    'staged.txt': 'one\r\ntwo, staged\r\n',
    'new.txt': 'new\r\nfile\r\n',
    'run.sh': '#!/bin/sh\necho done\n',
    'sub folder/mixed é.txt': 'one\r\ntwo\nthree\r\n',
    'binary.dat': 'a\0b\r\nc\n',
  };

  for (const [way, { config = [], attributes }] of Object.entries(ways))
    it(`come back with a worktree that was removed, as they were: ${way}`, async () => {
      await at.repository.commit('Base', { 'changed.txt': 'one\ntwo\nthree\n', 'staged.txt': 'one\n' });
      const path = await at.add('one');
      for (const setting of config) {
        const [name = '', value = ''] = setting.split(/=(.*)/s);
        await at.repository.git('config', name, value);
      }
      if (attributes !== undefined) await at.repository.write('.git/info/attributes', attributes);
      for (const [file, text] of Object.entries(bytes)) await at.repository.write(join(path, file), text);
      await at.repository.gitIn(path, '-c', 'core.safecrlf=false', 'add', 'staged.txt');
      const status = await at.repository.gitIn(path, 'status', '--porcelain');
      const isAsBefore = async (): Promise<void> => {
        for (const [file, text] of Object.entries(bytes))
          assert.equal(await readFile(join(path, file), 'latin1'), Buffer.from(text).toString('latin1'), file);
        assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), status);
      };
      await at.remove('one', { force: true });
      // Nothing but the refs of the backup holds them now.
      await at.repository.git('gc', '--quiet', '--prune=now');
      await undo(at.workspace);
      await isAsBefore();
      assert.deepEqual(
        (await readdir(join(at.repository.root, '.git/worktree-stacks'))).filter((name) => name.startsWith('bytes-')),
        [],
      );
    });

  it('are kept where a filter can no longer write such files, and nothing keeps the worktree from being removed', async () => {
    const path = await at.add('one');
    for (const [name, value] of ['clean=cat', 'smudge=false', 'required=true'].map((each) => each.split('=')))
      await at.repository.git('config', `filter.gone.${name}`, value ?? '');
    await at.repository.write('.git/info/attributes', '*.txt filter=gone\n');
    await at.repository.write(join(path, 'new.txt'), 'new\n');
    await at.remove('one', { force: true });
    const kept = await at.repository.git('for-each-ref', '--format=%(refname)', 'refs/wt-backup/**/bytes');
    assert.equal(await at.repository.git('cat-file', 'blob', `${kept}:0`), 'new');
  });

  it('that a killed process wrote once more, to compare them, are deleted by a later one', async () => {
    const folder = join(at.repository.root, '.git/worktree-stacks/bytes-abc');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'a.txt'), 'a\n');
    const recent = join(at.repository.root, '.git/worktree-stacks/bytes-new');
    await mkdir(recent);
    const long = new Date(Date.now() - 3_600_000);
    await utimes(folder, long, long);
    await recoverInterrupted(at.workspace);
    const left = (await readdir(join(folder, '..'))).filter((name) => name.startsWith('bytes-'));
    assert.deepEqual(left, ['bytes-new']);
  });

  it('that a removal was comparing when it was killed are deleted by a later command, and the worktree is as it was', async function () {
    needsProc(this);
    const path = await at.add('one');
    // Git runs the filter, and the removal runs git.
    const filter = join(at.home.root, 'kill-once');
    const script = [
      '#!/bin/sh',
      `test -e '${filter}.done' && exec cat`,
      `: > '${filter}.done'`,
      'while read -r key value; do test "$key" = PPid: && kill -9 "$value"; done < "/proc/$PPID/status"',
      'exec cat',
    ];
    await writeFile(filter, `${script.join('\n')}\n`, { mode: 0o755 });
    await at.repository.git('config', 'filter.kill.clean', 'cat');
    await at.repository.git('config', 'filter.kill.smudge', filter);
    await at.repository.write('.git/info/attributes', '*.txt filter=kill\n');
    await at.repository.write(join(path, 'secret.txt'), 'secret\n');
    assert.equal(await dieRemoving(at, 'one', 'force', 0), undefined, 'it was not killed');
    const beside = join(at.repository.root, '.git/worktree-stacks');
    const left = async (): Promise<string[]> => (await readdir(beside)).filter((name) => name.startsWith('bytes-'));
    assert.equal((await left()).length, 1);
    // A process that has just begun may be writing there.
    assert.deepEqual(await recoverInterrupted(at.workspace), []);
    assert.equal((await left()).length, 1);
    const { environment } = at.workspace;
    const later = { ...environment, now: () => new Date(Date.now() + 3_600_000) };
    assert.deepEqual(await recoverInterrupted({ ...at.workspace, environment: later }), []);
    assert.deepEqual(await left(), []);
    assert.equal(await readFile(join(path, 'secret.txt'), 'utf8'), 'secret\n');
    await at.remove('one', { force: true });
    await undo(at.workspace);
    assert.equal(await readFile(join(path, 'secret.txt'), 'utf8'), 'secret\n');
    assert.deepEqual(await left(), []);
  });
});
