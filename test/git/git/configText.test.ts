import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { isOnIn } from '../../../src/core/git/configText.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';

const header = fc.constantFrom(
  '[core]\n',
  '[core]',
  '[CORE] ',
  '[core "x"]\n',
  '[other]',
  '[core.x]\n',
  '[core] # of git\n',
);
const name = fc.constantFrom('sparseCheckout', 'sparseCheckout', '\tSPARSECHECKOUT', 'sparseCheckoutCone', 'bare');
const values = ['', '=', '= true', '=false', ' = yes', ' = No', ' = on', ' = off', '=0', '= 1', '= 2k', '=-1', '= ""'];
const odd = [
  '= "true"',
  '= t"ru"e',
  '=tr\\\nue',
  '= \\\r\nfalse',
  ' = true # or "not',
  '=false ;"',
  '= "',
  '# no value',
];
const setting = fc
  .tuple(name, fc.constantFrom(...values, ...odd), fc.constantFrom('\n', '\n', '\r\n', '', ' \n\n'))
  .map((parts) => parts.join(''));
const comment = fc.constantFrom('# sparseCheckout = true\n', '; ends with \\\n', '\n', ' \t');
const text = fc
  .tuple(fc.constantFrom('', '\ufeff'), header, fc.array(fc.oneof(header, setting, setting, comment), { maxLength: 6 }))
  .map(([first, opened, rest]) => [first, opened, ...rest].join(''));

describe('a setting in the text of a configuration', () => {
  let home: TestHome;
  before(async () => {
    home = await testHome();
  });
  after(() => home.dispose());

  /** What git itself says; nothing where it does not read the text, or takes the value for neither. */
  const gitSays = (file: string): Promise<{ on: boolean | undefined } | undefined> =>
    new Promise((done) => {
      const args = ['config', '--file', file, '--type=bool', '--get', 'core.sparseCheckout'];
      execFile('git', args, { env: home.variables }, (error, stdout) => {
        if (!error) done({ on: stdout.trim() === 'true' });
        else done(error.code === 1 ? { on: undefined } : undefined);
      });
    });

  it('is read as git reads it, whatever stands around it', async () => {
    const told = { on: 0, off: 0, unsaid: 0 };
    for (const sample of fc.sample(text, { numRuns: 200, seed: 7 })) {
      const file = join(home.root, 'config');
      await writeFile(file, sample);
      const wanted = await gitSays(file);
      if (!wanted) continue;
      assert.equal(isOnIn(sample, 'core', 'sparsecheckout'), wanted.on, JSON.stringify(sample));
      told[wanted.on === undefined ? 'unsaid' : wanted.on ? 'on' : 'off']++;
    }
    assert.ok(
      Object.values(told).every((count) => count > 15),
      JSON.stringify(told),
    );
  });
});
