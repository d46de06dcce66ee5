import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { quietSettings } from '../../../scripts/lib/vscodeServer.mjs';

/** A throw-away home for one VS Code and the repositories it opens: nothing of the person's own is read or written. */
export interface Place {
  readonly root: string;
  /** HOME of everything that runs here; holds a `.gitconfig` with an identity. */
  readonly home: string;
  readonly userData: string;
  readonly serverData: string;
  readonly extensions: string;
  /** Where the repositories of a test go. */
  readonly work: string;
  /** What a run leaves for the launcher: results, logs. */
  readonly out: string;
  /** The environment for git, the server and everything below it. */
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

// Only HOME can carry this: simple-git drops GIT_* variables, so a GIT_CONFIG_GLOBAL would not reach git.
const gitConfig = `[user]
	name = Test Person
	email = test@example.invalid
[init]
	defaultBranch = main
[commit]
	gpgSign = false
[gc]
	auto = 0
[maintenance]
	auto = false
`;

/** What tests need besides a quiet workbench: nothing that moves, and nothing that covers what is below. */
const testSettings: Readonly<Record<string, unknown>> = {
  ...quietSettings,
  'window.commandCenter': false,
  'workbench.editor.useModal': 'off',
  'workbench.reduceMotion': 'on',
  // A desktop has none either, unless an extension asks for it.
  'extensions.webWorker': false,
};

/** Makes a place; `settings` are VS Code user settings on top of the quiet ones of tests. */
export async function makePlace(name: string, settings: Readonly<Record<string, unknown>> = {}): Promise<Place> {
  // The real path, because git reports real paths and macOS's temporary folder is a link.
  const root = await realpath(await mkdtemp(join(tmpdir(), `wts-${name}-`)));
  const at = (folder: string) => join(root, folder);
  const folders = {
    home: at('home'),
    userData: at('user-data'),
    serverData: at('server-data'),
    extensions: at('extensions'),
    work: at('work'),
    out: at('out'),
  };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  await mkdir(join(folders.userData, 'User'));
  await Promise.all([
    writeFile(join(folders.home, '.gitconfig'), gitConfig),
    writeFile(join(folders.userData, 'User/settings.json'), JSON.stringify({ ...testSettings, ...settings }, null, 2)),
  ]);
  // A place goes with the process at the latest, also when the person ends the run.
  const removeAtExit = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  return {
    root,
    ...folders,
    env: cleanEnvironment(folders.home),
    remove: async () => {
      process.off('exit', removeAtExit);
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Variables of the person's session that would change what is tested. */
const foreign =
  /^(VSCODE_|ELECTRON_|GIT_|GH_|GITHUB_|CLAUDE|ANTHROPIC_|WORKTREE_STACKS_|npm_|NODE_OPTIONS|NODE_COMPILE_CACHE|XDG_|MOCHA_)/;

/** The person's environment without their identity, tokens and tools' settings, and with `home` as home. */
function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  // `npm run` puts the project's tools first; a person's VS Code does not have them.
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
  return {
    ...kept,
    PATH: path.join(delimiter),
    HOME: home,
    USERPROFILE: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LANG: 'C.UTF-8',
  };
}
