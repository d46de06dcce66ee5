import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appears } from '../../support/appears.ts';
import { ended } from '../../support/ended.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type Ran, type WtHome } from '../support/wt.ts';

/** A result of a hook, as `--json` has it. */
interface Result {
  readonly event: string;
  readonly state: string;
  readonly exit_code: number | null;
  readonly output: string | null;
}

describe('the hooks of a worktree', () => {
  let home: WtHome;
  let repository: TestRepository;
  let out: string;
  repositoryForEach((at) => {
    ({ home, repository } = at);
    out = join(home.root, `out-${at.count}`);
  });
  beforeEach(() => mkdir(out, { recursive: true }));

  const wt = (...args: string[]): Promise<Ran> => home.wt(repository.root, args, { variables: { OUT: out } });
  const configure = (yaml: string): Promise<unknown> => repository.commit('Configure', { '.worktrees.yml': yaml });
  const path = (name: string): string => join(repository.root, '.worktrees', name);
  const results = (ran: Ran, from: Record<string, unknown> = ran.json()): Result[] => from['hooks'] as Result[];
  const states = (all: readonly Result[]): string[] => all.map(({ event, state }) => `${event} ${state}`);
  const text = (name: string): Promise<string> => readFile(join(out, name), 'utf8');
  const approve = async (): Promise<void> => assert.equal((await wt('hooks', '--approve')).code, 0);

  it('run around create, switch, merge and removal, approved, with the variables of setup, checks and exec, and the user’s own without approval', async () => {
    const say = (event: string): string =>
      `echo "$WT_HOOK $WT_NAME $WT_BASE $WT_PORT $COMPOSE_PROJECT_NAME $PWD" >> "$OUT/${event}"`;
    const events = ['after_create', 'after_switch', 'before_merge', 'after_merge', 'before_remove', 'after_remove'];
    const list = events.map((event) => `  ${event}: '${say(event)}'\n`).join('');
    await configure(
      `ports: { range: 27000-27999 }\ncompose: {}\nsetup: ['echo "$WT_NAME $WT_PORT $COMPOSE_PROJECT_NAME" > "$OUT/setup"']\nchecks: echo "$WT_NAME$WT_PORT" > "$OUT/checks"\nhooks:\n${list}`,
    );
    const folder = join(home.variables['WORKTREE_STACKS_HOME'] ?? '', 'config');
    const own =
      home.variables['WORKTREE_STACKS_HOME'] === undefined
        ? join(home.variables['XDG_CONFIG_HOME'] ?? join(home.variables['HOME'] ?? '', '.config'), 'worktree-stacks')
        : folder;
    await mkdir(own, { recursive: true });
    await writeFile(join(own, 'config.yml'), 'hooks: { after_create: \'echo "$WT_NAME" > "$OUT/own"\' }\n');

    const unapproved = await wt('create', 'early', '--json');
    assertMatches('create', unapproved.json());
    assert.deepEqual(states(results(unapproved)), ['after_create unapproved', 'after_create passed']);
    assert.match(String(unapproved.json()['warnings']), /not approved.*wt hooks early --approve --run after_create/s);
    assert.equal(await text('own'), 'early\n');
    await rm(join(own, 'config.yml'));
    const refused = await wt('cleanup', 'early', '--json');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /not approved.*--no-hooks/s);
    assert.ok(existsSync(path('early')), 'what has to run first and may not stops it');

    await approve();
    await wt('setup', 'early', '--approve');
    const created = await wt('create', 'feat', '--json');
    const port = String((created.json()['ports'] as number[])[0]);
    const project = `${repository.root.split('/').at(-1)}-feat`;
    const told = (event: string, at: string): string => `${event} feat main ${port} ${project} ${at}\n`;
    assert.deepEqual(states(results(created)), ['after_create passed']);
    assert.equal(await text('after_create'), told('after_create', path('feat')));
    assert.equal(await text('setup'), `feat ${port} ${project}\n`);
    const exec = await wt('exec', 'feat', 'sh', '-c', 'echo "$WT_NAME $WT_PORT $COMPOSE_PROJECT_NAME"');
    assert.equal(exec.stdout, await text('setup'));
    const switched = await wt('switch', 'feat', '--json');
    assertMatches('switch', switched.json());
    assert.equal(await text('after_switch'), told('after_switch', path('feat')));

    await repository.commit('Work', { 'work.txt': 'w\n' }, path('feat'));
    const merged = await wt('merge', 'feat', '--approve', '--json');
    assert.equal(merged.code, 0, merged.stderr);
    assertMatches('merge', merged.json());
    assert.equal(await text('before_merge'), told('before_merge', path('feat')));
    assert.equal(await text('after_merge'), told('after_merge', repository.root));
    assert.equal(await text('checks'), 'main\n', 'the checks run in the main working tree');
    const removed = await wt('cleanup', 'feat', '--json');
    assert.equal(removed.code, 0, removed.stderr);
    assertMatches('cleanup', removed.json());
    assert.equal(await text('before_remove'), told('before_remove', path('feat')));
    assert.equal(await text('after_remove'), told('after_remove', repository.root));

    const before = await text('after_create');
    await wt('undo');
    assert.deepEqual([await text('after_create'), existsSync(path('feat'))], [before, true], 'undo runs none');
    assert.deepEqual(states(results(await wt('create', 'bare', '--no-hooks', '--json'))), []);
    // Another command at the same event asks again.
    await configure('hooks: { before_remove: "true && true" }\n');
    assert.equal((await wt('cleanup', 'bare')).code, 1);
    assert.equal((await wt('cleanup', 'bare', '--no-hooks')).code, 0);
    const known = (await wt('hooks', '--json')).json();
    assertMatches('hooks', known);
    assert.ok((known['runs'] as { state: string }[]).every(({ state }) => state === 'passed'));
  });

  it('stop what they come before when they fail or hang, and nothing was done; after something they are told', async () => {
    await configure(
      'hooks:\n  after_create: [echo made, "echo no >&2; exit 3", touch "$OUT/third"]\n  before_remove: [{ run: "echo stuck; sleep 60", timeout: 1s }]\n  before_merge: exit 7\n',
    );
    await approve();
    const created = await wt('create', 'x', '--json');
    assert.equal(created.code, 0, 'the worktree is there');
    assert.deepEqual(states(results(created)), ['after_create passed', 'after_create failed', 'after_create passed']);
    assert.equal(await readFile(results(created)[1]?.output ?? '', 'utf8'), 'no\n');
    await repository.commit('Work', { 'work.txt': 'w\n' }, path('x'));
    const head = await repository.git('rev-parse', 'HEAD');
    const merged = await wt('merge', 'x', '--json');
    assertFailure(merged.json(), 'hook-failed');
    assert.match(merged.stderr, /before_merge command failed with exit code 7.*--no-hooks/s);
    assert.equal(await repository.git('rev-parse', 'HEAD'), head);
    const removed = await wt('cleanup', 'x');
    assert.equal(removed.code, 1);
    assert.match(removed.stderr, /had not ended after 1 s.*stuck.*hooks\.timeout.*--no-hooks/s);
    assert.ok(existsSync(path('x')));
  });

  it('merge what they commit, keep the ends of what they print, and are skipped without a folder', async () => {
    await configure(
      `hooks:\n  after_create: "seq 100000"\n  before_merge: 'echo f > formatted && git add formatted && git -c user.name=a -c user.email=a@b commit -qm F'\n`,
    );
    await approve();
    const [loud] = results(await wt('create', 'x', '--json'));
    const kept = await readFile(loud?.output ?? '', 'utf8');
    assert.ok(kept.length < 400_000 && kept.startsWith('1\n2\n') && kept.endsWith('\n100000\n'));
    assert.match(kept, /… \d+ characters were left out …/);
    await repository.commit('Work', { 'work.txt': 'w\n' }, path('x'));
    const merged = await wt('merge', 'x', '--json');
    assert.equal(merged.code, 0, merged.stderr);
    assert.equal(await readFile(join(repository.root, 'formatted'), 'utf8'), 'f\n');
    await repository.git('branch', 'loose', 'HEAD~1');
    await repository
      .git('commit-tree', '-p', 'loose', '-m', 'L', 'loose^{tree}')
      .then((commit) => repository.git('branch', '-f', 'loose', commit));
    const skipped = await wt('merge', 'loose', '--json');
    assert.deepEqual(states(results(skipped)), ['before_merge skipped']);
    assert.match(String(skipped.json()['notes'] && JSON.stringify(skipped.json()['notes'])), /folderMissing|skipped/);
  });

  for (const signal of ['SIGKILL', 'SIGINT'] as const)
    it(`leave everything as it was when wt gets ${signal} while one runs`, async () => {
      await configure(
        'hooks: { before_remove: \'echo $$ > "$OUT/pid.new"; mv "$OUT/pid.new" "$OUT/pid"; sleep 60\' }\n',
      );
      await approve();
      await wt('create', 'x');
      let child: ChildProcess | undefined;
      const ran = home.wt(repository.root, ['cleanup', 'x'], {
        variables: { OUT: out },
        onStart: (started) => (child = started),
      });
      await appears(join(out, 'pid'));
      child?.kill(signal);
      await ran;
      const pid = Number(await text('pid'));
      if (signal === 'SIGKILL') process.kill(-pid, 'SIGKILL');
      await ended(pid);
      assert.ok(existsSync(join(path('x'), '.git')));
      const [last] = (await wt('hooks', '--json')).json()['runs'] as { state: string }[];
      assert.equal(last?.state, signal === 'SIGKILL' ? 'killed' : 'cancelled');
      assert.equal((await wt('cleanup', 'x', '--no-hooks')).code, 0);
    });

  it('run in the background where that is asked for, only while they are approved, and what they printed is shown', async () => {
    await configure(
      'hooks: { after_create: [{ run: \'until [ -e "$OUT/go" ]; do sleep 0.05; done; echo done; touch "$OUT/end"\', background: true }] }\n',
    );
    await approve();
    const created = await wt('create', 'x', '--json');
    const [result] = results(created);
    assert.equal(result?.state, 'started');
    assert.equal(((await wt('hooks', '--json')).json()['runs'] as { state: string }[])[0]?.state, 'running');
    await writeFile(join(out, 'go'), '');
    await appears(join(out, 'end'));
    assert.equal((await wt('run-hook', 'x.after_create.2')).code, 2, 'a run that nobody has begun');
    await configure('hooks: {}\n');
    assert.equal((await wt('run-hook', 'x.after_create.1')).code, 2, 'one that is not configured any more');
    assert.equal(await readFile(result.output ?? '', 'utf8'), 'done\n');
  });

  it('run for the worktrees that Claude Code makes and removes as well', async () => {
    const say = (event: string): string => `echo "$WT_HOOK $WT_NAME" > "$OUT/${event}"`;
    const events = ['after_create', 'before_remove', 'after_remove'];
    await configure(`hooks:\n${events.map((event) => `  ${event}: '${say(event)}'\n`).join('')}`);
    await approve();
    const hook = (event: string, input: object): Promise<Ran> =>
      home.wt(repository.root, ['hook', event], {
        variables: { OUT: out },
        input: JSON.stringify({ session_id: 's1', cwd: repository.root, ...input }),
      });
    const made = await hook('worktree-create', { hook_event_name: 'WorktreeCreate', name: 'feat' });
    assert.deepEqual([made.code, made.stdout.trim()], [0, path('feat')], made.stderr);
    assert.equal(await text('after_create'), 'after_create feat\n');
    const gone = await hook('worktree-remove', { hook_event_name: 'WorktreeRemove', worktree_path: path('feat') });
    assert.deepEqual([gone.code, existsSync(path('feat'))], [0, false], gone.stderr);
    assert.deepEqual(
      [await text('before_remove'), await text('after_remove')],
      ['before_remove feat\n', 'after_remove feat\n'],
    );
  });
});
