import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHub, type Hub } from '../github/support/hub.ts';
import { HubState } from '../github/support/hubState.ts';
import { refsOf } from '../github/support/refs.ts';
import type { Place } from './launch/place.ts';
import { makeSampleStack } from './sampleStack.ts';

/** A repository with stacks, and the stand-in for GitHub that its remote is on. */
export interface StackOnHub {
  readonly folder: string;
  readonly bare: string;
  readonly hub: Hub;
}

/** Makes a {@link StackOnHub}: `main` is on the remote as it is here, nothing else. VS Code's settings name the stand-in as a server. */
export async function makeStackOnHub(place: Place): Promise<StackOnHub> {
  const folder = await makeSampleStack(join(place.work, 'orchard'), place.env);
  const git = (cwd: string, ...args: string[]) => promisify(execFile)('git', args, { cwd, env: place.env });
  const server = join(place.root, 'server');
  const bare = join(server, 'octo', 'demo.git');
  await mkdir(server, { recursive: true });
  await git(folder, 'clone', '--quiet', '--bare', '--single-branch', '--branch=main', folder, bare);
  await git(bare, 'config', 'http.receivepack', 'true');
  const variables = Object.fromEntries(
    Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const hub = await startHub(new HubState(refsOf(bare, variables)), { root: server, variables });
  await git(folder, 'remote', 'add', 'origin', `${hub.url}/octo/demo.git`);
  await git(folder, 'fetch', '--quiet', 'origin');
  await git(folder, 'remote', 'set-head', 'origin', 'main');
  const settings = join(place.userData, 'User/settings.json');
  const before = JSON.parse(await readFile(settings, 'utf8')) as object;
  await writeFile(settings, JSON.stringify({ ...before, 'github-enterprise.uri': hub.url }));
  return { folder, bare, hub };
}
