import { baseMessages } from '../messages/base.ts';
import { verbatim, type Message } from '../messages/message.ts';

/** One thing in which a value departs from its schema. */
export interface SchemaFault {
  /** Where: keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** What, as the end of a sentence that begins with the name of the value. */
  readonly message: Message;
}

/** What Ajv makes of a JSON Schema (draft-07), as far as it is used here. */
export interface CompiledSchema {
  (value: unknown): boolean;
  /** What was wrong with the last value. */
  errors?: readonly Departure[] | null;
}

interface Departure {
  readonly keyword: string;
  /** A JSON Pointer (RFC 6901). */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Checks a value against a JSON Schema and says all that is wrong. */
export function checkAgainst(schema: CompiledSchema, value: unknown): SchemaFault[] {
  return schema(value) ? [] : (schema.errors ?? []).map(toFault);
}

function toFault(error: Departure): SchemaFault {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: [...path, String(params['additionalProperty'])], message: baseMessages.unknownKey() };
    case 'enum':
      return {
        path,
        message: baseMessages.mustBeOneOf({ values: (params['allowedValues'] as unknown[]).map(String) }),
      };
    case 'type':
      return {
        path,
        message: baseMessages.mustBe({ kind: String(params['type']).split(',').map(withArticle).join(' or ') }),
      };
    default:
      return { path, message: error.message === undefined ? baseMessages.notRight() : verbatim(error.message) };
  }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
