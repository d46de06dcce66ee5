import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv, type AnySchemaObject } from 'ajv';

/** One operation of GitHub's published description. */
interface Operation {
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: AnySchemaObject }[];
  readonly body?: AnySchemaObject;
  /** By status; `null`: an answer without a body. */
  readonly answers: Readonly<Record<string, AnySchemaObject | null>>;
  readonly example?: unknown;
}

const file = resolve(import.meta.dirname, '../../data/github-openapi.json');
const { operations, definitions } = JSON.parse(readFileSync(file, 'utf8')) as {
  operations: Record<string, Operation>;
  definitions: Record<string, AnySchemaObject>;
};
const ajv = new Ajv({ allErrors: true, strict: false, coerceTypes: false, validateFormats: false, logger: false });
ajv.addSchema({ $id: 'github', definitions });

function absolute<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"github#/definitions/')) as T;
}

const compiled = new Map<unknown, ReturnType<Ajv['compile']>>();
function faults(schema: AnySchemaObject, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
  compiled.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const patterns = Object.keys(operations).map((key) => {
  const [method = '', path = ''] = key.split(' ');
  // A ref holds slashes.
  const source = path.replaceAll('{ref}', '(?<ref>.+)').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { key, method, pattern: new RegExp(`^${source}$`) };
});

/** What the published description says of a request; `undefined` when it knows none such. */
export function operationOf(method: string, path: string): { key: string; values: Record<string, string> } | undefined {
  for (const { key, method: own, pattern } of patterns) {
    const match = own === method ? pattern.exec(path) : null;
    if (match) return { key, values: { ...match.groups } };
  }
  return undefined;
}

/** Everything in which a request departs from the description. */
export function requestFaults(method: string, url: URL, body: unknown): string[] {
  const found = operationOf(method, url.pathname);
  if (!found) return [`${method} ${url.pathname} is no request that GitHub describes`];
  const operation = operations[found.key];
  const all: string[] = [];
  const known = operation?.parameters ?? [];
  for (const name of url.searchParams.keys())
    if (!known.some((each) => each.in === 'query' && each.name === name)) all.push(`there is no parameter ${name}`);
  for (const { name, in: where, required, schema } of known) {
    const text = where === 'query' ? url.searchParams.get(name) : where === 'path' ? found.values[name] : undefined;
    if (text == null) {
      if (required) all.push(`the parameter ${name} is missing`);
      continue;
    }
    const number = (schema as { type?: string }).type === 'integer' ? Number(text) : text;
    all.push(...faults(schema, number).map((fault) => `${name}: ${fault}`));
  }
  if (operation?.body) {
    all.push(...faults(operation.body, body ?? null).map((fault) => `body: ${fault}`));
    // GitHub ignores what it does not know, which hides typing errors.
    const properties = (operation.body as { properties?: object }).properties ?? {};
    for (const key of Object.keys(body ?? {})) if (!(key in properties)) all.push(`body: ${key} is not known`);
  } else if (body !== undefined) all.push('it has a body');
  return all.map((fault) => `${method} ${url.pathname}: ${fault}`);
}

/** Everything in which an answer departs from the description. */
export function answerFaults(method: string, path: string, status: number, body: unknown): string[] {
  const found = operationOf(method, path);
  const schema = found && operations[found.key]?.answers[String(status)];
  if (!found || schema === undefined) return [];
  const all = schema === null ? (body === undefined ? [] : ['it has a body']) : faults(schema, body);
  return all.map((fault) => `${status} of ${method} ${path}: ${fault}`);
}

/** The published example of an operation's answer, anew each time. */
export function exampleOf(key: string): Record<string, unknown> {
  return structuredClone(operations[key]?.example) as Record<string, unknown>;
}
