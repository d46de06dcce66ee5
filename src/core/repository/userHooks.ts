import { join } from 'node:path';
import { readTextIfThere } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { userFolders } from '../base/userFolders.ts';
import { parseConfiguration } from './configuration.ts';
import { hooksOf, type Hooks } from './hookConfiguration.ts';
import { milliseconds } from './timeLimit.ts';

/** The user's own file, for all repositories: hooks, and what writes texts. Nobody else writes it, so it needs no approval. */
export function userConfigurationFile(environment: Environment): string {
  return join(userFolders(environment).config, 'config.yml');
}

/**
 * The user's own hooks; none where there is no file.
 *
 * @throws Problem `unreadable-file` that names the line and the key.
 */
export async function readUserHooks(environment: Environment): Promise<Hooks> {
  const file = userConfigurationFile(environment);
  const text = await readTextIfThere(file);
  return hooksOf(text === undefined ? {} : await parseConfiguration(text, file, userKeys));
}

/** What the user's own file may hold. */
const userKeys = ['hooks', 'generate'];

/** What writes texts for the user. */
export interface TextWriter {
  /** The command, for the user's shell. */
  readonly run: string;
  /** It is ended after so many milliseconds. */
  readonly timeout: number;
}

/** A model that a person waits for answers in seconds; one on their own machine may need more, and they can say so. */
const defaultTimeout = '2m';

/**
 * The command of the user's own that writes texts; `undefined` where there is none. A team cannot name one: what runs here is the user's.
 *
 * @throws Problem `unreadable-file` that names the line and the key.
 */
export async function readTextWriter(environment: Environment): Promise<TextWriter | undefined> {
  const file = userConfigurationFile(environment);
  const text = await readTextIfThere(file);
  const generate = text === undefined ? undefined : (await parseConfiguration(text, file, userKeys)).generate;
  if (generate === undefined) return undefined;
  const { run, timeout = defaultTimeout } = typeof generate === 'string' ? { run: generate } : generate;
  return { run, timeout: milliseconds(timeout) };
}
