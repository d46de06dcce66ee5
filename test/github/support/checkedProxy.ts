import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerFaults, requestFaults } from './contract.ts';

/** A server in front of another one that holds everything which passes against GitHub's published description. */
export interface CheckedProxy {
  readonly url: string;
  /** In what requests departed from it. */
  readonly requestFaults: string[];
  /** In what the answers of the server behind did. */
  readonly answerFaults: string[];
  close(): Promise<void>;
}

/** Starts a {@link CheckedProxy} in front of a server of GitHub's REST interface. */
export async function checkedProxy(behind: string): Promise<CheckedProxy> {
  const faults = { requests: [] as string[], answers: [] as string[] };
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', behind);
      const method = request.method ?? 'GET';
      const text = await textOf(request);
      // Queries are held against GitHub's schema by the stand-in; the emulators of others answer none.
      const rest = url.pathname !== '/graphql';
      if (rest) faults.requests.push(...requestFaults(method, url, text === '' ? undefined : JSON.parse(text)));
      const { authorization, 'content-type': type, 'if-none-match': match } = request.headers;
      const headers = Object.entries({ authorization, 'content-type': type, 'if-none-match': match });
      const answer = await fetch(url, {
        method,
        headers: headers.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
        ...(text === '' ? {} : { body: text }),
      });
      const body = await answer.text();
      const parsed: unknown = body === '' ? undefined : JSON.parse(body);
      faults.answers.push(...answerFaults(method, decodeURIComponent(url.pathname), answer.status, parsed));
      for (const name of ['content-type', 'etag', 'link']) {
        const value = answer.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      response.writeHead(answer.status).end(body);
    })().catch((thrown: unknown) => {
      faults.requests.push(`the proxy failed: ${String(thrown)}`);
      response.writeHead(500).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestFaults: faults.requests,
    answerFaults: faults.answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += String(chunk);
  return text;
}
