import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { catalogue } from '../../../src/cli/definitions/catalogue.ts';
import { schemas } from '../../../src/cli/schemas.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('the published schemas', () => {
  it('are draft-07, complete in themselves, and one for each command', () => {
    const listed = catalogue.filter(({ group }) => group !== undefined).map(({ name }) => name.replaceAll(' ', '-'));
    for (const name of [...listed, 'here', 'failure', 'worktrees']) {
      const schema = schemas[name];
      assert.ok(schema, name);
      assert.equal((schema as { $schema: string }).$schema, 'http://json-schema.org/draft-07/schema#');
      new Ajv({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } }).compile(schema);
    }
  });

  it('are all in the folder schemas', async () => {
    const files = (await readdir(join(root, 'schemas'))).filter((file) => file !== 'definitions.schema.json');
    assert.deepEqual(files.map((file) => file.replace('.schema.json', '')).sort(), Object.keys(schemas).sort());
  });

  // A schema that lags behind makes the output of wt invalid in somebody's script, and nothing else would tell.
  for (const [type, source, schema] of [
    ['ProblemReason', 'src/core/base/problem.ts', 'definitions'],
    ['ObstacleKind', 'src/core/remove/obstacles.ts', 'cleanup'],
    ['Condition', 'src/core/worktree/model.ts', 'definitions'],
    ['GitOperation', 'src/core/worktree/model.ts', 'definitions'],
    ['SubmoduleFate', 'src/core/merge/model.ts', 'merge'],
    ['MergeReason', 'src/core/session/model.ts', 'merge'],
    ['MergeReason', 'src/core/session/model.ts', 'resolve'],
    ['SessionFileState', 'src/core/merge/decideSessionFiles.ts', 'resolve'],
  ] as const) {
    it(`know every ${type}`, async () => {
      const code = await readFile(join(root, source), 'utf8');
      const union = new RegExp(`export type ${type} =([^;]+);`).exec(code)?.[1] ?? '';
      const members = [...union.matchAll(/'([a-z-]+)'/gi)].map(([, member]) => member);
      assert.ok(members.length > 2, `${type} was not found in ${source}`);
      const text = await readFile(join(root, 'schemas', `${schema}.schema.json`), 'utf8');
      assert.deepEqual(
        members.filter((member) => !text.includes(`"${member}"`)),
        [],
      );
    });
  }
});
