import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';

/** One thing in which a value departs from its schema. */
export interface SchemaFault {
  /** Where: keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** What, as the end of a sentence that begins with the name of the value. */
  readonly message: string;
}

/** Checks a value against a JSON Schema (draft-07) and says all that is wrong. */
export function checkAgainst(schema: AnySchemaObject, value: unknown): SchemaFault[] {
  const validate = new Ajv({ allErrors: true, strict: false, verbose: true }).compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map(toFault);
}

function toFault(error: ErrorObject): SchemaFault {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: [...path, String(params['additionalProperty'])], message: 'is not a key that is known here' };
    case 'enum':
      return { path, message: `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}` };
    case 'type':
      return { path, message: `must be ${withArticle(String(params['type']))}` };
    default:
      return { path, message: error.message ?? 'is not right' };
  }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
