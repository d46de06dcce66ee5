// `npm run release -- minor` (major, patch, or a version): writes the next version wherever it stands, moves what is Unreleased in the changelog below a
// dated heading, commits that and tags it. It pushes nothing. `--check [tag]` only looks whether all versions agree, `--notes` prints what a release says.
// Node's own modules only.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/install.mjs';
import { Failure, main, must, run, say } from './lib/processes.mjs';

const minute = 60_000;

/**
 * The files that name the version, and where: the first group is what stands before it.
 * @type {Readonly<Record<string, RegExp>>}
 */
const places = {
  'package.json': /^( {2}"version": ")([^"]+)/m,
  'package-lock.json': /^( {2}"version": ")([^"]+)/m,
  'package-lock.json of the root package': /^( {6}"version": ")([^"]+)/m,
  'plugin/.claude-plugin/plugin.json': /("version": ")([^"]+)/,
  '.claude-plugin/marketplace.json': /("version": ")([^"]+)/,
};
const fileOf = (/** @type {string} */ place) => place.split(' ')[0] ?? '';
const changelogFile = 'CHANGELOG.md';
const unreleased = '## [Unreleased]';

/**
 * What the places say, and the changelog's newest release.
 * @param {string} folder
 * @returns {Promise<Map<string, string | undefined>>}
 */
async function versionsIn(folder) {
  /** @type {Map<string, string | undefined>} */
  const found = new Map();
  for (const [place, pattern] of Object.entries(places))
    found.set(place, pattern.exec(await readFile(join(folder, fileOf(place)), 'utf8'))?.[2]);
  const changelog = await readFile(join(folder, changelogFile), 'utf8');
  return found.set(changelogFile, /^## \[(\d[^\]]*)\]/m.exec(changelog)?.[1]);
}

/**
 * The version that all places agree on.
 * @param {string} folder
 */
async function agreedVersion(folder) {
  const found = await versionsIn(folder);
  const versions = new Set(found.values());
  const [version] = versions;
  if (versions.size === 1 && version !== undefined) return version;
  const each = [...found].map(([place, version]) => `  ${place}: ${version ?? 'none'}`);
  throw new Failure(`The versions do not agree:\n${each.join('\n')}`);
}

/**
 * @param {string} version
 * @param {string} step `major`, `minor`, `patch`, or the version itself
 */
function nextVersion(version, step) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (step === 'major') return `${major + 1}.0.0`;
  if (step === 'minor') return `${major}.${minor + 1}.0`;
  if (step === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (!/^\d+\.\d+\.\d+$/.test(step)) throw new Failure(`${step} is no version: name major, minor, patch or 1.2.3.`);
  const [newMajor = 0, newMinor = 0, newPatch = 0] = step.split('.').map(Number);
  const isLater = newMajor - major || newMinor - minor || newPatch - patch;
  if (isLater <= 0) throw new Failure(`${step} is not later than ${version}.`);
  return step;
}

/**
 * What a section of the changelog holds, without its heading.
 * @param {string} changelog
 * @param {string} name
 */
function section(changelog, name) {
  const start = changelog.indexOf(`## [${name}]`);
  if (start < 0) throw new Failure(`${changelogFile} has no section ${name}.`);
  const [, ...lines] = changelog.slice(start).split('\n');
  const end = lines.findIndex((line) => line.startsWith('## '));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

/**
 * @param {string} folder
 * @param {string} step
 */
async function release(folder, step) {
  const { output, code } = await run('git', ['status', '--porcelain'], { cwd: folder, deadline: minute, quiet: true });
  if (code !== 0) throw new Failure('git status failed.');
  if (output.trim() !== '') throw new Failure('There are uncommitted changes: commit them first.');
  const version = nextVersion(await agreedVersion(folder), step);
  const changelog = await readFile(join(folder, changelogFile), 'utf8');
  if (section(changelog, 'Unreleased') === '')
    throw new Failure(`Nothing stands below Unreleased in ${changelogFile}: what would be released?`);
  const date = new Date().toISOString().slice(0, 10);
  await writeFile(
    join(folder, changelogFile),
    changelog.replace(unreleased, `${unreleased}\n\n## [${version}] - ${date}`),
  );
  for (const [place, pattern] of Object.entries(places)) {
    const file = join(folder, fileOf(place));
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(pattern, (_, before) => `${before}${version}`),
    );
  }
  if ((await agreedVersion(folder)) !== version) throw new Failure(`The files do not say ${version}.`);
  const files = [...new Set([changelogFile, ...Object.keys(places).map(fileOf)])];
  await must('The release could not be committed.', 'git', ['commit', '-qm', `Release ${version}`, '--', ...files], {
    cwd: folder,
  });
  const tag = ['tag', '-a', `v${version}`, '-m', `Release ${version}`];
  await must('The release could not be tagged.', 'git', tag, { cwd: folder });
  say(`Committed and tagged v${version}. \`git push --follow-tags\` publishes it.`);
}

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      notes: { type: 'boolean', default: false },
      folder: { type: 'string', default: root },
    },
  });
  const folder = resolve(values.folder);
  const [word] = positionals;
  if (values.check || values.notes) {
    const version = await agreedVersion(folder);
    if (values.notes)
      process.stdout.write(`${section(await readFile(join(folder, changelogFile), 'utf8'), version)}\n`);
    else if (word !== undefined && word !== `v${version}`) throw new Failure(`${word} is not v${version}.`);
    else say(`Everything says ${version}.`);
    return;
  }
  if (word === undefined || positionals.length > 1) throw new Failure('Name major, minor, patch or a version.');
  await release(folder, word);
});
