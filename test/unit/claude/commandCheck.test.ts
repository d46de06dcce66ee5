import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { checkCommand } from '../../../src/core/claude/commandCheck.ts';
import { onlyWhere } from '../../support/systems.ts';

describe('whether wt is there for agents', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wt-command-'));
    for (const name of ['wt', 'wt.cmd']) {
      await writeFile(join(folder, name), '');
      await chmod(join(folder, name), 0o755);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const check = (platform: NodeJS.Platform, variables: Record<string, string>): Promise<string | undefined> =>
    checkCommand({ ...environmentOf(process), platform, variables }, '1.0.0', false);

  it('is looked for on Windows however the name of the variable is written, as Windows does', async () => {
    for (const name of ['PATH', 'Path', 'path', 'pAtH'])
      assert.equal(await check('win32', { [name]: `relative;;${folder}` }), undefined, name);
    assert.match((await check('win32', { MYPATH: folder })) ?? '', /not on the PATH/);
  });

  onlyWhere({ notOn: 'Windows', because: 'the folders of its paths hold colons' })(
    'is looked for elsewhere by the one name that the system knows',
    async () => {
      assert.equal(await check('linux', { PATH: `relative::${folder}` }), undefined);
      for (const variables of [{ Path: folder }, {}])
        assert.match((await check('darwin', variables)) ?? '', /not on the PATH/);
    },
  );
});
