import assert from 'node:assert/strict';
import fc from 'fast-check';
import { processorTime } from '../../../../src/cli/processorTime.ts';
import { decideBash, type BashInput } from '../../../../src/core/claude/guard/bashGuard.ts';
import { defaultLimits } from '../../../../src/core/claude/guard/shell/budget.ts';
import type { Permission } from '../../../../src/core/claude/hookDecision.ts';

const input = (command: string): BashInput => ({
  command,
  background: false,
  branch: 'feat-auth',
  worktree: '/w/feat-auth',
  cwd: '/w/feat-auth',
});
const still = (): number => 0;
const decide = (command: string, aliases: Record<string, string> = {}): Promise<Permission> =>
  decideBash(input(command), still, async (verb) => (Object.hasOwn(aliases, verb) ? aliases[verb] : undefined));

suite('the shell guard', () => {
  const reasonFor = async (command: string, aliases: Record<string, string> = {}): Promise<string> => {
    const decision = await decide(command, aliases);
    assert.equal(decision.kind, 'deny', command);
    return decision.reason;
  };

  test('a reason names the words that were found, where they were, and the command to use instead', async () => {
    assert.match(await reasonFor('npm test && git push -f'), /^`git push`: .*`wt push feat-auth`/);
    assert.match(await reasonFor('git pull --rebase'), /^`git pull`: .*`wt rebase feat-auth`/);
    assert.match(await reasonFor("sudo sh -c 'git push'"), /^`git push` in sh -c: /);
    assert.match(await reasonFor('gh pr create --fill'), /^`gh pr create`: .*`wt pr feat-auth`/);
    assert.match(await reasonFor('wt poll x'), /^`wt poll`: .*run_in_background/);
  });

  test('a reason shows what is unknown as such, and no control characters', async () => {
    assert.match(await reasonFor('gh pr "$verb" 1'), /^`gh pr …`/);
    assert.doesNotMatch(await reasonFor("gh pr $'a\\x1b[31mb' 1"), /[\u0000-\u001f]/);
  });

  test('an alias of the repository is judged by what it stands for', async () => {
    const aliases = { p: 'push', sync: '!git pull && npm ci', st: 'status -sb', chain: 'p origin' };
    assert.match(await reasonFor('git p', aliases), /in the git alias p/);
    assert.match(await reasonFor('git sync', aliases), /^`git pull`/);
    assert.match(await reasonFor('git chain', aliases), /in the git alias p/);
    assert.equal((await decide('git st', aliases)).kind, 'none');
  });

  test('an alias may be called like the end of a git command', async () => {
    for (const name of ['l', 'e', 's', 'ell', 'tree', 'h-i18n']) await reasonFor(`git ${name}`, { [name]: 'push' });
  });

  test('an alias that leads to itself ends', async () => {
    assert.equal((await decide('git a', { a: 'b', b: 'a' })).kind, 'none');
  });

  test('aliases are asked for only where git has no command of that name', async () => {
    const asked: string[] = [];
    const lookUp = async (verb: string, directory: string) => void asked.push(`${verb} in ${directory}`);
    await decideBash(input('git status && npm test && git -C sub st | git log'), still, lookUp);
    assert.deepEqual(asked, ['st in /w/feat-auth/sub']);
  });

  test('an alias that cannot be looked up is an error for the caller, who then denies', async () => {
    const lookUp = () => Promise.reject(new Error('git is broken'));
    await assert.rejects(decideBash(input('git st'), still, lookUp), /git is broken/);
  });

  test('when the time is up, what was not read is judged by its words', async () => {
    let now = 0;
    const fast = (): number => (now += 1000);
    const long = `${'echo a; '.repeat(50)}`;
    const lookUp = async () => undefined;
    assert.equal((await decideBash(input(`${long} git push`), fast, lookUp)).kind, 'deny');
    assert.equal((await decideBash(input(`${long} git status`), fast, lookUp)).kind, 'none');
  });

  test('time in which it does not run does not count', async () => {
    const slow = async (): Promise<string> => {
      // A git that takes longer than the guard has: what comes after it must be looked at all the same.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * defaultLimits.milliseconds);
      return '!v=pu; echo a; echo b; echo c; echo d; git "${v}sh"';
    };
    const decision = await decideBash(input('git send'), processorTime, slow);
    assert.equal(decision.kind, 'deny');
    const byTheWall = await decideBash(input('git send'), () => Date.now(), slow);
    assert.equal(byTheWall.kind, 'none', 'the test proves nothing when a clock on the wall would do');
  });

  test('no limit is exceeded in silence', async () => {
    const lookUp = async () => undefined;
    const limits = { ...defaultLimits, steps: 40 };
    const nested = 'sh -c \'sh -c "eval git push"\'';
    for (const [name, limit] of Object.entries({ steps: limits, depth: { ...defaultLimits, depth: 1 } })) {
      const command = name === 'steps' ? `${'true; '.repeat(60)}${nested}` : nested;
      assert.equal((await decideBash(input(command), still, lookUp, limit)).kind, 'deny', name);
    }
    const tooLong = { ...defaultLimits, characters: 10 };
    assert.equal((await decideBash(input('echo a; git push'), still, lookUp, tooLong)).kind, 'deny');
    assert.equal((await decideBash(input('echo a; git status'), still, lookUp, tooLong)).kind, 'none');
  });

  test('a script that doubles a text over and over comes to an end', async () => {
    assert.equal((await decide(`x=aaaaaaaaaaaaaaaa; ${'x=$x$x; '.repeat(60)} echo $x`)).kind, 'none');
  });

  test('names of properties that every object has mean nothing', async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const command = `${name} x; git ${name}; gh ${name === 'constructor' ? 'pr view' : 'status'}; echo \${${name}} $${name}; ${name}=1`;
      assert.equal((await decide(command)).kind, 'none', command);
    }
  });

  test('no text makes the guard fail', async () => {
    const pieces = fc.constantFrom(
      ...'git push $( ) ` " \' \\ { } [ ] ; & | < > << E \n # ! ~ * ? = ${ }} (( )) x 1'.split(' '),
    );
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 40 }).map((each) => each.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (command) => {
        assert.ok(['deny', 'none'].includes((await decide(command)).kind));
      }),
      { numRuns: 500 },
    );
  });
});
