import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Answers a request with git's own server program, as a web server would run it. Resolves when the answer is complete.
 *
 * @param before called when git has done what was asked, before the answer ends.
 *
 * @param root the folder that holds `<owner>/<repo>.git`.
 */
export function serveGit(
  root: string,
  variables: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
  before: () => void = () => {},
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...variables,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'ada',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    let begun = false;
    child.stdout.on('data', (chunk: Buffer) => {
      if (begun) return void response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      begun = true;
      for (const line of head.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(': ');
        if (name === 'Status') response.statusCode = Number(value.split(' ')[0]);
        else response.setHeader(name, value);
      }
      response.write(head.subarray(end + 4));
    });
    child.once('error', reject);
    child.once('close', () => {
      before();
      response.end();
      resolve();
    });
  });
}
