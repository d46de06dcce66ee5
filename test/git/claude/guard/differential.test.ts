import assert from 'node:assert/strict';
import { commandCases, type CommandCase } from '../../../unit/claude/guard/cases.ts';
import { compare } from './differential.ts';
import { isForbidden } from './oracle.ts';
import { canSandbox, isHarmless, shellSandbox, type ShellSandbox } from './shellSandbox.ts';
import { isThorough, shareOf } from '../../../support/share.ts';
import { skipBecause } from '../../../support/skip.ts';

describe('the shell guard beside real bash', function () {
  this.timeout(300_000);
  let sandbox: ShellSandbox;

  before(async function () {
    if (!canSandbox()) skipBecause(this, 'this system has not the programs that the sandbox is made of');
    sandbox = await shellSandbox();
  });
  after(() => sandbox?.dispose());

  /** Of the commands that are like this a share. */
  const share = (isMeant: (row: CommandCase) => boolean): readonly CommandCase[] =>
    shareOf(commandCases().filter(isMeant), 3);

  it('commands that must pass run nothing that is forbidden', async () => {
    const rows = share((row) => row.expect === 'none' && !row.limit && !row.background && isHarmless(row.command));
    const runs = await sandbox.run(rows.map(({ command }) => command));
    const wrong = rows.filter((_, index) => runs[index]!.some(isForbidden));
    assert.deepEqual(wrong, []);
    assert.ok(rows.length > 60, `${rows.length} rows`);
  });

  it('of the commands that must not pass, bash runs what they are denied for', async () => {
    const rows = share((row) => row.expect === 'deny' && isHarmless(row.command));
    const runs = await sandbox.run(rows.map(({ command }) => command));
    const proven = rows.filter((_, index) => runs[index]!.some(isForbidden));
    assert.ok(proven.length > 80, `${proven.length} of ${rows.length} rows ran something forbidden`);
  });

  // The long run is `npm run fuzz:guard`.
  it('whatever a random script runs that is forbidden, the guard has denied it', async () => {
    const outcome = await compare(
      sandbox,
      commandCases().map(({ command }) => command),
      20_261_128,
      isThorough ? 1000 : 150,
    );
    assert.deepEqual(outcome.failures, []);
    assert.ok(outcome.ran > 20, `${outcome.ran} scripts ran something forbidden`);
  });
});
