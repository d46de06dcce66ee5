// A stand-in for Claude Code's program: it writes down each call in calls.jsonl, answers `agents --json` with agents.json, and
// keeps what was installed where the real one keeps it. Anything else is a session, and ends at once.
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const [state, ...args] = process.argv.slice(2);
appendFileSync(join(state, 'calls.jsonl'), `${JSON.stringify({ cwd: process.cwd(), args })}\n`);

const marketplace = join(state, 'marketplace');
const installed = join(process.env.CLAUDE_CONFIG_DIR, 'plugins/installed_plugins.json');
const id = 'worktree-stacks@worktree-stacks';

switch (
  args
    .filter((arg) => !arg.startsWith('--'))
    .slice(0, 3)
    .join(' ')
) {
  case 'agents':
    process.stdout.write(
      existsSync(join(state, 'agents.json')) ? readFileSync(join(state, 'agents.json'), 'utf8') : '[]',
    );
    break;
  case 'plugin list': {
    const readFromFolder = existsSync(marketplace) ? join(readFileSync(marketplace, 'utf8'), 'plugin') : undefined;
    process.stdout.write(JSON.stringify(existsSync(installed) ? [{ id, enabled: true, readFromFolder }] : []));
    break;
  }
  case `plugin install ${id}`:
    mkdirSync(dirname(installed), { recursive: true });
    writeFileSync(installed, JSON.stringify({ version: 2, plugins: { [id]: [{ scope: 'user' }] } }));
    break;
  default:
    if (args[1] === 'marketplace' && args[2] === 'add') writeFileSync(marketplace, args[3]);
}
