import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientResult } from '../support/claude/client.ts';
import { makeWorkplace, type Workplace } from '../support/claude/workplace.ts';

describe('the start of a session in Claude Code', () => {
  let place: Workplace;
  let one: string;
  let two: string;
  before(async () => {
    place = await makeWorkplace();
    one = await place.create('one');
    two = await place.create('two');
  });
  after(() => place.dispose());

  /** What the model could read in its last request. */
  const seen = (result: ClientResult): string => result.requests.at(-1)?.text ?? '';
  const reminder = (path: string, branch: string): string =>
    `ACTIVE WORKTREE: You have an active worktree at ${path} (branch: ${branch}). You MUST cd to this directory before running any commands. Run: cd ${path}`;
  const switchTo = (name: string): Promise<string> => place.wt(place.repository.root, 'switch', name);

  it('leads the model to the active worktree, also when the session is resumed or cleared', async () => {
    await switchTo('one');
    const started = await place.run({ prompts: ['Begin.', '/clear', 'Begin again.'] });
    assert.equal(started.exitCode, 0, started.stderr);
    const [atStart] = started.requests;
    assert.ok(atStart?.text.includes(reminder(one, 'one')), atStart?.text);
    assert.notEqual(started.requests.at(-1), atStart);
    assert.ok(seen(started).includes(reminder(one, 'one')), 'after /clear');
    const resumed = await place.run({ prompts: ['Go on.'], args: ['--resume', started.sessionId] });
    assert.ok(seen(resumed).includes(reminder(one, 'one')), 'after a resume');
  });

  it('tells the person in the words of the design', async () => {
    await switchTo('one');
    const started = await place.run({});
    const said = started.events.find(
      (event) => event['hook_event'] === 'SessionStart' && event['subtype'] === 'hook_response',
    );
    const answer = JSON.parse(String(said?.['stdout'])) as { systemMessage: string };
    assert.equal(answer.systemMessage, reminder(one, 'one'));
  });

  it('says which reminder holds when another worktree is active by the time a session is resumed', async () => {
    await switchTo('one');
    const started = await place.run({});
    await switchTo('two');
    const resumed = await place.run({ prompts: ['Go on.'], args: ['--resume', started.sessionId] });
    const text = seen(resumed);
    const later = text.lastIndexOf(reminder(two, 'two'));
    assert.ok(later > text.indexOf(reminder(one, 'one')), 'the newer one comes last');
    assert.match(text.slice(later), /replaces earlier reminders of an active worktree/);
  });

  it('does the same in a subfolder and in another worktree', async () => {
    await switchTo('one');
    await place.repository.write('deep/down/file.txt', 'text\n');
    for (const cwd of [join(place.repository.root, 'deep', 'down'), two]) {
      assert.ok(seen(await place.run({ cwd })).includes(`active worktree at ${one} (branch: one)`), cwd);
    }
  });

  it('is silent when there is no active worktree, and when the state file is damaged', async () => {
    const file = join(place.repository.root, '.claude', 'dev-worktree.local.md');
    for (const text of [undefined, 'half a fi', '---\nactive_worktree: [\n---\n']) {
      if (text === undefined) await rm(file, { force: true });
      else await writeFile(file, text);
      const started = await place.run({});
      assert.equal(started.exitCode, 0);
      assert.doesNotMatch(seen(started), /ACTIVE WORKTREE/);
      if (text !== undefined) assert.equal(await readFile(file, 'utf8'), text);
    }
  });

  it('forgets an active worktree that is gone', async () => {
    const file = join(place.repository.root, '.claude', 'dev-worktree.local.md');
    await writeFile(file, `---\nactive_worktree: ${one}-gone\nbranch: gone\ncreated: 2026-02-13\n---\n`);
    assert.doesNotMatch(seen(await place.run({})), /ACTIVE WORKTREE/);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });
});
