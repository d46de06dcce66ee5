import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { node24, root } from '../../scripts/lib/install.mjs';
import { run } from '../../scripts/lib/processes.mjs';
import { testHome, type TestHome, type TestRepository } from '../support/tempRepo.ts';

const files = [
  ...['package.json', 'package-lock.json', 'plugin/.claude-plugin/plugin.json', '.claude-plugin/marketplace.json'],
  'CHANGELOG.md',
];
const { version: current } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };

describe('a release', () => {
  let home: TestHome;
  let repository: TestRepository;
  before(async () => {
    home = await testHome();
    repository = await home.repository();
    for (const file of files) {
      await mkdir(dirname(join(repository.root, file)), { recursive: true });
      await cp(join(root, file), join(repository.root, file));
    }
    await writeChangelog('### Added\n\n- Something new.\n\n');
    await repository.git('add', '--all');
    await repository.git('commit', '-qm', 'All');
  });
  after(() => home.dispose());

  const writeChangelog = (news: string): Promise<void> =>
    writeFile(
      join(repository.root, 'CHANGELOG.md'),
      `# Changelog\n\n## [Unreleased]\n\n${news}## [${current}] - 2020-01-01\n\n- Old.\n`,
    );
  const release = (...words: string[]) =>
    run(node24, [join(root, 'scripts/release.mjs'), '--folder', repository.root, ...words], {
      cwd: repository.root,
      quiet: true,
      env: home.variables,
    });
  it('finds one version in all files of this project', async () => {
    const args = [join(root, 'scripts/release.mjs'), '--check', `v${current}`];
    const { code, output } = await run(node24, args, { cwd: root, quiet: true });
    assert.equal(code, 0, output);
  });

  it('is refused when files disagree, when there is nothing new, when something is not committed, and for a version that is not later', async () => {
    const refused = async (words: string[], why: RegExp): Promise<void> => {
      const commit = await repository.git('rev-parse', 'HEAD');
      const { code, output } = await release(...words);
      assert.equal(code, 1, output);
      assert.match(output, why);
      assert.equal(await repository.git('rev-parse', 'HEAD'), commit);
    };
    await refused([current], /not later/);
    await refused(['soon'], /no version/);
    await refused(['--check', 'v99.0.0'], /v99\.0\.0 is not/);
    await writeChangelog('');
    await refused(['minor'], /uncommitted/);
    await repository.git('commit', '-qam', 'No news');
    await refused(['minor'], /Nothing stands below Unreleased/);
    await repository.git('reset', '-q', '--hard', 'HEAD~1');
    const plugin = join(repository.root, 'plugin/.claude-plugin/plugin.json');
    await writeFile(plugin, (await readFile(plugin, 'utf8')).replace(current, '9.9.9'));
    await repository.git('commit', '-qam', 'Another version');
    await refused(['minor'], /do not agree[^]*plugin\.json: 9\.9\.9/);
    await repository.git('reset', '-q', '--hard', 'HEAD~1');
  });

  it('has its version in every file, its dated heading, a commit and a tag, and its notes', async () => {
    const [major, minor] = current.split('.').map(Number);
    const version = `${major}.${(minor ?? 0) + 1}.0`;
    const { code, output } = await release('minor');
    assert.equal(code, 0, output);
    assert.equal(await repository.git('status', '--porcelain'), '');
    assert.equal(await repository.git('describe', '--tags'), `v${version}`);
    assert.equal((await release('--check', `v${version}`)).code, 0);
    const changelog = await readFile(join(repository.root, 'CHANGELOG.md'), 'utf8');
    const date = String.raw`\d{4}-\d\d-\d\d`;
    assert.match(
      changelog,
      new RegExp(`## \\[Unreleased\\]\n\n## \\[${version}\\] - ${date}\n\n### Added\n\n- Something new`),
    );
    assert.equal((await release('--notes')).output, '### Added\n\n- Something new.\n');
    for (const file of files.filter((each) => each !== 'CHANGELOG.md')) {
      const [ours, theirs] = await Promise.all([root, repository.root].map((top) => readFile(join(top, file), 'utf8')));
      const lines = (text = ''): string[] => text.split('\n');
      const changed = lines(theirs).filter((line, index) => line !== lines(ours)[index]);
      assert.deepEqual(
        [...new Set(changed.map((line) => line.trim().replace(/,$/, '')))],
        [`"version": "${version}"`],
        file,
      );
    }
  });
});
