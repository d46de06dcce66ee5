import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { quickStart } from '../src/core/repository/launchers.ts';
import { compare, type Contestant, type Line } from './compare.ts';
import { makePlace } from './place.ts';

/** The bundle that hooks start, and how their launchers start it. */
const hook = resolve(import.meta.dirname, '../dist/hook.js');
/** The guards as they were first drawn up: bash, jq and grep. */
const first = (name: string): string => resolve(import.meta.dirname, 'guardBaseline', name);

/** What agents run all the time, and what they must not run. */
const commands = {
  'a command that passes': 'cd src && npm test -- --grep "x" 2>&1 | tail -20',
  'a command that is denied': 'npm test && git push origin HEAD',
};

/**
 * A guard hook as a whole process, from its start to its end, beside the scripts of the first design. Both get the environment that the
 * launchers leave: without the variables that slow Node down or load code into it.
 */
export async function benchGuards(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Starting guards…');
  const place = await makePlace(1);
  try {
    const worktree = join(place.root, '.worktrees', 'feat');
    await place.git(['worktree', 'add', '--quiet', '-b', 'feat', worktree]);
    await mkdir(join(worktree, 'src'));
    const entry = { path: worktree, branch: 'feat', base: 'main', pr: null };
    await writeFile(
      join(place.root, '.worktrees', 'stack.json'),
      JSON.stringify({ version: 1, worktrees: { feat: entry } }),
    );
    const contestant = (program: string, args: readonly string[], input: unknown): Contestant => ({
      run: () => started(program, args, JSON.stringify(input), worktree, place.variables),
    });
    const call = { session_id: 's', cwd: worktree, permission_mode: 'default', hook_event_name: 'PreToolUse' };
    const lines: Line[] = [];
    for (const [what, command] of Object.entries(commands)) {
      const input = { ...call, tool_name: 'Bash', tool_input: { command, description: 'x' }, tool_use_id: 't' };
      lines.push(
        await compare(
          { work: `shell guard, ${what}`, baseline: 'bash, jq and grep', aim: 0.55 },
          contestant(process.execPath, [...quickStart, hook, 'bash-guard', worktree, 'feat'], input),
          contestant('/bin/bash', [first('bash-guard.sh'), worktree, 'feat'], input),
          rounds * 4,
        ),
      );
    }
    return lines;
  } finally {
    await place.dispose();
  }
}

/** Runs a program to its end with an input; rejects when it fails. */
function started(
  program: string,
  args: readonly string[],
  input: string,
  cwd: string,
  variables: Record<string, string>,
): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd, env: variables, stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.once('error', failed);
    child.once('close', (code) => (code === 0 ? done() : failed(new Error(`${program}: exit ${String(code)}`))));
    child.stdin.end(input);
  });
}
