// The GitHub of the sample that `npm start` opens: a program that serves until its standard input ends.
// Its arguments: the folder of the server, the path of the repository in it without `.git`, the file of pull requests, the port (0: any).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHub } from '../github/support/hub.ts';
import { HubState, type HubPull } from '../github/support/hubState.ts';
import { refsOf } from '../github/support/refs.ts';

const [root = '', name = '', file = '', port = '0'] = process.argv.slice(2);
const [owner = '', repo = ''] = name.split('/');
const variables = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
const state = new HubState(refsOf(join(root, `${name}.git`), variables), owner, repo);
for (const { head, base, ...more } of JSON.parse(readFileSync(file, 'utf8')) as HubPull[]) state.add(head, base, more);

const html = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A pull request as people see it, plainly. */
function pageOf({ number, title, body, head, base, draft, state: open, mergedAt, checks }: HubPull): string {
  const standing = mergedAt === null ? (open === 'closed' ? 'Closed' : draft ? 'Draft' : 'Open') : 'Merged';
  const rows = checks.map((check) => `<li>${html(check.name)}: ${check.conclusion ?? 'in progress'}</li>`).join('');
  return `<!doctype html><meta charset="utf-8"><title>${html(title)} #${number}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }</style>
<p>This is a stand-in for GitHub, on your machine.</p>
<h1>${html(title)} <small>#${number}</small></h1>
<p><b>${standing}</b>: <code>${html(head)}</code> into <code>${html(base)}</code></p><ul>${rows}</ul><pre>${html(body)}</pre>`;
}

const hub = await startHub(
  state,
  { root, variables },
  {
    port: Number(port),
    page: (path) => {
      const number = Number(new RegExp(`^/${name}/pull/(\\d+)$`).exec(path)?.[1]);
      const pull = state.pulls.get(number);
      return pull && pageOf(pull);
    },
  },
);
state.web = hub.url;
// What was done stays until the next start.
hub.afterWrite = () => writeFileSync(file, JSON.stringify([...state.pulls.values()], undefined, 2));
process.stdout.write(`Listening on ${hub.url}\n`);
process.stdin.resume().once('end', () => void hub.close().then(() => process.exit(0)));
