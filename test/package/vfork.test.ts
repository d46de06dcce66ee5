import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/lib/install.mjs';
import { quickStart } from '../../scripts/lib/vfork.mjs';
import { skipBecause } from '../support/skip.ts';

/*
 * What lets the tests' Node start programs quickly must change nothing that they see. All of it in one process, so that what a child did to the memory
 * that it shares with its parent would show.
 */
const script = `
  const { execFileSync, spawn, spawnSync } = require('node:child_process');
  const { once } = require('node:events');
  const told = {};
  process.env.OWN = 'kept';
  (async () => {
    for (let turn = 0; turn < 5; turn++) {
      told.variables = execFileSync('env', { env: { ONLY: 'this' }, encoding: 'utf8' });
      told.missing = spawnSync('no-such-program').error.code;
      told.folder = spawnSync('pwd', { cwd: '/no/such/folder' }).error.code;
      told.code = spawnSync('sh', ['-c', 'exit 7']).status;
      told.signal = spawnSync('sh', ['-c', 'kill -9 $$']).signal;
      told.where = execFileSync('pwd', { cwd: '/', encoding: 'utf8' });
      told.subshell = execFileSync('sh', ['-c', '(cd /; X=1; pwd); echo "$X$(echo end)"'], { encoding: 'utf8' });
      const child = spawn('cat', { detached: true });
      child.stdin.end('passed on');
      told.piped = (await once(child.stdout, 'data'))[0].toString();
      await once(child, 'close');
      const many = Array.from({ length: 10 }, (_, index) => spawn('sh', ['-c', 'exit ' + index]));
      told.many = (await Promise.all(many.map((each) => once(each, 'close')))).map(([code]) => code).join(' ');
    }
    told.own = process.env.OWN;
    told.names = Object.keys(process.env).length > 1;
    console.log(JSON.stringify(told));
  })();
`;

describe('starting programs quickly', () => {
  const told = (node: string, variables: Readonly<Record<string, string>>): unknown =>
    JSON.parse(execFileSync(node, ['--eval', script], { encoding: 'utf8', env: { ...process.env, ...variables } }));

  for (const [name, node] of [
    ['the Node of the tests', process.execPath],
    ["this machine's Node", 'node'],
  ] as const)
    it(`changes nothing that programs started by ${name} see`, async function () {
      // The lane itself runs with it.
      const own = process.env['LD_PRELOAD'];
      const quick = own === undefined ? await quickStart(join(root, 'artifacts')) : { LD_PRELOAD: own };
      if (!('LD_PRELOAD' in quick)) skipBecause(this, 'there is no C compiler, or this is not Linux on x64');
      if (spawnSync(node, ['--version']).error) skipBecause(this, 'there is no other Node');
      assert.deepEqual(told(node, quick), {
        variables: 'ONLY=this\n',
        missing: 'ENOENT',
        folder: 'ENOENT',
        code: 7,
        signal: 'SIGKILL',
        where: '/\n',
        subshell: '/\nend\n',
        piped: 'passed on',
        many: '0 1 2 3 4 5 6 7 8 9',
        own: 'kept',
        names: true,
      });
    });
});
