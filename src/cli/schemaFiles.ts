import { readFileSync, readdirSync } from 'node:fs';

const folder = new URL('../../schemas/', import.meta.url);
const ending = '.schema.json';

/** What the files of `schemas/` hold, by their names. In the built programs scripts/build.mjs puts their text in the place of this file. */
export const schemaFiles: Readonly<Record<string, object>> = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => [file.slice(0, -ending.length), JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object]),
);
