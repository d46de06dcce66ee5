import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { undo } from '../../../src/core/recovery/undo.ts';
import { CarryPair } from '../../support/carryPair.ts';

/** Does what Git LFS does: the content is in a store of the repository, and git has a line that names it. */
const lfs = `
store="$(git rev-parse --path-format=absolute --git-common-dir)/store"
mkdir -p "$store"
if [ "$1" = clean ]; then
  cat > "$store/tmp.$$"
  if head -c 8 "$store/tmp.$$" | grep -q '^pointer '; then cat "$store/tmp.$$"; rm "$store/tmp.$$"; exit; fi
  name="$(git hash-object --no-filters "$store/tmp.$$")"
  mv "$store/tmp.$$" "$store/$name"
  echo "pointer $name"
else
  read -r word name
  [ "$word" = pointer ] || exit 1
  cat "$store/$name"
fi
`;

/** Does what git-crypt does: without its key in the git directory of the worktree nothing is written or read. */
const crypt = `
key="$(git rev-parse --absolute-git-dir)/crypt-key"
[ -r "$key" ] || { echo 'crypt: the key is missing' >&2; exit 1; }
if [ "$1" = clean ]; then printf 'CRYPT '; tr a-z n-za-m; else tail -c +7 | tr a-z n-za-m; fi
`;

describe('carrying uncommitted work that filters change', function () {
  this.timeout(300_000);
  let pair: CarryPair;
  let log: string;

  /** Makes a filter of a script that writes down what it is started for, and fails while it is told to. */
  async function start(script: string): Promise<void> {
    pair = await CarryPair.start({ 'top.txt': 'top\n' });
    const { home, repository } = pair.at;
    log = join(home.root, 'filtered');
    const program = join(home.root, 'filter.sh');
    const begin = `#!/bin/bash\necho "$1 $2" >> ${log}\n[ -e ${home.root}/fails-$1 ] && { echo broken >&2; exit 1; }\n`;
    writeFileSync(program, `${begin}${script}`);
    chmodSync(program, 0o755);
    for (const way of ['clean', 'smudge']) await repository.git('config', `filter.x.${way}`, `${program} ${way} %f`);
    await repository.git('config', 'filter.x.required', 'true');
    for (const name of ['main', 'a', 'b']) {
      const key = join(await pair.git(name, 'rev-parse', '--absolute-git-dir'), 'crypt-key');
      writeFileSync(key, 'key\n');
    }
    const files = { 'one.bin': 'one\n', 'two.bin': 'two\n', 'other.bin': 'other\n', 'gone.bin': 'gone\n' };
    await pair.at.commit('main', 'Filtered', { '.gitattributes': '*.bin filter=x -text\n', ...files });
    for (const name of ['a', 'b']) await pair.git(name, 'reset', '--quiet', '--hard', 'main');
    // Git reads anew what was written in the very moment in which its index was.
    for (const name of ['a', 'b']) await pair.git(name, 'status');
  }
  afterEach(() => pair.dispose());

  async function work(): Promise<void> {
    pair.write('a', 'one.bin', 'staged\n');
    await pair.git('a', 'add', 'one.bin');
    pair.write('a', 'one.bin', 'unstaged\n');
    pair.write('a', 'two.bin', 'changed\n');
    pair.write('a', 'new.bin', Buffer.from([0, 255, 13, 10, 97]));
    await pair.git('a', 'rm', '--quiet', 'gone.bin');
    pair.write('a', 'top.txt', 'changed\n');
  }

  const fails = (way: string, yes: boolean): void => {
    const file = join(pair.at.home.root, `fails-${way}`);
    if (yes) writeFileSync(file, '');
    else rmSync(file);
  };

  /** What the filter was started for by something, with how often. */
  async function filteredBy(act: () => Promise<unknown>): Promise<Map<string, number>> {
    writeFileSync(log, '');
    await act();
    const counts = new Map<string, number>();
    for (const each of readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== ''))
      counts.set(each, (counts.get(each) ?? 0) + 1);
    return counts;
  }

  const isBlob = (name: string, path: string): Promise<string> => pair.git(name, 'cat-file', 'blob', `:${path}`);

  const kinds = { 'Git LFS': { script: lfs, inGit: /^pointer / }, 'git-crypt': { script: crypt, inGit: /^CRYPT / } };
  for (const [kind, { script, inGit }] of Object.entries(kinds)) {
    describe(`as ${kind} does`, () => {
      beforeEach(() => start(script));

      it('has the right bytes on both sides, and filters only what is carried', async () => {
        await work();
        const before = await pair.both();
        const expected = await pair.status('a');
        const filtered = await filteredBy(() => pair.carry());
        assert.equal(pair.text('b', 'one.bin'), 'unstaged\n');
        assert.equal(pair.text('b', 'two.bin'), 'changed\n');
        assert.deepEqual(readFileSync(pair.path('b', 'new.bin')), Buffer.from([0, 255, 13, 10, 97]));
        assert.equal(pair.text('a', 'one.bin'), 'one\n');
        assert.equal(pair.text('a', 'gone.bin'), 'gone\n');
        assert.ok(!pair.isThere('b', 'gone.bin'));
        assert.equal(await pair.status('b'), expected);
        assert.equal(await pair.status('a'), '');
        assert.match(await isBlob('b', 'one.bin'), inGit);
        const names = new Set([...filtered.keys()].map((each) => each.split(' ')[1]));
        assert.deepEqual([...names].sort(), ['gone.bin', 'new.bin', 'one.bin', 'two.bin']);
        await pair.undo();
        assert.deepEqual(await pair.both(), before);
      });

      it('is refused with nothing touched while the filter fails, either way, and so is its undo', async () => {
        await work();
        for (const way of ['clean', 'smudge']) {
          await pair.refused({ reason: 'git-failed' }, 'move', {
            before: () => fails(way, true),
            after: () => fails(way, false),
          });
        }
        const before = await pair.both();
        await pair.carry('move');
        const after = await pair.both();
        fails('smudge', true);
        await assert.rejects(undo(pair.at.workspace), { reason: 'git-failed' });
        fails('smudge', false);
        assert.deepEqual(await pair.both(), after);
        await pair.undo();
        assert.deepEqual(await pair.both(), before);
      });
    });
  }
});
