import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { root } from '../../../scripts/lib/install.mjs';
import { bundleHostSuite, hostSuiteNames, hostTests } from './hostBundle.ts';
import { readReport, testEnvironment } from './hostRun.ts';
import type { HostSuite } from './hostSuite.ts';
import { makePlace } from './place.ts';

// The host suites in desktop VS Code, as contributors with a screen and the public CI run them. It downloads VS Code from
// its makers' site, so it needs a network; without one `npm test -- host` runs the same suites in the server build.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    /** A version of VS Code, `stable` or `insiders`. */
    vscode: { type: 'string', default: 'stable' },
  },
});

let failed = 0;
for (const name of positionals.length > 0 ? positionals : await hostSuiteNames()) {
  const { default: suite } = (await import(join(hostTests, name, 'suite.ts'))) as { default: HostSuite };
  process.stdout.write(`\n${name}: ${suite.title} (desktop VS Code ${values.vscode})\n`);
  const place = await makePlace(`desktop-${name}`, suite.settings);
  try {
    const opening = await suite.prepare(place);
    const opened = 'folder' in opening ? [opening.folder] : 'workspace' in opening ? [opening.workspace] : [];
    await mkdir(join(root, '.cache/vscode-desktop'), { recursive: true });
    await runTests({
      version: values.vscode,
      cachePath: join(root, '.cache/vscode-desktop'),
      extensionDevelopmentPath: root,
      extensionTestsPath: await bundleHostSuite(name),
      launchArgs: [
        ...opened,
        ...['--user-data-dir', place.userData, '--extensions-dir', place.extensions],
        '--force-disable-user-env',
        ...((suite.trusted ?? true) ? ['--disable-workspace-trust'] : []),
      ],
      extensionTestsEnv: { ...place.env, ...testEnvironment(place, values.grep), ...(await suite.env?.(place)) },
    });
  } catch (error) {
    const failures = (await readReport(place))?.stats.failures ?? 0;
    failed += Math.max(1, failures);
    if (failures === 0) process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  } finally {
    process.stdout.write(await readFile(join(place.out, 'spec.txt'), 'utf8').catch(() => ''));
    await place.remove();
  }
}
process.exitCode = failed > 0 ? 1 : 0;
