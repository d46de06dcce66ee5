import { spawn } from 'node:child_process';
import type { Environment } from '../core/base/environment.ts';

/** Shows a page in the person's browser, where there is one; nothing waits for it. */
export function openInBrowser({ platform, variables }: Environment, url: string): void {
  const chosen = variables['BROWSER'];
  const [program, args] =
    platform === 'win32'
      ? // `start` would read an & in the address as the end of the command.
        ['rundll32', ['url.dll,FileProtocolHandler', url]]
      : platform === 'darwin'
        ? ['open', [url]]
        : [chosen && !chosen.includes(' ') ? chosen : 'xdg-open', [url]];
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
  child.once('error', () => {});
  child.unref();
}
