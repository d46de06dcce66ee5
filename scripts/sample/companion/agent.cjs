// What looks like an agent in a worktree of the sample: it writes the lines that the hooks of Claude Code would, and waits for an answer.
const { appendFileSync, mkdirSync, readFileSync } = require('node:fs');
const { hostname } = require('node:os');
const { join } = require('node:path');
const { createInterface } = require('node:readline');

const [commonDir, worktree, ending] = process.argv.slice(2);
const log = join(commonDir, 'worktree-stacks/log');

/** The kernel's start time of this process, by which it is known again. */
function born() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return { born: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] };
  } catch {
    return {};
  }
}
const client = { pid: process.pid, host: hostname(), ...born() };
const session = `${worktree}-${process.pid}`;

function note(event, more = {}) {
  const entry = {
    at: new Date().toISOString(),
    event,
    decision: 'none',
    session,
    worktree,
    agent: `wt-${worktree}`,
    client,
  };
  mkdirSync(log, { recursive: true });
  appendFileSync(join(log, 'hooks.jsonl'), `${JSON.stringify({ ...entry, ...more })}\n`);
}

function ask() {
  note('PermissionRequest', { tool: 'Bash' });
  process.stdout.write('\n● May I run this?\n\n    node src/searchIndex.js --rebuild\n\n  y / n > ');
}

process.stdout.write(`A stand-in for an agent in ${worktree}. It changes nothing.\n`);
note('SessionStart', { detail: 'startup' });
note('UserPromptSubmit');
if (ending === 'asks') ask();
else {
  note('Stop');
  process.stdout.write('\n● Gift cards are taken off the sum. Please review.\n\n> ');
}
createInterface({ input: process.stdin }).on('line', (line) => {
  note('UserPromptSubmit');
  if (/^n/i.test(line)) {
    process.stdout.write('\n● Then I leave it.\n');
    note('Stop');
    process.stdout.write('\n> ');
    return;
  }
  note('PreToolUse', { tool: 'Bash', words: 'node src/searchIndex.js --rebuild' });
  process.stdout.write('\n● Rebuilding the index …\n');
  setTimeout(() => {
    process.stdout.write('● Done. Two files have changed.\n\n> ');
    note('Stop');
  }, 4000);
});
process.on('exit', () => note('SessionEnd'));
for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT']) process.on(signal, () => process.exit());
