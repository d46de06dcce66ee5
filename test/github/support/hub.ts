import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, executeSync, parse, validate, type DocumentNode, type GraphQLSchema } from 'graphql';
import { answerFaults, operationOf, requestFaults } from './contract.ts';
import { serveGit } from './gitBackend.ts';
import { repositoryNode } from './hubGraph.ts';
import { restAnswer } from './hubRest.ts';
import type { HubState } from './hubState.ts';

/** An answer of the stand-in. */
export interface HubAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request that came in, and how it was answered. */
export interface HubRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** A stand-in for a GitHub server: REST and GraphQL as published, and a real git server on the same port. */
export interface Hub {
  /** `http://127.0.0.1:<port>`: the host of remotes; REST is below `/api/v3`, GraphQL is `/api/graphql`. */
  readonly url: string;
  readonly state: HubState;
  readonly requests: HubRequest[];
  /** Everything in which requests and answers departed from GitHub's published descriptions. */
  readonly faults: string[];
  /** What each answer says is left of the hour. */
  readonly budgets: { core: number; graphql: number };
  /** The same of those that change something, and of pushes. */
  afterWrite: ((line: string) => boolean | void) | undefined;
  /**
   * Told of each request that was carried out, before whoever asked hears of it; `FETCH` and `PUSH` are git's. `false` leaves the request
   * without an answer, as when the one who asked is gone.
   */
  afterRequest: ((line: string) => boolean | void) | undefined;
  /** Answers the next requests of a kind (`POST /repos/octo/demo/pulls`, without the prefix) so, one after the other. */
  next(request: string | RegExp, ...answers: (HubAnswer | ((normal: () => HubAnswer) => HubAnswer))[]): void;
  /** How many requests of a kind there were. */
  count(request: RegExp, status?: number): number;
  close(): Promise<void>;
}

/** How a stand-in differs from the usual one. */
export interface HubOptions {
  /** False: a server without GraphQL. */
  readonly graphql?: boolean;
  /** Repositories beside the first one, such as forks of it. */
  readonly others?: readonly HubState[];
  /** The port; by default one that the system chooses. */
  readonly port?: number;
  /** The page at an address that people look at, as HTML. */
  readonly page?: (path: string) => string | undefined;
}

let schema: GraphQLSchema | undefined;
function graphSchema(): GraphQLSchema {
  const file = new URL('schema.graphql', import.meta.resolve('@octokit/graphql-schema'));
  return (schema ??= buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true }));
}

/** A link header whose address begins with a path, with the address that a request went to. */
function absolute({ url, headers }: IncomingMessage, link: string): string {
  return link.replace('<', `<http://${headers.host}${/^\/api(?:\/v3)?/.exec(url ?? '')?.[0] ?? ''}`);
}

/**
 * Starts a {@link Hub}.
 *
 * @param git the folder of bare repositories, and the environment of git's server; without it there is no git server.
 */
export async function startHub(
  state: HubState,
  git?: { readonly root: string; readonly variables: Record<string, string> },
  options: HubOptions = {},
): Promise<Hub> {
  const states = [state, ...(options.others ?? [])];
  const settle = (): void => {
    for (const each of states) each.settle();
  };
  const requests: HubRequest[] = [];
  const faults: string[] = [];
  const budgets = { core: 5000, graphql: 5000 };
  const scripted: {
    matches: (line: string) => boolean;
    answers: (HubAnswer | ((normal: () => HubAnswer) => HubAnswer))[];
  }[] = [];

  const decide = (line: string, normal: () => HubAnswer): HubAnswer => {
    const script = scripted.find(({ matches, answers }) => answers.length > 0 && matches(line));
    const answer = script?.answers.shift();
    return answer === undefined ? normal() : typeof answer === 'function' ? answer(normal) : answer;
  };

  const nodeOf = (found: HubState | undefined): unknown => (found ? repositoryNode(found) : null);
  const documents = new Map<string, DocumentNode>();
  const answerGraph = (body: unknown): HubAnswer => {
    if (options.graphql === false) return { status: 404, body: { message: 'Not Found' } };
    const { query, variables } = body as { query: string; variables: Record<string, unknown> };
    const document = documents.get(query) ?? parse(query);
    if (!documents.has(query))
      faults.push(...validate(graphSchema(), document).map(({ message }) => `GraphQL: ${message}`));
    documents.set(query, document);
    const rate = {
      cost: 1,
      limit: 5000,
      remaining: budgets.graphql,
      resetAt: new Date(Date.now() + 3_600_000).toISOString(),
    };
    settle();
    const result = executeSync({
      schema: graphSchema(),
      document,
      variableValues: variables,
      rootValue: {
        rateLimit: () => rate,
        repository: ({ owner, name }: { owner: string; name: string }) =>
          nodeOf(states.find((each) => each.is(owner, name))),
      },
    });
    const errors = result.errors?.map(({ message, path, originalError }) => ({
      message,
      path,
      type: (originalError as { type?: string } | undefined)?.type,
    }));
    return { status: 200, body: { data: result.data, ...(errors ? { errors } : {}) } };
  };

  const answer = (request: IncomingMessage, text: string): HubAnswer & { path: string; parsed: unknown } => {
    const method = request.method ?? 'GET';
    const url = new URL((request.url ?? '/').replace(/^\/api(?:\/v3)?/, ''), 'http://localhost');
    url.pathname = decodeURIComponent(url.pathname);
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    const graph = url.pathname === '/graphql';
    const path = url.pathname;
    const line = `${method} ${path}`;
    if (!/^(?:token|bearer) \S+/i.test(request.headers.authorization ?? '')) faults.push(`${line} has no token`);
    if (!graph) faults.push(...requestFaults(method, url, parsed));
    const normal = (): HubAnswer => {
      if (graph) return answerGraph(parsed);
      settle();
      const values = operationOf(method, path)?.values ?? {};
      const meant = states.find((each) => each.is(values['owner'], values['repo'])) ?? state;
      const rest = restAnswer(meant, method, url, values, parsed);
      if (method !== 'GET') settle();
      return rest;
    };
    const given = decide(line, normal);
    // Of the refusals as well, as far as they are described.
    if (!graph) faults.push(...answerFaults(method, path, given.status, given.body));
    return { ...given, path, parsed };
  };

  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/api/')) {
      const page = request.method === 'GET' ? options.page?.(request.url ?? '/') : undefined;
      if (page !== undefined) return void response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
      if (!git) return void response.writeHead(404).end();
      const push = request.method === 'POST' && request.url?.endsWith('/git-receive-pack') === true;
      void serveGit(git.root, git.variables, request, response, () => {
        settle();
        if (push)
          requests.push({ method: 'PUSH', path: request.url ?? '', status: response.statusCode, body: undefined });
        const line = push ? 'PUSH' : 'FETCH';
        if (hub.afterRequest?.(line) === false || (push && hub.afterWrite?.(line) === false)) response.destroy();
      });
      return;
    }
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      try {
        const given = answer(request, text);
        const line = `${request.method ?? ''} ${given.path}`;
        const writes = request.method !== 'GET' && given.path !== '/graphql' && given.status < 300;
        if (hub.afterRequest?.(line) === false || (writes && hub.afterWrite?.(line) === false)) response.destroy();
        else send(request, response, given);
      } catch (thrown) {
        faults.push(`the stand-in failed: ${String(thrown)}`);
        response.writeHead(500).end('{}');
      }
    });
  });

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    { status, body, headers, path, parsed }: HubAnswer & { path: string; parsed: unknown },
  ): void => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const resource = path === '/graphql' ? 'graphql' : 'core';
    const etag = `W/"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
    const unchanged = request.method === 'GET' && status === 200 && request.headers['if-none-match'] === etag;
    if (!unchanged) budgets[resource] = Math.max(0, budgets[resource] - 1);
    requests.push({ method: request.method ?? 'GET', path, status: unchanged ? 304 : status, body: parsed });
    response.writeHead(unchanged ? 304 : status, {
      'content-type': 'application/json; charset=utf-8',
      ...(request.method === 'GET' && status === 200 ? { etag } : {}),
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': String(budgets[resource]),
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600),
      'x-ratelimit-resource': resource,
      ...headers,
      ...(headers?.['link'] === undefined ? {} : { link: absolute(request, headers['link']) }),
    });
    response.end(unchanged ? undefined : text);
  };

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const hub: Hub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    requests,
    faults,
    budgets,
    afterWrite: undefined,
    afterRequest: undefined,
    next(request, ...answers) {
      const matches = (line: string): boolean => (typeof request === 'string' ? line === request : request.test(line));
      scripted.push({ matches, answers });
    },
    count: (request, status) =>
      requests.filter(
        (each) => request.test(`${each.method} ${each.path}`) && (status === undefined || each.status === status),
      ).length,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return hub;
}
