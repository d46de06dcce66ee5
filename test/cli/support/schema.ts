import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';

const folder = resolve(import.meta.dirname, '../../../schemas');

function read(file: string): object {
  return JSON.parse(readFileSync(resolve(folder, file), 'utf8')) as object;
}

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, formats: { 'date-time': isTime } });
ajv.addSchema(read('definitions.schema.json'), 'definitions.schema.json');

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

/** Fails unless a value is what the published schema of a command says it prints. */
export function assertMatches(schema: string, value: unknown): void {
  const validate = ajv.getSchema(schema) ?? ajv.addSchema(read(`${schema}.schema.json`), schema).getSchema(schema);
  assert.ok(validate);
  assert.ok(
    validate(value),
    `${schema}.schema.json does not describe this:\n${JSON.stringify(value, null, 2)}\n${ajv.errorsText(validate.errors, { separator: '\n' })}`,
  );
}

/** Fails unless a value is a failure as every command prints it; with an id, unless its message is that one. */
export function assertFailure(value: Record<string, unknown>, reason: string, id?: string): void {
  assertMatches('failure', value);
  const error = value['error'] as { reason: string; id?: string };
  assert.deepEqual([error.reason, id && error.id], [reason, id]);
}
