import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makePlace, type Place } from './place.ts';

/** How many commits `main` has in a {@link makeLargePlace}. */
export const commits = 100_000;

/** The branches of a {@link makeLargePlace}, and how many files each has. */
export const branches = { main: 50_000, small: 20_000, wide: 100_000 } as const;

/**
 * Makes a repository with a long history: `main` has 100,000 commits and 50,000 files. On it stand `small`, with the first 20,000 of the files,
 * and `wide`, with 100,000. `main` is checked out.
 */
export async function makeLargePlace(): Promise<Place> {
  const place = await makePlace(1);
  const options = { cwd: place.root, env: place.variables, stdio: ['pipe', 'ignore', 'inherit'] as const };
  const child = spawn('git', ['fast-import', '--quiet', '--force'], { ...options, stdio: [...options.stdio] });
  const ended = once(child, 'close');
  for (const part of stream()) if (!child.stdin.write(part)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`git fast-import: exit ${code}`);
  await place.git(['reset', '--quiet', '--hard']);
  await place.git(['pack-refs', '--all']);
  return place;
}

const pathOf = (file: number): string => `area${file % 20}/part${Math.floor(file / 50)}/file${file % 50}.txt`;

/** What `git fast-import` reads. */
function* stream(): Generator<string> {
  const content = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const file = (number: number, text: string): string => `M 100644 inline ${pathOf(number)}\n${content(text)}`;
  const head = (branch: string, number: number): string =>
    `commit refs/heads/${branch}\nmark :${number}\ncommitter Ada Example <ada@example.com> ${1_400_000_000 + number * 600} +0000\n${content(`Commit ${number}`)}`;
  const lines = (number: number, turn: number): string => `${number} ${turn}\n`.repeat(20 + (number % 30));
  yield head('main', 1);
  yield 'deleteall\n';
  for (let number = 0; number < branches.main; number++) yield file(number, lines(number, 0));
  for (let turn = 2; turn <= commits; turn++) {
    const number = (turn * 7919) % branches.main;
    yield `\n${head('main', turn)}from :${turn - 1}\n${file(number, lines(number, turn))}`;
  }
  yield `\n${head('small', commits + 1)}from :${commits}\n`;
  for (let number = branches.small; number < branches.main; number++) yield `D ${pathOf(number)}\n`;
  yield `\n${head('wide', commits + 2)}from :${commits}\n`;
  for (let number = branches.main; number < branches.wide; number++) yield file(number, lines(number, 0));
}
