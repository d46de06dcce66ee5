import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { installShellScript, uninstallShellScript, type FileChange } from '../../../src/cli/installShellScript.ts';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { onlyWhere, reasons } from '../../support/systems.ts';

describe('the lines that load completions', () => {
  let home: string;
  before(async () => void (home = await mkdtemp(join(tmpdir(), 'wt-home-'))));
  after(() => rm(home, { recursive: true }));

  const at = (file: string): string => join(home, file);
  const environment = () => ({
    ...environmentOf(process),
    variables: { HOME: home, WORKTREE_STACKS_HOME: at('own'), XDG_CONFIG_HOME: at('.config') },
    platform: 'linux' as const,
  });
  const install = (shell: string): Promise<FileChange[]> => installShellScript(environment(), shell);
  const uninstall = (shell: string): Promise<FileChange[]> => uninstallShellScript(environment(), shell);
  const changes = (files: readonly FileChange[]): string[] => files.map(({ change }) => change);

  for (const { shell, start } of [
    { shell: 'bash', start: '.bashrc' },
    { shell: 'zsh', start: '.zshrc' },
    { shell: 'pwsh', start: '.config/powershell/profile.ps1' },
  ]) {
    const texts = {
      'that ends as files do': 'alias ll=ls\n',
      'without a last line end': 'alias ll=ls',
      'of Windows': 'a\r\nb\r\n',
    };
    for (const [what, text] of Object.entries(texts)) {
      it(`are one block in a ${start} ${what}, once, and gone without a trace`, async () => {
        await mkdir(dirname(at(start)), { recursive: true });
        await writeFile(at(start), text);
        const [script, edited] = await install(shell);
        assert.deepEqual([script?.change, edited?.change, edited?.file], ['created', 'changed', at(start)]);
        assert.equal(await readFile(edited?.backup ?? '', 'utf8'), text);
        const written = await readFile(at(start), 'utf8');
        const paths = [script?.file ?? 'none', script?.file.replaceAll('\\', '/') ?? 'none'];
        assert.ok(written.startsWith(text) && paths.some((path) => written.includes(path)), written);
        assert.deepEqual(changes(await install(shell)), ['unchanged', 'unchanged']);
        assert.equal(await readFile(at(start), 'utf8'), written);
        await writeFile(script?.file ?? '', 'an earlier one');
        assert.deepEqual(changes(await install(shell)), ['changed', 'unchanged']);
        // What a person adds below stays.
        await writeFile(at(start), `${written}more\n`);
        assert.deepEqual(changes(await uninstall(shell)), ['changed', 'removed']);
        assert.equal(
          (await readFile(at(start), 'utf8')).replace(/\r?\n/g, '\n'),
          `${text.replace(/\r?\n/g, '\n').trimEnd()}\nmore\n`,
        );
        assert.deepEqual(changes(await uninstall(shell)), ['unchanged', 'unchanged']);
        await rm(at(start));
      });
    }
  }

  onlyWhere(reasons.links)('make the file of a shell that has none, and go to where it is a link', async () => {
    assert.deepEqual(changes(await install('bash')), ['created', 'created']);
    await uninstall('bash');
    await mkdir(at('dotfiles'), { recursive: true });
    await writeFile(at('dotfiles/zshrc'), 'setopt\n');
    await symlink(at('dotfiles/zshrc'), at('.zshrc'));
    await install('zsh');
    assert.ok((await lstat(at('.zshrc'))).isSymbolicLink());
    assert.match(await readFile(at('dotfiles/zshrc'), 'utf8'), /^setopt\n\n# >>> wt/);
    await uninstall('zsh');
    await rm(at('.zshrc'));
  });

  it('need no line where fish finds them', async () => {
    const [file, ...others] = await install('fish');
    assert.deepEqual([file?.file, others], [at('.config/fish/conf.d/wt.fish'), []]);
    assert.deepEqual(changes(await uninstall('fish')), ['removed']);
  });

  it('leave lines alone that a person has cut apart, and say so', async () => {
    await install('zsh');
    const cut = (await readFile(at('.zshrc'), 'utf8')).replace(/# <<<.*\n/, '');
    await writeFile(at('.zshrc'), cut);
    for (const change of [install, uninstall])
      await assert.rejects(
        change('zsh'),
        (thrown) => Problem.is(thrown, 'unreadable-file') && thrown.file === at('.zshrc'),
      );
    assert.equal(await readFile(at('.zshrc'), 'utf8'), cut);
    await rm(at('.zshrc'));
  });

  it('are those of login shells on macOS', async () => {
    const [, start] = await installShellScript({ ...environment(), platform: 'darwin' }, 'bash');
    assert.equal(start?.file, at('.bash_profile'));
    await uninstallShellScript({ ...environment(), platform: 'darwin' }, 'bash');
  });

  onlyWhere({ notOn: 'Windows', because: 'the stand-in for PowerShell is a script of sh' })(
    'are in the profile that PowerShell names, whatever letters are on the way to it',
    async () => {
      const profile = at('Dokumente von Zoë/profile.ps1');
      const bin = at('bin');
      await mkdir(bin, { recursive: true });
      const answer = `#!/bin/sh\necho ${Buffer.from(profile).toString('base64')}\n`;
      await writeFile(join(bin, 'pwsh'), answer, { mode: 0o755 });
      const variables = { ...environment().variables, WORKTREE_STACKS_HOME: at('Füße'), PATH: bin };
      const named = { ...environment(), variables };
      const [script, start] = await installShellScript(named, 'pwsh');
      assert.deepEqual([dirname(script?.file ?? ''), start?.file], [at('Füße/config'), profile]);
      // Windows' own PowerShell would read other letters in the code page of the system.
      assert.match(await readFile(profile, 'utf8'), /^[\n\x20-\x7e]*$/);
      await uninstallShellScript(named, 'pwsh');
      // What a PowerShell says that cannot be a path.
      await writeFile(join(bin, 'pwsh'), '#!/bin/sh\necho Zm9v\n', { mode: 0o755 });
      const [, usual] = await installShellScript(named, 'pwsh');
      assert.equal(usual?.file, at('.config/powershell/profile.ps1'));
      await uninstallShellScript(named, 'pwsh');
    },
  );

  it('are nowhere for a shell that is not known', async () => {
    for (const change of [install, uninstall])
      await assert.rejects(change('tcsh'), (thrown) => Problem.is(thrown, 'usage'));
    assert.equal(existsSync(at('.tcshrc')), false);
  });
});
