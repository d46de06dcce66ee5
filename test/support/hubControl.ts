import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hub } from '../github/support/hub.ts';
import type { HubPull } from '../github/support/hubState.ts';

/** What a test in another process asks of a stand-in for GitHub. */
export interface HubOrder {
  /** Changes a pull request. */
  readonly set?: { readonly number: number; readonly to: Partial<HubPull> };
  /** Answers the next request of a kind (`POST /graphql`) so. */
  readonly next?: { readonly request: string; readonly status: number; readonly headers?: Record<string, string> };
}

/** What it is told. */
export interface HubReport {
  readonly pulls: readonly HubPull[];
  /** `POST /graphql`, in order. */
  readonly requests: readonly string[];
  readonly faults: readonly string[];
}

/** Lets tests in an extension host steer a stand-in that lives in the process that started the host. */
export async function serveHubControl(hub: Hub): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { set, next } = JSON.parse(text) as HubOrder;
      if (set) Object.assign(hub.state.pulls.get(set.number) ?? {}, set.to);
      if (next) {
        const { status, headers } = next;
        hub.next(next.request, { status, body: { message: 'as the test wants it' }, ...(headers ? { headers } : {}) });
      }
      hub.state.settle();
      const report: HubReport = {
        pulls: [...hub.state.pulls.values()],
        requests: hub.requests.map(({ method, path }) => `${method} ${path}`),
        faults: hub.faults,
      };
      response.end(JSON.stringify(report));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** Gives an order, and reads what there is after it. */
export async function orderHub(url: string, order: HubOrder = {}): Promise<HubReport> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(order) });
  return (await answer.json()) as HubReport;
}
