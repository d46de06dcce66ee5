// Cuts the operations that we use out of GitHub's published OpenAPI description into test/data/github-openapi.json, which the tests
// hold every request and every answer against. The whole description is 385 MB unpacked, so it is fetched only for this:
//   npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz && node scripts/cutOpenApi.mjs package
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './lib/install.mjs';
import { Failure, main, say } from './lib/processes.mjs';

const wanted = [
  'get /repos/{owner}/{repo}',
  'get /repos/{owner}/{repo}/pulls',
  'post /repos/{owner}/{repo}/pulls',
  'get /repos/{owner}/{repo}/pulls/{pull_number}',
  'patch /repos/{owner}/{repo}/pulls/{pull_number}',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'get /repos/{owner}/{repo}/issues/{issue_number}',
  'get /repos/{owner}/{repo}/commits/{ref}/check-runs',
  'get /repos/{owner}/{repo}/commits/{ref}/status',
  'get /repos/{owner}/{repo}/git/ref/{ref}',
  'post /repos/{owner}/{repo}/git/refs',
  'delete /repos/{owner}/{repo}/git/refs/{ref}',
  'get /repos/{owner}/{repo}/stacks',
  'post /repos/{owner}/{repo}/stacks',
  'get /repos/{owner}/{repo}/stacks/{stack_number}',
  'post /repos/{owner}/{repo}/stacks/{stack_number}/add',
];
/** Words for people, which no test reads; where one of them is the name of a property it is kept. */
const dropped = ['description', 'example', 'examples', 'externalDocs', 'title', 'deprecated'];

await main(async () => {
  const folder = process.argv[2];
  if (!folder)
    throw new Failure('Say where the package @octokit/openapi is unpacked: node scripts/cutOpenApi.mjs <folder>');
  const whole = JSON.parse(await readFile(join(folder, 'generated/api.github.com.json'), 'utf8'));
  /** @type {Record<string, unknown>} */
  const definitions = {};
  /**
   * A schema in the words of JSON Schema draft-07, with all that it refers to in `definitions`.
   * @param {any} schema
   * @returns {any}
   */
  const convert = (schema) => {
    if (Array.isArray(schema)) return schema.map(convert);
    if (typeof schema !== 'object' || schema === null) return schema;
    if (typeof schema.$ref === 'string') {
      const [, , kind, name] = schema.$ref.split('/');
      if (!(name in definitions)) {
        definitions[name] = {};
        definitions[name] = convert(whole.components[kind][name]);
      }
      return { $ref: `#/definitions/${name}` };
    }
    /** @type {Record<string, any>} */
    const kept = {};
    for (const [key, value] of Object.entries(schema)) {
      if (dropped.includes(key) || key.startsWith('x-') || key === 'nullable') continue;
      kept[key] =
        key === 'properties'
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each)]))
          : convert(value);
    }
    if (!schema.nullable) return kept;
    if (kept.enum) kept.enum = [...new Set([...kept.enum, null])];
    if (typeof kept.type === 'string') return { ...kept, type: [kept.type, 'null'] };
    return { anyOf: [kept, { type: 'null' }] };
  };
  /** @param {any} each */
  const resolved = (each) => {
    if (!each.$ref) return each;
    const [, , kind, name] = each.$ref.split('/');
    return whole.components[kind][name];
  };
  /** @type {Record<string, unknown>} */
  const operations = {};
  for (const line of wanted) {
    const [method = '', path = ''] = line.split(' ');
    const operation = whole.paths[path]?.[method];
    if (!operation) throw new Failure(`The description has no ${line}.`);
    const body = operation.requestBody?.content?.['application/json']?.schema;
    /** @type {Record<string, unknown>} */
    const answers = {};
    /** @type {unknown} */
    let example;
    for (const [status, answer] of Object.entries(operation.responses)) {
      const content = resolved(answer).content?.['application/json'];
      answers[status] = content ? convert(content.schema) : null;
      if (Number(status) >= 300 || !content?.examples) continue;
      // Where there are several, each refers to one that is described elsewhere.
      const { value } = resolved(Object.values(content.examples)[0]);
      example ??= value?.$ref ? resolved(value).value : value;
    }
    operations[`${method.toUpperCase()} ${path}`] = {
      parameters: operation.parameters.map((/** @type {any} */ each) => {
        const { name, in: where, required, schema } = resolved(each);
        return { name, in: where, required: required ?? false, schema: convert(schema) };
      }),
      ...(body ? { body: convert(body) } : {}),
      answers,
      ...(example === undefined ? {} : { example }),
    };
  }
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = join(root, 'test/data/github-openapi.json');
  const source = `Cut by scripts/cutOpenApi.mjs from @octokit/openapi ${version}, MIT License, Copyright (c) 2020 Octokit contributors`;
  await writeFile(file, `${JSON.stringify({ source, operations, definitions })}\n`);
  say(`${file}: ${Object.keys(operations).length} operations, ${Object.keys(definitions).length} schemas`);
});
