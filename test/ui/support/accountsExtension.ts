import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from '../../support/launch/place.ts';
import { listExtension } from './listExtension.ts';

/** The program of the extension: it holds one account, which it hands out to whoever the person allows it to. */
const program = `
const { EventEmitter, authentication } = require('vscode');
exports.activate = ({ subscriptions }) => {
  const changed = new EventEmitter();
  const sessions = [];
  subscriptions.push(authentication.registerAuthenticationProvider('github-enterprise', 'Test GitHub', {
    onDidChangeSessions: changed.event,
    getSessions: async () => sessions,
    createSession: async (scopes) => {
      const session = { id: 'one', accessToken: 'ghp_thetokenofthetestaccountthetokenofthe', scopes, account: { id: 'ada', label: 'ada' } };
      sessions.push(session);
      changed.fire({ added: [session], removed: [], changed: [] });
      return session;
    },
    removeSession: async () => {},
  }));
};
`;

/**
 * Installs an extension that holds an account for a GitHub server in the place of VS Code's own, which would send people to a real one in
 * their browser. Everything in between is VS Code's: its questions, and what it remembers of the answers.
 */
export async function installAccounts({ extensions }: Place): Promise<void> {
  // A later version of an extension takes the place of the one that VS Code brings along.
  const version = '99.0.0';
  const id = 'vscode.github-authentication';
  const relativeLocation = `${id}-${version}`;
  const folder = join(extensions, relativeLocation);
  await mkdir(folder, { recursive: true });
  const manifest = {
    ...{
      name: 'github-authentication',
      publisher: 'vscode',
      version,
      engines: { vscode: '^1.100.0' },
      main: './main.js',
    },
    contributes: { authentication: [{ id: 'github-enterprise', label: 'Test GitHub' }] },
    extensionKind: ['workspace'],
    capabilities: { untrustedWorkspaces: { supported: true } },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), program);
  await listExtension(extensions, { id, version, relativeLocation });
}
