import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { catalogue } from '../../src/cli/definitions/catalogue.ts';
import { breakages, type Breakage } from './support/brokenPlaces.ts';
import { wtHome, wtProgram, type WtHome } from './support/wt.ts';
import { WtProcess, mayRun, plainUser, type Answer } from './support/wtProcess.ts';
import { isThorough } from '../support/share.ts';

/** Folders of ours, relative to the main root. */
const folders = [
  '.worktrees',
  '.worktrees/hooks',
  '.worktrees/bin',
  '.worktrees/one/.claude-state',
  '.claude',
  '.claude/agents',
  '.git/worktree-stacks',
  '.git/worktree-stacks/operations',
  '.git/worktree-stacks/log',
  '.git/worktree-stacks/trash',
  '.git/info',
];
/** Files of ours, and those of others that we read. */
const files = [
  '.worktrees/stack.json',
  '.worktrees/hooks/run',
  '.worktrees/one/.poll-active',
  '.worktrees/one/.poll-state.json',
  '.worktrees/one/.claude-state/workflow.json',
  '.worktrees/one/.claude-state/.active-run-id',
  '.claude/dev-worktree.local.md',
  '.claude/agents/wt-one.md',
  '.worktrees.yml',
  'tracked.json',
  'agents/session.md',
  '.git/worktree-stacks/operations/one.json',
  '.git/worktree-stacks/log/20990101-000000-000-1-rebase.json',
  '.git/worktree-stacks/log/hooks.jsonl',
  '.git/worktree-stacks/predictions-2.json',
  '.git/wt-merge.json',
  '.git/info/exclude',
  '../.worktree-stacks/approvals.json',
];
/** Git's own. It waits itself for pipes in their place, so there are none here. */
const gitsFiles = [
  '.git/HEAD',
  '.git/config',
  '.git/index',
  '.git/packed-refs',
  '.git/refs/heads/one',
  '.git/worktrees/one/gitdir',
  '.git/worktrees/one/HEAD',
  '.git/worktrees/one/index',
  '.worktrees/one/.git',
];
const gitsFolders = ['.git/worktrees/one', '.git/objects', '.worktrees/one'];

/** What commands are given that are of no use with the names alone, by name; several ways to use a command make several. */
const uses: Readonly<Record<string, readonly (readonly string[])[]>> = {
  create: [['new'], ['new', '--base', 'one', '--json']],
  cleanup: [['one', '--force'], ['--all', '--force'], ['--merged']],
  rebase: [
    ['one', '--offline'],
    ['two', '--stack', '--offline'],
    ['one', '--continue'],
  ],
  move: [['two', '--onto', 'main', '--offline']],
  rename: [['one', 'other']],
  switch: [['one'], ['-'], []],
  lock: [['one', '--reason', 'why']],
  unlock: [['one']],
  merge: [['one'], ['one', '--abort']],
  list: [[], ['--json'], ['--porcelain']],
  active: [[], ['--clear']],
  setup: [['one'], ['--merge-driver']],
  doctor: [[], ['--fix', '--json']],
  'check-ignore': [[], ['--fix']],
  'state begin': [['-C', '.worktrees/one']],
  'state progress': [[], ['--step', '2']],
  'state end': [['-C', '.worktrees/one']],
  'state cleanup': [[]],
  'state db query': [['SELECT 1']],
  // It asks npm, and nothing here.
  'state db install': [],
  poll: [['one', '--timeout', '0']],
  'add-commit': [['README.md']],
  path: [['README.md', '--worktree', 'one']],
  diff: [['one', '--stat']],
  exec: [['--all', 'true']],
  'shell-init': [['bash']],
  complete: [['fish', 'info', '']],
  'delete-trash': [['.git/worktree-stacks/trash/0123']],
  'merge-driver': [['session', 'README.md', 'README.md', 'README.md']],
  hook: [
    ['guard'],
    ['session-start'],
    ['teammate-idle'],
    ['task-completed'],
    ['worktree-create'],
    ['worktree-remove'],
    ['activity'],
  ],
};

/** Every command in every use, from the definitions: a command that is new is tried with a worktree's name for each word that it needs. */
const commands = catalogue.flatMap(({ name, words = [] }) => {
  const needed = words
    .filter(({ syntax }) => syntax.startsWith('<'))
    .map(({ kind }) => (kind === 'file' ? 'README.md' : 'one'));
  return (uses[name] ?? [needed]).map((more) => [...name.split(' '), ...more]);
});

const sorry = /fault in wt itself|\n\s+at .+:\d+:\d+|TypeError|ReferenceError|Cannot read properties|\[object Object\]/;
// So long that only what never ends is stopped: git itself reads a file of two gigabytes through, on a machine that does much else.
const deadline = 240_000;

describe('wt in a repository in which something is not what it should be', function () {
  this.timeout(900_000);
  let home: WtHome;
  let wt: WtProcess;
  let root: string;
  let template: string;

  before(async () => {
    home = await wtHome();
    const repository = await home.repository();
    root = repository.root;
    template = join(home.root, 'template');
    await repository.commit('Files', {
      'agents/session.md': '# Session\n\n## Pending Tasks\n\n- [ ] Fix login\n',
      '.worktrees.yml': 'tracking_file: tracked.json\nchecks: "true"\n',
    });
    await home.done(root, 'create', 'one');
    await repository.commit('One', { 'one.txt': 'one\n' }, join(root, '.worktrees/one'));
    await home.done(root, 'create', 'two', '--base', 'one');
    await repository.commit('Two', { 'two.txt': 'two\n' }, join(root, '.worktrees/two'));
    await repository.commit('Main', { 'main.txt': 'main\n' });
    await home.done(root, 'rebase', 'one', '--offline');
    await home.done(root, 'create', 'gone');
    await home.done(root, 'cleanup', 'gone');
    await home.done(join(root, '.worktrees/one'), 'state', 'progress', '--step', '1');
    await home.done(root, 'predict');
    await repository.write(
      '.git/worktree-stacks/log/hooks.jsonl',
      '{"at":"2099-01-01T00:00:00.000Z","event":"Stop","decision":"none"}\n',
    );
    execFileSync('cp', ['-a', root, template]);
    const user = plainUser();
    if (user.uid !== undefined) {
      execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home.root]);
      await chmod(dirname(home.root), (await import('node:fs')).statSync(dirname(home.root)).mode);
      await chown(home.root, user.uid, user.gid ?? user.uid);
    }
    const bundle = join(dirname(wtProgram), 'wtProgram.js');
    wt = new WtProcess(bundle, home.variables, mayRun(user, bundle) ? user : {});
  });
  after(async () => {
    await wt.stop();
    execFileSync('chmod', ['-R', 'u+rwX', home.root]);
    await home.dispose();
  });

  const restore = (): void => {
    // Twice, because a command may still be deleting in the background.
    execFileSync('sh', [
      '-c',
      'chmod -R u+rwX "$1"; rm -rf "$1" || rm -rf "$1" && cp -a "$2" "$1"',
      '-',
      root,
      template,
    ]);
  };
  const inputFor = (args: readonly string[]): string =>
    args[0] === 'hook'
      ? JSON.stringify({
          hook_event_name: 'PreToolUse',
          cwd: join(root, '.worktrees/one'),
          tool_name: 'Write',
          tool_input: { file_path: join(root, 'README.md') },
          name: 'new',
          worktree_path: join(root, '.worktrees/two'),
          teammate_name: 'wt-one',
        })
      : 'A message\n';

  const faultsOf = (args: readonly string[], { code, stdout, stderr }: Answer): string | undefined => {
    if (code === 'hung') return stderr;
    if (![0, 1, 2].includes(code)) return `exit code ${code}`;
    if (sorry.test(stdout) || sorry.test(stderr)) return 'a fault';
    if (args[0] !== 'hook' && code !== 0 && !args.includes('--json') && stderr.trim() + stdout.trim() === '')
      return 'no word of why';
    return undefined;
  };

  /** Tries commands on a broken place; what went wrong. */
  const trying = async (
    place: string,
    breakage: Breakage,
    tried: readonly (readonly string[])[],
  ): Promise<string[]> => {
    const wrong: string[] = [];
    for (const args of tried) {
      restore();
      breakage.apply(join(root, place));
      if (process.getuid?.() === 0) execFileSync('chown', ['-hR', '65534:65534', dirname(join(root, place))]);
      const answer = await wt.run(root, args, inputFor(args), deadline);
      const fault = faultsOf(args, answer);
      if (fault !== undefined)
        wrong.push(`${place} ${breakage.name}: wt ${args.join(' ')}: ${fault}\n${answer.stderr.slice(0, 600)}`);
      if (process.env['TELL'])
        console.log(
          `${place} ${breakage.name}: wt ${args.join(' ')}: ${answer.code}\n    ${answer.stderr.split('\n').slice(0, 2).join('\n    ')}`,
        );
    }
    return wrong;
  };

  // Each run takes its time, so each place is only tried with some kinds of damage, and each of these with one command: over all the places
  // every kind and every command has its turn. With `--thorough` each place is tried with every kind.
  const step = isThorough ? 1 : 8;
  let turn = 0;
  const next = (): readonly string[] => commands[turn++ % commands.length] ?? [];

  for (const [what, places, applies] of [
    ['a folder of ours', folders, ({ forFilesOnly }: Breakage) => !forFilesOnly],
    ['a file of ours', files, () => true],
    ["a file of git's", gitsFiles, ({ pipe, name }: Breakage) => !pipe && name !== 'huge'],
    ["a folder of git's", gitsFolders, ({ forFilesOnly, pipe }: Breakage) => !forFilesOnly && !pipe],
  ] as const) {
    for (const [index, place] of places.entries()) {
      it(`says what is wrong with ${what}, and ends: ${place}`, async () => {
        const wrong: string[] = [];
        const kinds = breakages.filter(
          (each) => applies(each) && !(place.startsWith('.git/info/') && each.name === 'huge'),
        );
        for (const [at, breakage] of kinds.entries())
          if ((at + index) % step === 0) wrong.push(...(await trying(place, breakage, [next()])));
        assert.deepEqual(wrong, []);
      });
    }
  }
});
