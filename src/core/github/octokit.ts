import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { Octokit } from '@octokit/rest';
import type { Log } from '../base/log.ts';

/*
 * The only importer of GitHub's libraries. It is loaded when something is asked of GitHub and not before: `wt list` never waits for it.
 */

const WithPlugins = Octokit.plugin(retry, throttling);

/** A connection to one host as one person. */
export type Connection = Octokit;

/** How a connection is made. */
export interface ConnectionOptions {
  /** The address of the REST interface. */
  readonly baseUrl: string;
  readonly token: string;
  readonly userAgent: string;
  readonly log: Log;
  /** Keep writes apart from each other as GitHub asks: one second. */
  readonly spacing: boolean;
}

/**
 * Makes a connection. Reads are tried again after a failure of the server, twice; a request that makes something never is, since it
 * may have been carried out. What GitHub limits is not tried again here either: whoever calls waits, and can be called off.
 */
export function connect({ baseUrl, token, userAgent, log, spacing }: ConnectionOptions): Connection {
  const quiet = (): void => {};
  const throttle = {
    enabled: spacing,
    onRateLimit: () => false,
    onSecondaryRateLimit: () => false,
    // Three seconds for what notifies people is more than GitHub asks for; the pace of an hour is kept by whoever calls.
    triggersNotification: () => false,
  };
  const connection = new WithPlugins({
    baseUrl,
    auth: token,
    userAgent,
    // What is sent holds what people wrote, so only the line that sums a request up is logged.
    log: { debug: quiet, info: (message) => log.debug(`[github] ${message}`), warn: quiet, error: quiet },
    // What is limited (429) says itself when it may be asked again.
    retry: { retries: 2, doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451] },
    throttle,
  });
  connection.hook.before('request', (options) => {
    if (options.method === 'POST' && !options.url.endsWith('/graphql'))
      options.request = { ...options.request, retries: 0 };
  });
  return connection;
}
