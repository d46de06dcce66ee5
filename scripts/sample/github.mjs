// Starts the sample's stand-in for GitHub (test/support/sampleGitHub.ts).
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { node24, root } from '../lib/install.mjs';
import { Failure } from '../lib/processes.mjs';
import { tourFolders, tourRepository, usualAddress } from './tour.mjs';

/**
 * Whether nobody listens on a port of this machine.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function isFree(port) {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once('error', () => answer(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)));
  });
}

/**
 * Starts it on the usual port, or on a free one. It ends with this process.
 * @param {string} place the folder of the tour
 * @param {NodeJS.ProcessEnv} [env] git's environment
 * @returns {Promise<{ address: string, stop: () => Promise<void> }>}
 */
export async function startGitHub(place, env = process.env) {
  const { server, pulls } = tourFolders(place);
  const usual = Number(new URL(usualAddress).port);
  const port = (await isFree(usual)) ? usual : 0;
  const program = join(root, 'test/support/sampleGitHub.ts');
  const args = [program, server, `${tourRepository.owner}/${tourRepository.repo}`, pulls, String(port)];
  // It reads its standard input, whose end tells it that we have gone, however we ended.
  const child = spawn(node24, ['--disable-warning=ExperimentalWarning', ...args], { env, cwd: root, detached: true });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  const address = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += String(data);
        const found = /Listening on (\S+)/.exec(output);
        if (found) resolve(found[1]);
      });
    }
    child.once('error', reject);
    void ended.then(() => reject(new Failure(`The stand-in for GitHub ended before it listened:\n${output.trim()}`)));
  });
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { address, stop };
}
