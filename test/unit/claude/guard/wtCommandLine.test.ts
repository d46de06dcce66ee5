import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../../../src/cli/definitions/catalogue.ts';
import { globalOptions } from '../../../../src/cli/definitions/definition.ts';
import { coloursFor } from '../../../../src/cli/colour.ts';
import { guardTable } from '../../../../src/cli/guardTable.ts';
import type { Output } from '../../../../src/cli/output.ts';
import { parse } from '../../../../src/cli/program.ts';
import { Problem } from '../../../../src/core/base/problem.ts';
import { decideBash } from '../../../../src/core/claude/guard/bashGuard.ts';
import { splitCommandLine } from '../../../../src/cli/commandLine.ts';
import { passedCommandAt } from '../../../../src/core/claude/guard/commands/passedCommand.ts';
import { waitingCommand } from '../../../../src/core/claude/guard/commands/wtCommandLine.ts';
import { wtTable } from '../../../../src/core/claude/guard/commands/wtTable.ts';
import { argument } from '../../../../src/core/claude/guard/shell/argument.ts';

const noAliases = async () => undefined;
const judged = async (command: string, background = false): Promise<string> =>
  (await decideBash({ command, background, branch: 'b', cwd: '/w/b' }, () => 0, noAliases)).kind;

/** What the parser of `wt` itself makes of words: a command, nothing to run, or a mistake. */
async function meant(words: readonly string[]): Promise<string | undefined> {
  const quiet = { colours: coloursFor({}, {}, true), write: () => {}, width: undefined } as unknown as Output;
  try {
    const request = await parse(words, quiet, '0');
    return typeof request === 'number' ? '' : request.name;
  } catch (thrown) {
    if (!Problem.is(thrown, 'usage')) throw thrown;
    return undefined;
  }
}

describe('how the shell guard reads the command line of wt', () => {
  it('knows the commands and options that there are', () => {
    assert.deepEqual(wtTable, guardTable(), 'wtTable.ts is not what src/cli/guardTable.ts makes');
  });

  it('denies polling in the foreground, however it is written', async () => {
    for (const line of [
      'wt poll',
      'wt poll push',
      'wt poll help',
      'wt --json poll',
      'wt -C dir poll',
      'wt -Cdir poll x',
      'wt -C push poll',
      'wt poll x -C dir --verbose',
      'wt -- poll',
      'wt poll -- --help',
      'wt -- poll --help',
      'wt poll --timeout --help',
      'wt --no-color poll --all --timeout=5',
      'wt $OPTIONS poll',
      'wt -C "$HOME/x" poll',
      'npx wt poll',
      'bash -c "wt poll fix"',
      'echo x | xargs wt poll',
    ]) {
      assert.equal(await judged(line), 'deny', line);
      assert.equal(await judged(line, true), 'none', `${line}, in the background`);
    }
  });

  it('lets everything else through, whatever it is about', async () => {
    for (const line of [
      'wt rename poll fix',
      'wt rename fix poll',
      'wt log',
      'wt log poll',
      'wt predict poll',
      'wt info push',
      'wt tasks poll',
      'wt setup poll',
      'wt move poll --onto main',
      'wt redo',
      'wt schema poll',
      'wt shell-init bash',
      'wt complete bash "wt poll"',
      'wt --json list',
      'wt -C poll list',
      'wt -Cpoll info',
      'wt -C dir push',
      'wt new poll',
      'wt ls poll',
      'wt rm poll',
      'wt create --base poll x',
      'wt create x --branch=poll',
      'wt create --task "wt poll" x',
      'wt help push',
      'wt help poll',
      'wt poll -h',
      'wt poll x --help',
      'wt --help poll',
      'wt poll --version',
      'wt -V poll',
      'wt path poll --worktree poll',
      'wt add-commit poll',
      'wt checks poll && wt resolve poll',
      // Nothing may be shortened, so these are mistakes and run nothing.
      'wt pol',
      'wt --js poll',
      'docker exec box wt rename poll fix',
      'python3 -c "import os; os.system(\'wt rename poll fix\')"',
    ]) {
      assert.equal(await judged(line), 'none', line);
    }
  });

  it('never runs what it is asked to help with', async () => {
    for (const words of ['help poll', 'help -- poll', 'help -- --no-color poll', 'help -- -- poll'])
      assert.equal(await meant(words.split(' ')), '', words);
    assert.equal(await meant(['help', '--', '--x', 'nothing']), undefined);
  });

  it('agrees with the parser of wt on any words', async () => {
    const options = globalOptions.flatMap(({ syntax }) => syntax.split(' ')[0] ?? []);
    const commands = catalogue.flatMap(({ name, aliases = [] }) => [...name.split(' '), ...aliases]);
    const waiting = new Set(catalogue.flatMap(({ name, waits }) => (waits ? [name] : [])));
    const word = fc.oneof(
      { arbitrary: fc.constantFrom('poll', ...options, '-h', '--help', '-V', '--', '-', 'help', ''), weight: 5 },
      { arbitrary: fc.constantFrom(...commands), weight: 2 },
      {
        arbitrary: fc.constantFrom(
          '--timeout',
          '--timeout=3',
          '--all',
          '-Cx',
          '-Vx',
          '--json=1',
          '-xC',
          '--base',
          'x',
          '5',
        ),
        weight: 3,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (words) => {
        const name = await meant(words);
        const found = waitingCommand(words.map(argument));
        // What is a mistake runs nothing, so either answer is right.
        if (name !== undefined) assert.equal(found, waiting.has(name) ? name : undefined, JSON.stringify(words));
      }),
      { numRuns: 1500, examples: [[['help', '--', '--no-color', 'poll']], [['help', '--', '-', '--', 'poll']]] },
    );
  });

  it('finds the command that exec runs where wt itself finds it', async () => {
    const word = fc.oneof(
      { arbitrary: fc.constantFrom('exec', '--', '--all', '--stack', 'a', 'git', 'push'), weight: 6 },
      fc.constantFrom(
        '-C',
        '-Cx',
        '--jobs',
        '--jobs=2',
        '--json',
        '--keep-going',
        '-h',
        '--help',
        '-V',
        '--nope',
        'list',
        '',
      ),
    );
    const passed = (words: readonly string[]): readonly string[] => splitCommandLine(words).passed ?? [];
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
        const { at } = passedCommandAt(words, wtTable);
        // Options that only print something are known to the guard's table alone: it may find a command that is not run.
        if (!words.includes('-V')) assert.deepEqual(at === undefined ? [] : words.slice(at), passed(words));
        const { own } = splitCommandLine(words);
        const name = await meant(own);
        // What is not taken out is no command line of exec, or lacks its command.
        if (name === 'exec' && own.length < words.length) assert.notEqual(passed(words).length, 0);
      }),
      { numRuns: 1500 },
    );
    assert.deepEqual(passed(['exec', 'a', 'git', '--all']), ['git', '--all']);
    assert.deepEqual(passed(['-C', 'exec', 'exec', '--all', '--jobs', 'a', 'git']), ['git']);
    assert.deepEqual(passed(['list', 'exec', 'a', 'git']), []);
  });

  it('names only commands that there are in what it says instead', async () => {
    const known = new Set(wtTable.commands.split(' '));
    const reasons: string[] = [];
    for (const command of [
      'git push',
      'git fetch',
      'git send-email x',
      'gh pr create',
      'gh release delete v',
      'wt poll',
      'gh api graphql -f query="mutation { x }"',
      'git $(x) | sh -c "$(base64 -d y)"',
    ]) {
      const decision = await decideBash({ command, background: false, branch: 'b', cwd: '/w' }, () => 0, noAliases);
      if (decision.kind !== 'none') reasons.push(decision.reason);
    }
    const named = reasons.flatMap((reason) => [...reason.matchAll(/`wt ([a-z-]+)/g)].map(([, name]) => name ?? ''));
    assert.ok(named.length >= 6, reasons.join('\n'));
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
  });
});
