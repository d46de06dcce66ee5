import type { Environment } from '../core/base/environment.ts';
import { startInBackground } from '../core/base/process.ts';

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
  startInBackground(program, args);
}
