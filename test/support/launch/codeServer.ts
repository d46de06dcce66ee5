import { cp } from 'node:fs/promises';
import { installExtension, startServer, type InstalledServer } from '../../../scripts/lib/vscodeServer.mjs';
import { builtinsToSkip } from './builtins.ts';
import type { Place } from './place.ts';
import { quickHosts } from './quickHosts.ts';

/** How a server differs from the usual one. */
export interface CodeServerOptions {
  /** False leaves workspace trust on, so that folders open restricted. */
  readonly trusted?: boolean;
  /** Lets the page run a test module inside the extension host. */
  readonly testDriver?: boolean;
  /** Leaves out the extensions of VS Code itself that nothing here works with; a start of the window takes a fifth less processor time. */
  readonly fewBuiltins?: boolean;
  /** On top of the place's environment; undefined removes a variable. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A running VS Code server. */
export interface CodeServer {
  /** `127.0.0.1:<port>`: the page, and every vscode-remote URI, must use exactly this authority. */
  readonly authority: string;
  readonly pid: number;
  log(): string;
  stop(): Promise<void>;
}

/** Starts VS Code's server in a place of its own, on a port that the system chooses. */
export async function startCodeServer(
  server: InstalledServer,
  place: Place,
  { trusted = true, testDriver = false, fewBuiltins = false, env = {} }: CodeServerOptions = {},
): Promise<CodeServer> {
  const flags = [
    // A safety net: a server whose test run was killed ends by itself.
    '--enable-remote-auto-shutdown',
    // Otherwise the host asks a login shell for its environment, and what a suite set (a PATH without git) is lost.
    '--force-disable-user-env',
    // Page and server are on one machine.
    '--disable-websocket-compression',
    ...(trusted ? ['--disable-workspace-trust'] : []),
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
  ];
  const skipped = fewBuiltins ? { VSCODE_SKIP_BUILTIN_EXTENSIONS: await builtinsToSkip(server) } : {};
  const quick = await quickHosts(server, place);
  return startServer({ server, folders: place, flags, env: { ...place.env, ...skipped, ...quick, ...env } });
}

/** Installs a VSIX into the place, by VS Code's own installer. */
export async function installVsix(server: InstalledServer, place: Place, vsix: string): Promise<void> {
  await installExtension(server, place, vsix, place.env);
}

/** Takes over what is installed in another place: quicker than installing once more. */
export async function copyExtensions(from: Place, to: Place): Promise<void> {
  await cp(from.extensions, to.extensions, { recursive: true });
}
