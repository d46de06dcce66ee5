import { catalogue } from './definitions/catalogue.ts';
import { schemaFiles } from './schemaFiles.ts';

const { definitions: shared = {}, ...files } = schemaFiles;
const commands = catalogue.map(({ name }) => name.replaceAll(' ', '-')).filter((name) => name in files);
const others = Object.keys(files).filter((name) => !commands.includes(name));

/** The schemas of what each command prints with `--json`, in the order of help, and of `.worktrees.yml`, each complete in itself. */
export const schemas: Readonly<Record<string, object>> = Object.fromEntries(
  [...commands, ...others].map((name) => [name, complete(files[name] ?? {})]),
);

/** Takes what the answers have in common into a schema, so that whoever reads it needs no second file. */
function complete(answer: object): object {
  const text = JSON.stringify(answer);
  if (!text.includes('definitions.schema.json#/')) return answer;
  const own = JSON.parse(text.replaceAll('definitions.schema.json#/', '#/')) as { readonly definitions?: object };
  return { ...own, definitions: { ...own.definitions, ...(shared as { readonly definitions?: object }).definitions } };
}
